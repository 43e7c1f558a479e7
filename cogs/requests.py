"""Members: what they have asked for, and taking it back."""

import discord
from discord import app_commands

from bot.services.overview import MemberRequest
from bot.words.own import Own, Step, own_requests
from bot.words.sentences import say
from bot.words.values import Message
from cogs.host import Handler, Host, Room
from cogs.ui.answering import answer, locale_of
from cogs.ui.reading import pressed_id
from domain.errors import Refused


class Requests(Room):
    """`/requests`, in a server or in the bot's DM, and its button `Withdraw`."""

    @app_commands.command(name="requests", description="Your requests and where they stand")
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    @app_commands.allowed_installs(guilds=True, users=False)
    async def requests(self, interaction: discord.Interaction) -> None:
        """The member's newest requests: here, or in every server where it is asked in a DM."""
        await answer(interaction, lambda: self._page(interaction))

    def buttons(self) -> dict[str, Handler]:
        return {"withdraw": self._withdraw}

    async def _withdraw(self, interaction: discord.Interaction, argument: str) -> None:
        async def work() -> Message:
            locale = locale_of(interaction)
            try:
                request = await self.services.helpdesk.withdraw(
                    pressed_id(argument), interaction.user.id, self.now
                )
            except Refused as refusal:
                if refusal.code != "request_not_available":
                    raise
                # Its own sentence is the desk's: it names the owner, whom a member may not see.
                return await self._page(interaction, text=say(locale, "withdraw.too_late"))
            said = say(locale, "withdrawn", reference=request.reference)
            return await self._page(interaction, text=said)

        await answer(interaction, work, update=True)

    async def _page(self, interaction: discord.Interaction, *, text: str = "") -> Message:
        found = await self.services.overview.of_member(
            interaction.user.id, guild_id=interaction.guild_id
        )
        return own_requests(
            locale_of(interaction),
            [_own(one) for one in found],
            named=interaction.guild_id is None,
            text=text,
        )


def _own(found: MemberRequest) -> Own:
    return Own(
        request=found.request,
        guild_name=found.guild_name,
        before=found.before,
        timeline=tuple(Step(event=row.event, state=row.state, at=row.at) for row in found.timeline),
    )


async def setup(bot: Host) -> None:
    """Load this room."""
    await bot.add_cog(Requests(bot))
