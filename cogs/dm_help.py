"""Members: asking for help from the direct messages, for one of the servers that they are in."""

import discord

from bot.services.helpdesk import DETAILS_LIMIT, TOPIC_LIMIT, Ask
from bot.words.asking import ask_form, receipt, refused_with_text
from bot.words.rooms import ASK_PREFIX
from bot.words.values import Message
from cogs.host import Handler, Host, Room
from cogs.ui.answering import answer, locale_of, show_form
from cogs.ui.membership import member_of
from cogs.ui.reading import pressed_id, typed
from domain.errors import Refused

FORM = "dmhelp"


class DmHelp(Room):
    """The button `Ask for help` of a server in the direct messages, and its form."""

    def buttons(self) -> dict[str, Handler]:
        return {ASK_PREFIX: self._form}

    def forms(self) -> dict[str, Handler]:
        return {FORM: self._submitted}

    async def _form(self, interaction: discord.Interaction, argument: str) -> None:
        """The form begins with what they have just written, as long as that is kept."""
        guild_id = pressed_id(argument)
        details = await self.services.offering.text_in(
            interaction.channel_id or 0, interaction.user.id, self.now
        )

        async def check() -> None:
            await self.services.helpdesk.check_can_ask(guild_id, interaction.user.id, self.now)

        form = ask_form(
            locale_of(interaction),
            custom_id=f"{FORM}:{guild_id}:{interaction.id}",
            topic_limit=TOPIC_LIMIT,
            details_limit=DETAILS_LIMIT,
            details=details,
        )
        await show_form(interaction, check, form)

    async def _submitted(self, interaction: discord.Interaction, argument: str) -> None:
        guild_id = pressed_id(argument.partition(":")[0])
        fields = typed(interaction)
        topic, details = fields.get("topic", ""), fields.get("details", "")

        async def work() -> Message:
            locale = locale_of(interaction)
            try:
                member = await member_of(self.bot, guild_id, interaction.user.id)
                ask = Ask(
                    interaction_id=interaction.id,
                    guild_id=guild_id,
                    guild_name=member.guild.name,
                    member_id=member.id,
                    member_name=member.display_name,
                    topic=topic,
                    details=details,
                    locale=locale,
                )
                given = await self.services.helpdesk.ask(ask, self.now)
            except Refused as refusal:
                return refused_with_text(locale, refusal, topic=topic, details=details)
            await self.services.offering.used(interaction.channel_id or 0, member.id)
            self.bot.dispatch("help_asked", given.request.id, interaction)
            return receipt(locale, given.request, before=given.before)

        await answer(interaction, work)


async def setup(bot: Host) -> None:
    """Load this room."""
    await bot.add_cog(DmHelp(bot))
