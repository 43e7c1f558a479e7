"""What a cog may ask of the bot that loads it."""

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Protocol

import discord
from discord.ext import commands

from bot.services import Services
from bot.translating import Translator

Handler = Callable[[discord.Interaction, str], Awaitable[None]]
"""Answers a press or a form, given the interaction and what follows the custom id's prefix."""


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> int:
        """Milliseconds since 1970-01-01 UTC."""


if TYPE_CHECKING:

    class Host(commands.Bot):
        """The bot, with Steward's services, and a translator if there is one."""

        services: Services
        clock: Clock
        translator: Translator | None
else:
    Host = commands.Bot


class Room(commands.Cog):
    """A cog of ours: commands, and what answers its buttons and forms by custom-id prefix."""

    def __init__(self, bot: Host) -> None:
        self.bot = bot

    @property
    def services(self) -> Services:
        return self.bot.services

    @property
    def now(self) -> int:
        return self.bot.clock.now()

    def buttons(self) -> Mapping[str, Handler]:
        """Handlers of this room's buttons by prefix."""
        return {}

    def forms(self) -> Mapping[str, Handler]:
        """Handlers of this room's forms by prefix."""
        return {}
