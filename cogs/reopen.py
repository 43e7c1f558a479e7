"""Members: the button `Reopen` under the last words of a conversation."""

import discord

from bot.services.reopening import Again
from bot.words.asking import not_reopened, reopened
from bot.words.conversations import REOPEN
from bot.words.values import Message
from cogs.host import Handler, Host, Room
from cogs.ui.answering import answer, locale_of
from cogs.ui.membership import member_of
from cogs.ui.reading import pressed_id
from domain.errors import Refused


class Reopen(Room):
    """Asks anew with what has ended, where that is allowed still."""

    def buttons(self) -> dict[str, Handler]:
        return {REOPEN: self._pressed}

    async def _pressed(self, interaction: discord.Interaction, argument: str) -> None:
        async def work() -> Message:
            locale = locale_of(interaction)
            request_id = pressed_id(argument)
            try:
                guild_id = await self.services.reopening.guild_of(request_id, interaction.user.id)
                member = await member_of(self.bot, guild_id, interaction.user.id)
                again = Again(
                    interaction_id=interaction.id,
                    request_id=request_id,
                    member_id=member.id,
                    member_name=member.display_name,
                    locale=locale,
                )
                found = await self.services.reopening.reopen(again, self.now)
            except Refused as refusal:
                return not_reopened(locale, refusal)
            given = found.receipt
            self.bot.dispatch("help_asked", given.request.id, interaction)
            return reopened(locale, given.request, found.earlier, before=given.before)

        await answer(interaction, work)


async def setup(bot: Host) -> None:
    """Load this room."""
    await bot.add_cog(Reopen(bot))
