"""Authors: their answer to what an entry was sent back with, wherever its button is."""

import discord

from bot.words.entries import ANSWER, answer_form, answered, not_taken
from bot.words.values import Message, Modal
from cogs.host import Handler, Host, Room
from cogs.ui.answering import Aside, answer, locale_of, show_made_form
from cogs.ui.reading import pressed_id, typed
from domain.errors import Refused

_WORK = ("title", "url", "why")


class Answers(Room):
    """The button `Answer` and its form: in the author's DM, and on what `/nominate` shows them."""

    def buttons(self) -> dict[str, Handler]:
        return {ANSWER: self._pressed}

    def forms(self) -> dict[str, Handler]:
        return {ANSWER: self._submitted}

    async def _pressed(self, interaction: discord.Interaction, argument: str) -> None:
        async def make() -> Modal:
            entry = await self.services.nominations.to_answer(
                pressed_id(argument), interaction.user.id
            )
            return answer_form(locale_of(interaction), entry)

        await show_made_form(interaction, make)

    async def _submitted(self, interaction: discord.Interaction, argument: str) -> None:
        fields = typed(interaction)
        words = fields.get("words", "")
        changes = {name: fields[name] for name in _WORK if name in fields}

        async def work() -> Message:
            locale = locale_of(interaction)
            try:
                entry = await self.services.nominations.answer(
                    pressed_id(argument), interaction.user.id, words, self.now, changes=changes
                )
            except Refused as refused:
                raise Aside(not_taken(locale, refused, words=words, **changes)) from refused
            return answered(locale, entry)

        await answer(interaction, work, update=True)


async def setup(bot: Host) -> None:
    """Load this room."""
    await bot.add_cog(Answers(bot))
