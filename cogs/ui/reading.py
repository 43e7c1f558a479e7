"""Reading an interaction: who acts, what was pressed, what was typed. All of it may be forged."""

import re
from typing import Any

import discord

from bot.services.access import Actor
from domain.errors import Refused

_ID = re.compile(r"[0-9]{1,19}")
_LARGEST = 2**63 - 1


def actor_of(interaction: discord.Interaction) -> Actor:
    """The person with the roles that this very interaction carries.

    Raises `Refused`: `only_in_guild`; `still_starting` while the gateway has not shown the guild:
    the library would take every role that it has not seen for one that the person doesn't hold.
    """
    user = interaction.user
    if interaction.guild_id is None or not isinstance(user, discord.Member):
        raise Refused("only_in_guild")
    guild_seen(interaction)
    return Actor(
        member_id=user.id,
        name=user.display_name,
        role_ids=frozenset(role.id for role in user.roles),
        manages_guild=interaction.permissions.manage_guild,
    )


def guild_of(interaction: discord.Interaction) -> int:
    """The guild's id; raises `Refused("only_in_guild")` outside one."""
    if interaction.guild_id is None:
        raise Refused("only_in_guild")
    return interaction.guild_id


def guild_seen(interaction: discord.Interaction) -> discord.Guild:
    """The guild as the gateway shows it; raises `Refused`: `only_in_guild`, `still_starting`."""
    guild = interaction.client.get_guild(guild_of(interaction))
    if guild is None:
        raise Refused("still_starting")
    return guild


def pressed_id(argument: str) -> int:
    """The id in a button's custom id; raises `Refused("stale_button")` for anything else."""
    if _ID.fullmatch(argument) and int(argument) <= _LARGEST:
        return int(argument)
    raise Refused("stale_button")


def typed(interaction: discord.Interaction) -> dict[str, str]:
    """What a submitted form holds, by field id."""
    data: Any = interaction.data or {}
    found: dict[str, str] = {}
    for row in data.get("components", ()):
        for field in (row.get("component"), *row.get("components", ())):
            if isinstance(field, dict) and isinstance(field.get("value"), str):
                found[str(field.get("custom_id"))] = field["value"]
    return found


def selected(interaction: discord.Interaction) -> str:
    """The one value chosen in a message's list; empty where there is none."""
    data: Any = interaction.data or {}
    values = [str(value) for value in data.get("values", ())]
    return values[0] if len(values) == 1 else ""


def picked(interaction: discord.Interaction, field_id: str) -> tuple[int, ...]:
    """The ids chosen in a submitted form's field, where they can be ids at all."""
    data: Any = interaction.data or {}
    for row in data.get("components", ()):
        field = row.get("component")
        if isinstance(field, dict) and field.get("custom_id") == field_id:
            values = (str(value) for value in field.get("values", ()))
            return tuple(int(value) for value in values if _ID.fullmatch(value))
    return ()
