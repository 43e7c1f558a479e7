"""Sending the outbox: the first pending part of each destination."""

import logging

from bot.clock import Clock
from bot.delivery.changes import Changes, is_change
from bot.delivery.flights import Flights
from bot.delivery.messenger import Messenger, Unreadable
from bot.delivery.parts import Parts
from bot.delivery.sender import Attempt, Sender
from bot.delivery.spool import Spool
from bot.services import attachments
from domain.files import FileState
from storage import channels, outbox, outbox_changes
from storage.database import Connection, Database
from storage.outbox import Part
from storage.runtime import LeaseLost, LeaseRanOut

log = logging.getLogger(__name__)

_BATCH = 100


class SendParts:
    """One lane a destination: in order, one in flight; one in doubt holds the rest back."""

    name = "send_parts"

    def __init__(
        self,
        database: Database,
        messenger: Messenger,
        clock: Clock,
        flights: Flights,
        sender: Sender,
        parts: Parts,
        spool: Spool,
    ) -> None:
        self._database = database
        self._messenger = messenger
        self._clock = clock
        self._flights = flights
        self._sender = sender
        self._parts = parts
        self._spool = spool
        self._changes = Changes(database, messenger, clock, parts)

    async def run(self, now: int) -> int | None:
        """Start a step for each destination that is due at `now`; answer when the next one is."""
        due, following = await self._database.read(
            lambda connection: (
                outbox.due(connection, now, limit=_BATCH),
                outbox.next_due(connection, now),
            )
        )
        for part in due:

            async def step(part: Part = part) -> None:
                await self._step(part)

            self._flights.start(("channel", part.destination), step)
        return following

    def begin(self, connection: Connection, event: str, now: int) -> Attempt | None:
        """In the transaction that has planned an event's parts: begin with the first at once.

        None where anything is before it or missing: then the worker sends it in its turn.
        """
        part = next(iter(outbox.of_event(connection, event)), None)
        if part is None or not self._flights.is_free(("channel", part.destination)):
            return None
        if channels.fence(connection, part.destination) is None:
            return None
        if not outbox.is_head(connection, part):
            return None
        try:
            return self._parts.begin(connection, part.delivery_key, now)
        except (LeaseLost, LeaseRanOut):
            return None

    def start(self, attempt: Attempt) -> None:
        """Make the call of an attempt that `begin` has put on disk."""

        async def carry_out() -> None:
            await self._sender.carry_out(self._parts, attempt)

        self._flights.follow(("channel", attempt.channel_id), carry_out)

    async def _step(self, part: Part) -> None:
        # As it is now: its channel's earlier flight may have ended since it was found due.
        fresh, change = await self._database.read(
            lambda connection: (
                outbox.find(connection, part.delivery_key),
                outbox_changes.change_of(connection, part.id),
            )
        )
        if fresh is None or fresh.state != "pending" or fresh.in_flight:
            return None
        if is_change(fresh):
            return await self._changes.make(fresh)
        if fresh.person_at is not None:
            return None
        if fresh.uncertain:
            doubt = self._parts.doubt(fresh, change)
            if doubt is not None:
                await self._sender.reconcile(self._parts, doubt)
        elif await self._has_its_files(fresh) and await self._know_fence(fresh):
            await self._sender.deliver(self._parts, fresh.delivery_key)
        return None

    async def _has_its_files(self, part: Part) -> bool:
        """Whether what goes with the part is in the spool; what is not, the part names from now on.

        So it is due at once, with other words.
        """
        gone = [
            file.ordinal
            for file in self._parts.files(part)
            if not self._spool.has(file.sha256, file.size)
        ]
        if not gone:
            return True
        log.error("spooled_file_gone", extra={"part": part.id, "event_id": part.event})
        now = self._clock.now()

        def name(connection: Connection) -> None:
            latest = outbox.find(connection, part.delivery_key)
            if latest is not None and latest.revision == part.revision:
                attachments.name_instead(connection, latest, gone, FileState.GONE, now)

        await self._database.write(name)
        return False

    async def _know_fence(self, part: Part) -> bool:
        """Make sure of the fence before a send: never looked, or a person has decided there."""
        channel_id = part.destination
        if await self._database.read(
            lambda connection: channels.fence_is_sure(connection, channel_id)
        ):
            return True
        newest = await self._messenger.newest(channel_id)
        now = self._clock.now()

        def keep(connection: Connection) -> bool:
            if isinstance(newest, Unreadable):
                self._parts.unreached(connection, part.delivery_key, newest.outcome, now)
                return False
            channels.advance_fence(connection, channel_id, newest)
            channels.trust_fence(connection, channel_id)
            return True

        return await self._database.write(keep)
