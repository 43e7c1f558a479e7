"""Catching up: where something may have been written unheard, channels are read from their cursor.

One call is enough where the newest hundred messages reach back to the cursor; they are compared
with what was carried, so that edits and deletions made in the gap follow too. Where more was
written it is read a page a step, so that a channel with much to read keeps no other waiting.
"""

from bot.clock import Clock
from bot.delivery.flights import Flights
from bot.delivery.messenger import Messenger, Page, Unreadable
from bot.delivery.sender import Rules
from bot.services import listening, taking
from bot.services.intake import Intake
from domain.delivery import Parked, Rejected
from storage import desks, inbox, relayed, rooms
from storage.database import Connection, Database
from storage.rooms import Inbound

_BATCH = 100
_PARKED_MS = 300_000
_PATIENCE_MS = 10_000


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
        self._waits_since: int | None = None

    async def run(self, now: int) -> int | None:
        """Start reading each channel that is behind; answer when the next one is due.

        Without the gateway it waits for it for a while: what is read before it is there has to be
        read once more.
        """
        if not self._intake.awaits_session:
            self._waits_since = None
        else:
            self._waits_since = self._waits_since or now
            if now < self._waits_since + _PATIENCE_MS:
                return self._waits_since + _PATIENCE_MS
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
        asked_at = self._clock.now()
        newest = await self._messenger.read_back(channel_id)
        if isinstance(newest, Unreadable):
            return await self._later(inbound, newest)
        if _reaches(newest, inbound.cursor):
            return await self._database.write(
                lambda connection: self._end(connection, inbound, newest, asked_at)
            )
        page = await self._messenger.read_on(channel_id, after=inbound.cursor)
        if isinstance(page, Unreadable):
            return await self._later(inbound, page)
        return await self._database.write(
            lambda connection: self._keep(connection, inbound, page, asked_at)
        )

    def _keep(self, connection: Connection, inbound: Inbound, page: Page, asked_at: int) -> None:
        now = self._clock.now()
        for written in page.written:
            if written.message_id > inbound.cursor:
                taking.take(connection, written, asked_at)
        if page.newest_id is not None:
            rooms.read_to(connection, inbound.channel_id, page.newest_id, now)
        else:
            rooms.caught_up(connection, inbound)  # it is empty, which was made sure of

    def _end(self, connection: Connection, inbound: Inbound, newest: Page, asked_at: int) -> None:
        self._keep(connection, inbound, newest, asked_at)
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
            taking.take_edit(connection, written, now)
        since = 0 if newest.is_last else newest.oldest_id or 0
        known = relayed.messages_in(connection, inbound.channel_id, since=since, before=asked_at)
        waiting = inbox.messages_in(connection, inbound.channel_id, since=since, before=asked_at)
        for message_id in (*known, *waiting):
            if message_id not in newest.ids:
                taking.take_deletion(connection, inbound.channel_id, message_id, now)

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
            if lasting and inbound.closing:  # nobody waits for what is there any more
                rooms.forget(connection, inbound.channel_id)
                return
            rooms.read_later(
                connection, inbound.channel_id, page.problem, now + wait, blind=lasting
            )
            if lasting:
                desks.note_problem(connection, inbound.guild_id, page.problem)

        await self._database.write(later)


def _reaches(newest: Page, cursor: int) -> bool:
    """Whether the newest messages are all behind the cursor. An empty page says nothing."""
    return newest.oldest_id is not None and (newest.is_last or newest.oldest_id <= cursor)
