"""The one door for presses and forms, and the one place where a command's failure is answered.

Every press and every form arrives here raw, so that one made before a restart is answered after it.
A custom id is `prefix:argument`; who answers a prefix is asked of the rooms. What nobody answers is
an old or a forged one, and says so.
"""

import logging
from collections.abc import Mapping
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.words.sentences import say
from bot.words.values import Message
from cogs.host import Handler, Host, Room
from cogs.ui.answering import answer, locale_of, worded

log = logging.getLogger(__name__)


class Interactions(Room):
    """Routes presses and forms, and words what commands fail with."""

    def __init__(self, bot: Host) -> None:
        super().__init__(bot)
        bot.tree.on_error = self.command_failed  # type: ignore[method-assign]

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Answer a press or a form; commands go their own way."""
        if interaction.type is discord.InteractionType.component:
            await self._route(interaction, "buttons")
        elif interaction.type is discord.InteractionType.modal_submit:
            await self._route(interaction, "forms")

    async def _route(self, interaction: discord.Interaction, kind: str) -> None:
        data: Any = interaction.data or {}
        prefix, _, argument = str(data.get("custom_id", "")).partition(":")
        handler = self._handlers(kind).get(prefix)
        try:
            if handler is None:
                await answer(interaction, lambda: _stale(interaction))
            else:
                await handler(interaction, argument)
        except Exception as error:  # noqa: BLE001 - the edge: a person is waiting
            await _sorry(interaction, error)

    def _handlers(self, kind: str) -> Mapping[str, Handler]:
        found: dict[str, Handler] = {}
        for cog in self.bot.cogs.values():
            if isinstance(cog, Room):
                found.update(cog.buttons() if kind == "buttons" else cog.forms())
        return found

    async def command_failed(
        self, interaction: discord.Interaction, error: app_commands.AppCommandError
    ) -> None:
        """Word what a command failed with, where it has not been answered."""
        if interaction.type is discord.InteractionType.autocomplete:
            log.warning("suggestions_failed", exc_info=error, extra={"interaction": interaction.id})
            return
        cause: Exception = error
        if isinstance(error, app_commands.CommandInvokeError):
            cause = error.original
        if isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
            log.warning("command_unknown", extra={"interaction": interaction.id})
            await answer(interaction, lambda: _outdated(interaction))
            return
        if isinstance(error, app_commands.TransformerError):
            # A channel that the bot can't see, or a member who has just left.
            await answer(interaction, lambda: _unknown_option(interaction))
            return
        await _sorry(interaction, cause)


async def _sorry(interaction: discord.Interaction, error: Exception) -> None:
    message = worded(interaction, error)
    if interaction.response.is_done():
        return

    async def work() -> Message:
        return message

    await answer(interaction, work)


async def _stale(interaction: discord.Interaction) -> Message:
    return Message(text=say(locale_of(interaction), "refused.stale_button"))


async def _unknown_option(interaction: discord.Interaction) -> Message:
    return Message(text=say(locale_of(interaction), "command.unknown_option"))


async def _outdated(interaction: discord.Interaction) -> Message:
    return Message(text=say(locale_of(interaction), "command.outdated"))


async def setup(bot: Host) -> None:
    """Load this room."""
    await bot.add_cog(Interactions(bot))
