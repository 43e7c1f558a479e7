"""Describes the commands in people's own languages; names that are typed stay as they are."""

import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation

from bot.words.commands import described, menu_name
from cogs.host import Host

_DESCRIPTIONS = frozenset(
    {
        TranslationContextLocation.command_description,
        TranslationContextLocation.group_description,
        TranslationContextLocation.parameter_description,
    }
)


class Descriptions(app_commands.Translator):
    """Asked by discord.py for each text in each of Discord's languages when commands are synced."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        if isinstance(context.data, app_commands.ContextMenu):
            return menu_name(string.message, str(locale))
        if context.location not in _DESCRIPTIONS:
            return None
        return described(string.message, str(locale))


async def setup(bot: Host) -> None:
    """Load the translations."""
    await bot.tree.set_translator(Descriptions())
