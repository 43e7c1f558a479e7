"""Coordinators: messages in doubt, and saying what is so where Discord can't."""

from collections.abc import Awaitable, Callable

import discord
from discord import app_commands

from bot.services.access import Actor
from bot.services.doubts import Doubtful
from bot.services.reconciling import Uncertain
from bot.words.doubts import Doubt, PartDoubt, decided, decided_part, doubts_page
from bot.words.sentences import say
from bot.words.values import Message
from cogs.host import Handler, Host, Room
from cogs.ui.answering import answer, locale_of
from cogs.ui.reading import actor_of, guild_of, pressed_id
from domain.requests import Request

Decide = Callable[[discord.Interaction, int], Awaitable[Request]]
DecidePart = Callable[[int, int, int, Actor, int], Awaitable[None]]


class DeskDoubts(Room):
    """`/desk reconcile`, and the buttons `It arrived`, `It did not arrive` and `Drop it`."""

    async def cog_load(self) -> None:
        desk = self.bot.tree.get_command("desk")
        assert isinstance(desk, app_commands.Group)
        desk.add_command(
            app_commands.Command(
                name="reconcile",
                description="Messages that nobody knows to have arrived",
                callback=self.reconcile,
            )
        )

    async def reconcile(self, interaction: discord.Interaction) -> None:
        """What is in doubt in this server."""
        await answer(interaction, lambda: self._page(interaction, 0))

    async def _page(self, interaction: discord.Interaction, at: int) -> Message:
        guild_id, actor = guild_of(interaction), actor_of(interaction)
        first = await self.services.reconciling.waiting(guild_id, actor)
        others = await self.services.doubts.waiting(guild_id, actor)
        found: list[Doubt | PartDoubt] = [_doubt(one) for one in first]
        found += [_part_doubt(one) for one in others]
        found.sort(key=lambda doubt: doubt.since)
        return doubts_page(locale_of(interaction), found, at=at)

    def buttons(self) -> dict[str, Handler]:
        doubts = self.services.doubts
        return {
            "arrived": self._pressed(self._arrived, "arrived"),
            "absent": self._pressed(self._absent, "absent"),
            "drop": self._pressed(self._drop, "dropped"),
            "part_arrived": self._pressed_of_part(doubts.arrived, "arrived"),
            "part_absent": self._pressed_of_part(doubts.absent, "absent"),
            "part_drop": self._pressed_of_part(doubts.drop, "dropped"),
            "doubts": self._next,
        }

    async def _next(self, interaction: discord.Interaction, argument: str) -> None:
        async def work() -> Message:
            return await self._page(interaction, pressed_id(argument))

        await answer(interaction, work, update=True)

    def _pressed_of_part(self, decide: DecidePart, decision: str) -> Handler:
        async def handler(interaction: discord.Interaction, argument: str) -> None:
            async def work() -> Message:
                part, _, revision = argument.partition(":")
                await decide(
                    guild_of(interaction),
                    pressed_id(part),
                    pressed_id(revision),
                    actor_of(interaction),
                    self.now,
                )
                return decided_part(locale_of(interaction), decision)

            await answer(interaction, work)

        return handler

    def _pressed(self, decide: Decide, decision: str) -> Handler:
        async def handler(interaction: discord.Interaction, argument: str) -> None:
            async def work() -> Message:
                request = await decide(interaction, pressed_id(argument))
                return decided(locale_of(interaction), decision, request)

            await answer(interaction, work)

        return handler

    async def _arrived(self, interaction: discord.Interaction, request_id: int) -> Request:
        return await self.services.reconciling.arrived(
            guild_of(interaction), request_id, actor_of(interaction), self.now
        )

    async def _absent(self, interaction: discord.Interaction, request_id: int) -> Request:
        return await self.services.reconciling.absent(
            guild_of(interaction), request_id, actor_of(interaction), self.now
        )

    async def _drop(self, interaction: discord.Interaction, request_id: int) -> Request:
        # The reason is kept and shown at the desk, so it is in the desk's language.
        reason = say(str(interaction.guild_locale or interaction.locale), "drop.reason")
        return await self.services.reconciling.drop(
            guild_of(interaction), request_id, actor_of(interaction), reason, self.now
        )


def _doubt(found: Uncertain) -> Doubt:
    return Doubt(
        request=found.request,
        problem=found.problem,
        since=found.since,
        needs_person=found.needs_person,
    )


def _part_doubt(found: Doubtful) -> PartDoubt:
    return PartDoubt(
        part_id=found.part.id,
        revision=found.part.revision,
        what=found.what,
        channel_id=found.part.destination,
        reference=found.reference,
        problem=found.part.problem,
        since=found.since,
    )


async def setup(bot: Host) -> None:
    """Load this room, after `cogs.desk`, whose group its command joins."""
    await bot.add_cog(DeskDoubts(bot))
