"""What the gateway tells of people's messages, put into the inbox; what can be worked at once is.

A channel's events are written down one after the other, in the order in which they came. So when
one can't be, nothing that came after it has moved the channel's cursor yet, and reading on from the
cursor finds it.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field

from bot.services import relaying
from domain.written import Written
from storage import inbox, rooms
from storage.database import Connection, Database
from storage.errors import StorageError
from storage.inbox import Event

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Lane:
    """A channel's turn, and how many events have or await it."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    events: int = 0


@dataclass(slots=True)
class Intake:
    """Where messages, edits and deletions go. `wake` tells the worker that there is work.

    `unheard` is called with a message that could not be written down: its author is to know.
    """

    database: Database
    wake: Callable[[], None]
    unheard: Callable[[Written], None] = lambda _: None
    _gap: bool = True
    _lanes: dict[int, _Lane] = field(default_factory=dict)

    def gap(self) -> None:
        """From now on something may be written that nobody tells us of: a reconnect.

        Synchronous, so that it is known before the next event: that one's transaction marks every
        channel as one to be read on from its cursor.
        """
        self._gap = True
        self.wake()

    async def close_gap(self, now: int) -> None:
        """Mark the channels if a gap is known that no event has marked yet."""
        if self._gap:
            await self._write(lambda _: None, now)

    async def wrote(self, written: Written, now: int) -> bool:
        """A person wrote a message; False where nobody listens in its channel."""

        def take(connection: Connection) -> None:
            event = relaying.take(connection, written, now)
            if event is not None:
                _work_at_once(connection, event, now)

        def listens(connection: Connection) -> bool:
            return rooms.inbound(connection, written.channel_id) is not None

        try:
            return await self._in_turn(written.channel_id, listens, take, now)
        except StorageError as error:
            log.warning("message_unheard", extra={"problem": str(error)})
            self.unheard(written)
            return True

    async def edited(self, written: Written, now: int) -> None:
        """A person edited a message."""

        def take(connection: Connection) -> None:
            event = relaying.take_edit(connection, written, now)
            if event is not None:
                _work_at_once(connection, event, now)

        await self._changed(written.channel_id, written.message_id, take, now)

    async def deleted(self, channel_id: int, message_ids: list[int], now: int) -> None:
        """Messages are gone, whoever wrote them."""
        for message_id in sorted(message_ids):

            def take(connection: Connection, message_id: int = message_id) -> None:
                event = relaying.take_deletion(connection, channel_id, message_id, now)
                if event is not None:
                    _work_at_once(connection, event, now)

            await self._changed(channel_id, message_id, take, now)

    async def _changed(
        self, channel_id: int, message_id: int, take: Callable[[Connection], None], now: int
    ) -> None:
        def knows(connection: Connection) -> bool:
            return relaying.is_known(connection, message_id)

        try:
            await self._in_turn(channel_id, knows, take, now)
        except StorageError as error:
            log.warning("change_unheard", extra={"problem": str(error)})

    async def _in_turn(
        self,
        channel_id: int,
        concerns: Callable[[Connection], bool],
        take: Callable[[Connection], None],
        now: int,
    ) -> bool:
        """`take` in one transaction, where the event `concerns` us; both behind what came before.

        A deletion may come while its message is being written down: it must not look too early.
        """
        lane = self._lanes.setdefault(channel_id, _Lane())
        lane.events += 1
        try:
            async with lane.lock:
                if not await self.database.read(concerns):
                    return False
                await self._write(take, now)
        except StorageError:
            self._gap = True
            raise
        finally:
            lane.events -= 1
            if not lane.events:
                del self._lanes[channel_id]
        self.wake()
        return True

    async def _write(self, act: Callable[[Connection], None], now: int) -> None:
        """In one transaction with the mark of a gap that is not on disk yet."""
        gap, self._gap = self._gap, False

        def write(connection: Connection) -> None:
            if gap:
                rooms.fall_behind(connection, now)
            act(connection)

        try:
            await self.database.write(write)
        except BaseException:
            self._gap = self._gap or gap
            raise


def _work_at_once(connection: Connection, event: Event, now: int) -> None:
    """Work the event in the transaction that takes it, where nothing is before it or missing."""
    listening = rooms.inbound(connection, event.channel_id)
    if listening is not None and listening.behind and not listening.blind:
        return
    head = inbox.first(connection, event.channel_id)
    if head is not None and head.id == event.id:
        relaying.work(connection, event, now)
