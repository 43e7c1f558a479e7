"""Coordinators: `/reply`, the relay's twin, for a bot that may not read what is written."""

import discord
from discord import app_commands

from bot.services.replying import TEXT_LIMIT
from bot.services.replying import Reply as Words
from bot.words.rooms import reply_refused, reply_taken
from bot.words.values import Message
from cogs.host import Host, Room
from cogs.ui.answering import answer, locale_of
from cogs.ui.reading import actor_of, guild_of
from domain.errors import Refused


class Reply(Room):
    """`/reply`, in the desk's thread of a request."""

    @app_commands.command(name="reply", description="Write to the member of this thread")
    @app_commands.describe(text="What the member shall read")
    @app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
    @app_commands.allowed_installs(guilds=True, users=False)
    async def reply(
        self, interaction: discord.Interaction, text: app_commands.Range[str, 1, TEXT_LIMIT]
    ) -> None:
        """Carry the text to the member; what is refused is given back."""

        async def work() -> Message:
            locale = locale_of(interaction)
            try:
                words = Words(
                    interaction_id=interaction.id,
                    guild_id=guild_of(interaction),
                    channel_id=interaction.channel_id or 0,
                    text=text,
                )
                actor = actor_of(interaction)
                replied = await self.services.replying.reply(words, actor, self.now)
            except Refused as refusal:
                return reply_refused(locale, refusal, text)
            return reply_taken(locale, replied.request, note=replied.note)

        await answer(interaction, work)


async def setup(bot: Host) -> None:
    """Load this room."""
    await bot.add_cog(Reply(bot))
