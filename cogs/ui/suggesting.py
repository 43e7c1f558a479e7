"""Requests as choices while a command is typed."""

import logging

import discord
from discord import app_commands

from bot.words.desk import suggestion
from cogs.host import Room
from cogs.ui.reading import actor_of, guild_of
from domain.errors import Refused

log = logging.getLogger(__name__)


async def suggest(
    room: Room, interaction: discord.Interaction, current: str, states: frozenset[str]
) -> list[app_commands.Choice[str]]:
    """Requests in `states` that fit what was typed, at most 25; none for who may not see them."""
    try:
        found = await room.services.overview.suggest(
            guild_of(interaction), actor_of(interaction), current, states=states
        )
    except Refused:
        return []
    return [
        app_commands.Choice(name=suggestion(request), value=request.reference) for request in found
    ]
