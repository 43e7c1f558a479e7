"""Members: asking for help, and ending what they asked for."""

import discord
from discord import app_commands

from bot.services.helpdesk import DETAILS_LIMIT, TOPIC_LIMIT, Ask, Pressed
from bot.words.asking import ask_form, ended, not_ended, receipt, refused_with_text
from bot.words.values import Message
from cogs.host import Handler, Host, Room
from cogs.ui.answering import answer, locale_of, show_form
from cogs.ui.reading import actor_of, guild_of, pressed_id, typed
from domain.errors import Refused


class Help(Room):
    """`/help`, its form, and the buttons `Ask for help` and `End conversation`."""

    @app_commands.command(name="help", description="Ask the team for private help")
    @app_commands.describe(topic="In a few words: what is it about?")
    @app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
    @app_commands.allowed_installs(guilds=True, users=False)
    async def help(
        self,
        interaction: discord.Interaction,
        topic: app_commands.Range[str, 1, TOPIC_LIMIT] | None = None,
    ) -> None:
        """Ask at once with a topic, or by a form without one."""
        if topic is None:
            await self._form(interaction, "")
        else:
            await answer(interaction, lambda: self._ask(interaction, topic, ""))

    def buttons(self) -> dict[str, Handler]:
        return {"ask": self._form, "end": self._end}

    def forms(self) -> dict[str, Handler]:
        return {"help": self._submitted}

    async def _form(self, interaction: discord.Interaction, _argument: str) -> None:
        async def check() -> None:
            guild_id = guild_of(interaction)
            await self.services.helpdesk.check_can_ask(guild_id, interaction.user.id, self.now)

        form = ask_form(
            locale_of(interaction),
            custom_id=f"help:{interaction.id}",
            topic_limit=TOPIC_LIMIT,
            details_limit=DETAILS_LIMIT,
        )
        await show_form(interaction, check, form)

    async def _submitted(self, interaction: discord.Interaction, _argument: str) -> None:
        fields = typed(interaction)
        topic, details = fields.get("topic", ""), fields.get("details", "")
        await answer(interaction, lambda: self._ask(interaction, topic, details))

    async def _ask(self, interaction: discord.Interaction, topic: str, details: str) -> Message:
        locale = locale_of(interaction)
        actor = actor_of(interaction)
        guild = interaction.guild
        ask = Ask(
            interaction_id=interaction.id,
            guild_id=guild_of(interaction),
            guild_name="" if guild is None else guild.name,
            member_id=actor.member_id,
            member_name=actor.name,
            topic=topic,
            details=details,
            locale=locale,
        )
        try:
            given = await self.services.helpdesk.ask(ask, self.now)
        except Refused as refusal:
            return refused_with_text(locale, refusal, topic=topic, details=details)
        self.bot.dispatch("help_asked", given.request.id, interaction)
        return receipt(locale, given.request, before=given.before)

    async def _end(self, interaction: discord.Interaction, argument: str) -> None:
        async def work() -> Message:
            request_id, _, key = argument.partition(":")
            message = interaction.message
            pressed = None
            if key and message is not None:
                pressed = Pressed(delivery_key=key, message_id=message.id)
            locale = locale_of(interaction)
            try:
                request = await self.services.helpdesk.end(
                    pressed_id(request_id), interaction.user.id, self.now, pressed=pressed
                )
            except Refused as refusal:
                return not_ended(locale, refusal)
            return ended(locale, request)

        await answer(interaction, work)


async def setup(bot: Host) -> None:
    """Load this room."""
    await bot.add_cog(Help(bot))
