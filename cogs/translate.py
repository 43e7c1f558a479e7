"""Coordinators: a carried message in their own language, from its menu."""

import asyncio
import logging

import discord
from discord import app_commands

from bot.services.access import Actor
from bot.services.translations import Asked
from bot.translating import TranslationFailed, Translator, language_code
from bot.words.translating import being_translated, gone, not_translated, translation
from bot.words.values import Message
from cogs.host import Host, Room
from cogs.ui.answering import answer, locale_of
from cogs.ui.reading import actor_of, guild_of

log = logging.getLogger(__name__)

Key = tuple[int, str, str, int]


class Translate(Room):
    """The message command `Translate`. Who asks while a call is under way gets that call's end."""

    def __init__(self, bot: Host) -> None:
        super().__init__(bot)
        self._asking = asyncio.Lock()
        self._calls: dict[Key, asyncio.Task[None]] = {}

    async def cog_load(self) -> None:
        command = app_commands.ContextMenu(name="Translate", callback=self.translate)
        in_guilds = app_commands.allowed_installs(guilds=True, users=False)
        self.bot.tree.add_command(in_guilds(app_commands.guild_only(command)))

    async def translate(self, interaction: discord.Interaction, message: discord.Message) -> None:
        """Show the message in the language of the person's own Discord."""

        async def work() -> Message:
            return await self._translated(
                locale_of(interaction), guild_of(interaction), message.id, actor_of(interaction)
            )

        await answer(interaction, work)

    async def _translated(
        self, locale: str, guild_id: int, message_id: int, actor: Actor
    ) -> Message:
        target = language_code(locale)
        asked, call = await self._ask(guild_id, message_id, actor, target)
        if call is not None:
            # Shielded: whoever else waits for the same call still gets its end.
            await asyncio.shield(call)
        now = await self.services.translations.find(asked.translation)
        if now is None:
            return gone(locale)
        if now.text is not None:
            return translation(locale, now.text, now.source_locale)
        if now.code is not None:
            return not_translated(locale, now.code, target)
        return being_translated(locale)

    async def _ask(
        self, guild_id: int, message_id: int, actor: Actor, target: str
    ) -> tuple[Asked, asyncio.Task[None] | None]:
        """What is so, and the call under way if there is one.

        One at a time: whoever comes second finds the first one's call.
        """
        translator = self.bot.translator
        async with self._asking:
            asked = await self.services.translations.request(
                guild_id, message_id, actor, target, self.now, offered=translator is not None
            )
            wanted = asked.translation
            key = (wanted.original_id, target, wanted.source_digest, wanted.tries)
            if asked.calls:
                assert translator is not None
                call = asyncio.create_task(self._call(translator, asked))
                self._calls[key] = call
                call.add_done_callback(lambda _: self._calls.pop(key, None))
            return asked, self._calls.get(key)

    async def _call(self, translator: Translator, asked: Asked) -> None:
        """Call the provider, outside any transaction, and write down what came of it."""
        wanted = asked.translation
        facts: dict[str, object] = {
            "original": wanted.original_id,
            "target": wanted.target_locale,
            "tries": wanted.tries,
        }
        source = language_code(asked.locale) if asked.locale else None
        try:
            found = await translator.translate(
                asked.text, source=source, target=wanted.target_locale
            )
        except TranslationFailed as error:
            log.warning(
                "translation_failed", extra=facts | {"code": error.code, "why": error.detail}
            )
            await self.services.translations.failed(wanted, error.code, self.now)
        else:
            log.info("translation_ready", extra=facts)
            await self.services.translations.ready(wanted, found.text, found.source, self.now)


async def setup(bot: Host) -> None:
    """Load this room."""
    await bot.add_cog(Translate(bot))
