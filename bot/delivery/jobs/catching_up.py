"""Catching up: where something may have been written unheard, channels are read from their cursor.

One page a step, so that a room with much to read keeps no other waiting. At a channel's end its
newest messages are compared with what was carried: edits and deletions made in the gap follow too.
"""

from bot.clock import Clock
from bot.delivery.flights import Flights
from bot.delivery.messenger import Messenger, Page, Unreadable
from bot.delivery.sender import Rules
from bot.services import listening, relaying
from bot.services.intake import Intake
from domain.delivery import Parked, Rejected
from storage import desks, inbox, relayed, rooms
from storage.database import Connection, Database
from storage.rooms import Inbound

_BATCH = 100
_PARKED_MS = 300_000


class CatchUp:
    """Each channel in a lane of its own."""

    name = "catch_up"

    def __init__(
        self,
        database: Database,
        messenger: Messenger,
        clock: Clock,
        flights: Flights,
        rules: Rules,
        intake: Intake,
    ) -> None:
        self._database = database
        self._messenger = messenger
        self._clock = clock
        self._flights = flights
        self._rules = rules
        self._intake = intake

    async def run(self, now: int) -> int | None:
        """Start reading each channel that is behind; answer when the next one is due."""
        await self._intake.close_gap(now)
        behind, following = await self._database.read(
            lambda connection: (
                rooms.behind(connection, now, limit=_BATCH),
                rooms.next_behind(connection, now),
            )
        )
        for inbound in behind:

            async def step(inbound: Inbound = inbound) -> None:
                await self._read(inbound.channel_id)

            self._flights.start(("catch_up", inbound.channel_id), step)
        return following

    async def _read(self, channel_id: int) -> None:
        inbound = await self._database.read(
            lambda connection: rooms.inbound(connection, channel_id)
        )
        if inbound is None or not inbound.behind:
            return None
        page = await self._messenger.read_on(channel_id, after=inbound.cursor)
        if isinstance(page, Unreadable):
            return await self._later(inbound, page)
        if not page.is_last:
            await self._database.write(lambda connection: self._keep(connection, inbound, page))
            return None
        asked_at = self._clock.now()
        newest = await self._messenger.read_back(channel_id)
        if isinstance(newest, Unreadable):
            return await self._later(inbound, newest)
        return await self._database.write(
            lambda connection: self._end(connection, inbound, page, newest, asked_at)
        )

    def _keep(self, connection: Connection, inbound: Inbound, page: Page) -> None:
        now = self._clock.now()
        for written in page.written:
            relaying.take(connection, written, now)
        if page.newest_id is not None:
            rooms.read_to(connection, inbound.channel_id, page.newest_id, now)

    def _end(
        self, connection: Connection, inbound: Inbound, page: Page, newest: Page, asked_at: int
    ) -> None:
        self._keep(connection, inbound, page)
        self._compare(connection, inbound, newest, asked_at)
        rooms.caught_up(connection, inbound)

    def _compare(
        self, connection: Connection, inbound: Inbound, newest: Page, asked_at: int
    ) -> None:
        """What came in before `asked_at`, carried or not, as it stands now.

        Edits and deletions of what is older than the newest messages are out of reach.
        """
        now = self._clock.now()
        for written in newest.written:
            relaying.take_edit(connection, written, now)
        if newest.oldest_id is None:
            return  # something of ours is always there: an empty channel proves nothing
        since = 0 if newest.is_last else newest.oldest_id
        known = relayed.messages_in(connection, inbound.channel_id, since=since)
        waiting = inbox.messages_in(connection, inbound.channel_id, since=since, before=asked_at)
        for message_id in (*known, *waiting):
            if message_id not in newest.ids:
                relaying.take_deletion(connection, inbound.channel_id, message_id, now)

    async def _later(self, inbound: Inbound, page: Unreadable) -> None:
        """It can't be read now. Where that may last, what comes in goes on without it."""
        now = self._clock.now()
        lasting = isinstance(page.outcome, Parked | Rejected)
        wait = _PARKED_MS if lasting else self._rules.wait(inbound.tries + 1)

        def later(connection: Connection) -> None:
            gone = page.problem == "unknown_channel"
            if gone and listening.thread_lost(
                connection, inbound.guild_id, inbound.channel_id, now
            ):
                return
            rooms.read_later(
                connection, inbound.channel_id, page.problem, now + wait, blind=lasting
            )
            if lasting:
                desks.note_problem(connection, inbound.guild_id, page.problem)

        await self._database.write(later)
