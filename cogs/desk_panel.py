"""`/desk panel` and `/desk open`: other ways for a request to begin."""

import discord
from discord import app_commands

from bot.services.helpdesk import TOPIC_LIMIT, Ask
from bot.words.panel import not_for_bots, not_opened, opened, panel_posted
from bot.words.values import Message
from cogs.host import Host, Room
from cogs.ui.answering import answer, locale_of
from cogs.ui.reading import actor_of, guild_of
from domain.errors import Refused


class DeskPanel(Room):
    """Two commands that join the desk's group."""

    async def cog_load(self) -> None:
        desk = self.bot.tree.get_command("desk")
        assert isinstance(desk, app_commands.Group)
        desk.add_command(
            app_commands.Command(
                name="panel",
                description="Post the Ask for help button",
                callback=self.panel,
            )
        )
        desk.add_command(
            app_commands.Command(
                name="open",
                description="Open a request for a member and take it",
                callback=self.open,
            )
        )

    @app_commands.describe(channel="Where members will see it (default: here)")
    async def panel(
        self, interaction: discord.Interaction, channel: discord.TextChannel | None = None
    ) -> None:
        """Post the standing button."""
        await answer(interaction, lambda: self._panel(interaction, channel))

    async def _panel(
        self, interaction: discord.Interaction, channel: discord.TextChannel | None
    ) -> Message:
        guild_id, actor = guild_of(interaction), actor_of(interaction)
        await self.services.desks.require_organizer(guild_id, actor)
        channel_id = interaction.channel_id if channel is None else channel.id
        assert channel_id is not None
        allowed = await self._may_post(interaction, channel_id)
        if allowed:
            await self.services.desks.post_panel(
                guild_id, channel_id, actor, interaction_id=interaction.id, now=self.now
            )
        return panel_posted(locale_of(interaction), channel_id, allowed=allowed)

    async def _may_post(self, interaction: discord.Interaction, channel_id: int) -> bool:
        """Whether the panel would arrive there, by our roles as Discord says they are now."""
        assert interaction.guild is not None
        assert self.bot.user is not None
        found = interaction.guild.get_channel(channel_id)
        if not isinstance(found, discord.TextChannel):
            return False
        held = found.permissions_for(await interaction.guild.fetch_member(self.bot.user.id))
        return held.view_channel and held.send_messages and held.embed_links

    @app_commands.describe(member="Whom it is for", topic="In a few words: what is it about?")
    async def open(
        self,
        interaction: discord.Interaction,
        member: discord.Member,
        topic: app_commands.Range[str, 1, TOPIC_LIMIT],
    ) -> None:
        """Ask on behalf of a member, and claim it."""
        await answer(interaction, lambda: self._open(interaction, member, topic))

    async def _open(
        self, interaction: discord.Interaction, member: discord.Member, topic: str
    ) -> Message:
        ask = Ask(
            interaction_id=interaction.id,
            guild_id=guild_of(interaction),
            guild_name="" if interaction.guild is None else interaction.guild.name,
            member_id=member.id,
            member_name=member.display_name,
            topic=topic,
            details="",
            locale=str(interaction.guild_locale or interaction.locale),
        )
        locale = locale_of(interaction)
        if member.bot:
            return not_for_bots(locale)
        try:
            request = await self.services.helpdesk.open_for(ask, actor_of(interaction), self.now)
        except Refused as refusal:
            return not_opened(locale, refusal, member_id=member.id)
        return opened(locale, request)


async def setup(bot: Host) -> None:
    """Load this room, after `cogs.desk`, whose group its commands join."""
    await bot.add_cog(DeskPanel(bot))
