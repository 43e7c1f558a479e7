"""Members: which conversation their direct messages go to."""

import discord
from discord import app_commands

from bot.services.choosing import Chosen
from bot.services.notices import CHOOSE
from bot.words.rooms import conversation_over, conversation_switched, current_conversation
from bot.words.values import Message
from cogs.host import Handler, Host, Room
from cogs.ui.answering import answer, locale_of
from cogs.ui.reading import pressed_id, selected
from domain.errors import Refused


class Conversation(Room):
    """`/conversation`, in a server or in the bot's DM, and the list to choose from."""

    @app_commands.command(
        name="conversation", description="Which conversation your direct messages go to"
    )
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    @app_commands.allowed_installs(guilds=True, users=False)
    async def conversation(self, interaction: discord.Interaction) -> None:
        """Say which one it is, and offer the others."""

        async def work() -> Message:
            choices = await self.services.choosing.choices(interaction.user.id, _dm(interaction))
            return current_conversation(locale_of(interaction), choices, custom_id=CHOOSE)

        await answer(interaction, work)

    def buttons(self) -> dict[str, Handler]:
        return {CHOOSE: self._chosen}

    async def _chosen(self, interaction: discord.Interaction, _argument: str) -> None:
        """A list may be long out of date: then the newest one is shown instead."""

        async def work() -> Message:
            locale = locale_of(interaction)
            chosen = Chosen(
                interaction_id=interaction.id,
                member_id=interaction.user.id,
                request_id=pressed_id(selected(interaction)),
                channel_id=_dm(interaction),
            )
            try:
                choice = await self.services.choosing.choose(chosen, self.now)
            except Refused:
                choices = await self.services.choosing.choices(
                    interaction.user.id, _dm(interaction)
                )
                return conversation_over(locale, choices, custom_id=CHOOSE)
            return conversation_switched(locale, choice)

        await answer(interaction, work, update=True)


def _dm(interaction: discord.Interaction) -> int | None:
    """The direct message that this comes from; None in a server."""
    return interaction.channel_id if interaction.guild_id is None else None


async def setup(bot: Host) -> None:
    """Load this room."""
    await bot.add_cog(Conversation(bot))
