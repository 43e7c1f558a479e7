"""Coordinators: the queue, and claims, by command and by button."""

from collections.abc import Awaitable, Callable

import discord
from discord import app_commands

from bot.services.access import Actor
from bot.words.desk import claimed, extended, queue_page, released
from bot.words.own import own_work
from bot.words.values import Message
from cogs.host import Handler, Host, Room
from cogs.ui.answering import answer, locale_of
from cogs.ui.reading import actor_of, guild_of, pressed_id
from cogs.ui.suggesting import suggest
from domain.requests import Claimed, Request, Route

Act = Callable[[int, int, Actor, int], Awaitable[Request]]
Worded = Callable[[str, Request], Message]

_WAITING = frozenset({"queued"})
_HELD = frozenset({"claimed", "active"})


class Desk(Room):
    """`/desk queue, mine, claim, release, extend`, and the request card's buttons."""

    desk = app_commands.Group(
        name="desk",
        description="The help desk",
        # On the root: on a subcommand contexts would be dropped without a word.
        allowed_contexts=app_commands.AppCommandContext(guild=True),
        allowed_installs=app_commands.AppInstallationType(guild=True),
    )

    @desk.command(name="queue", description="What waits, oldest first")
    async def queue(self, interaction: discord.Interaction) -> None:
        """The first page of what waits."""
        await answer(interaction, lambda: self._page(interaction, 0))

    @desk.command(name="mine", description="What you hold: claims and conversations")
    async def mine(self, interaction: discord.Interaction) -> None:
        """The person's own claims and conversations."""

        async def work() -> Message:
            owned = await self.services.overview.of_owner(
                guild_of(interaction), actor_of(interaction)
            )
            return own_work(locale_of(interaction), owned)

        await answer(interaction, work)

    @desk.command(name="claim", description="Take a request from the queue")
    @app_commands.describe(request="Its reference")
    async def claim(self, interaction: discord.Interaction, request: str) -> None:
        """The twin of `Claim`."""
        await self._by_reference(interaction, request, self._acts()["claim"])

    @desk.command(name="release", description="Give a claim back to the queue")
    @app_commands.describe(request="Its reference")
    async def release(self, interaction: discord.Interaction, request: str) -> None:
        """The twin of `Give back`."""
        await self._by_reference(interaction, request, self._acts()["release"])

    @desk.command(name="extend", description="Keep a claim for longer")
    @app_commands.describe(request="Its reference")
    async def extend(self, interaction: discord.Interaction, request: str) -> None:
        """The twin of `Extend`."""
        await self._by_reference(interaction, request, self._acts()["extend"])

    @claim.autocomplete("request")
    async def waiting(
        self, interaction: discord.Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        """What waits."""
        return await suggest(self, interaction, current, _WAITING)

    @release.autocomplete("request")
    @extend.autocomplete("request")
    async def held(
        self, interaction: discord.Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        """What the person holds."""
        return await suggest(self, interaction, current, _HELD)

    def buttons(self) -> dict[str, Handler]:
        handlers: dict[str, Handler] = {"queue": self._next_page}
        for prefix, act in self._acts().items():
            handlers[prefix] = self._pressed(act)
        return handlers

    def _acts(self) -> dict[str, tuple[Act, Worded]]:
        helpdesk = self.services.helpdesk

        async def in_thread(guild_id: int, request_id: int, actor: Actor, now: int) -> Request:
            return await helpdesk.claim(guild_id, request_id, actor, now, route=Route.THREAD)

        return {
            "claim": (helpdesk.claim, claimed),
            "thread": (in_thread, claimed),
            "release": (helpdesk.release, released),
            "extend": (helpdesk.extend, extended),
        }

    def _pressed(self, act: tuple[Act, Worded]) -> Handler:
        async def handler(interaction: discord.Interaction, argument: str) -> None:
            async def work() -> Message:
                return await self._do(interaction, pressed_id(argument), act)

            await answer(interaction, work)

        return handler

    async def _by_reference(
        self, interaction: discord.Interaction, reference: str, act: tuple[Act, Worded]
    ) -> None:
        async def work() -> Message:
            found = await self.services.helpdesk.find(
                guild_of(interaction), reference, actor_of(interaction)
            )
            return await self._do(interaction, found.id, act)

        await answer(interaction, work)

    async def _do(
        self, interaction: discord.Interaction, request_id: int, act: tuple[Act, Worded]
    ) -> Message:
        do, word = act
        request = await do(guild_of(interaction), request_id, actor_of(interaction), self.now)
        if isinstance(request.state, Claimed):
            self.bot.dispatch("request_claimed", request.id, interaction)
        return word(locale_of(interaction), request)

    async def _next_page(self, interaction: discord.Interaction, argument: str) -> None:
        async def work() -> Message:
            return await self._page(interaction, pressed_id(argument))

        await answer(interaction, work, update=True)

    async def _page(self, interaction: discord.Interaction, after_id: int) -> Message:
        page = await self.services.helpdesk.queue(
            guild_of(interaction), actor_of(interaction), after_id=after_id
        )
        return queue_page(
            locale_of(interaction),
            page.waiting,
            total=page.total,
            next_after=page.next_after,
            is_first=after_id == 0,
        )


async def setup(bot: Host) -> None:
    """Load this room."""
    await bot.add_cog(Desk(bot))
