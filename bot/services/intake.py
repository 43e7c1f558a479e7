"""What the gateway tells of people's messages, put into the inbox; what can be worked at once is.

A channel's events are written down one after the other, in the order in which they came. So when
one can't be, nothing that came after it has moved the channel's cursor yet, and reading on from the
cursor finds it.
"""

import asyncio
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from bot.services import relaying, taking
from domain.written import Written
from storage import files, inbox, rooms
from storage.database import Connection, Database
from storage.errors import StorageError
from storage.inbox import Event

log = logging.getLogger(__name__)

_STRANGE = object()
_MOST_KNOWN = 10_000


class Sending(Protocol):
    """Begins with what the intake has just planned, without a round through the worker."""

    def begin(self, connection: Connection, event: str, now: int) -> Any:
        """Put the first attempt for an outbox event on disk; None: it is sent in its turn."""

    def start(self, begun: Any) -> None:
        """Make the call of what `begin` has put on disk."""


@dataclass(slots=True)
class _Lane:
    """A channel's turn, and how many events have or await it."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    events: int = 0


@dataclass(slots=True)
class Intake:
    """Where messages, edits and deletions go. `wake` tells the worker that there is work.

    `unheard` is called with a message that could not be written down in a channel that is listened
    to: its author is to know. `most_a_minute` is how many messages of one member are carried in a
    minute; None: however many.
    """

    database: Database
    wake: Callable[[], None]
    most_a_minute: int | None = None
    unheard: Callable[[Written], None] = lambda _: None
    sending: Sending | None = None
    awaits_session: bool = True
    _gap: bool = True
    _known: set[int] = field(default_factory=set)
    _lanes: dict[int, _Lane] = field(default_factory=dict)

    def gap(self) -> None:
        """A session goes on: what was written until now may have been told to nobody.

        Synchronous, so that it is known before the next event: that one's transaction marks every
        channel as one to be read on from its cursor.
        """
        self.awaits_session = False
        self._gap = True
        self.wake()

    def cut(self) -> None:
        """The gateway is gone, or a new session has just begun and is not ready yet.

        Until `gap` says that it is, what is read may have to be read once more.
        """
        self.awaits_session = True
        self._gap = True
        self.wake()

    async def close_gap(self, now: int) -> None:
        """Mark the channels if a gap is known that no event has marked yet."""
        if self._gap:
            await self._write(lambda _: None, now)

    async def wrote(self, written: Written, now: int) -> bool:
        """A person wrote a message; False where nobody listens in its channel."""
        concerned = threading.Event()
        if written.channel_id in self._known:
            concerned.set()

        def take(connection: Connection) -> Any:
            if not listens(connection):
                return _STRANGE
            event = taking.take(connection, written, now)
            if event is None or not self._work_at_once(connection, event, now):
                return None
            return None if self.sending is None else self.sending.begin(connection, event.id, now)

        def listens(connection: Connection) -> bool:
            if rooms.inbound(connection, written.channel_id) is None:
                return False
            concerned.set()
            return True

        def keep(connection: Connection) -> None:
            taking.take(connection, written, now)

        try:
            taken = await self._in_turn(written.channel_id, listens, take, keep, now)
        except StorageError as error:
            log.warning("message_unheard", extra={"problem": str(error)})
            if concerned.is_set():
                self.unheard(written)
            return True
        if taken and len(self._known) < _MOST_KNOWN:
            self._known.add(written.channel_id)
        return taken

    async def edited(self, written: Written, now: int) -> None:
        """A person edited a message."""

        def take(connection: Connection) -> Event | None:
            return taking.take_edit(connection, written, now)

        await self._changed(written.channel_id, written.message_id, take, now)

    async def deleted(self, channel_id: int, message_ids: list[int], now: int) -> None:
        """Messages are gone, whoever wrote them."""
        for message_id in sorted(message_ids):

            def take(connection: Connection, message_id: int = message_id) -> Event | None:
                return taking.take_deletion(connection, channel_id, message_id, now)

            await self._changed(channel_id, message_id, take, now)

    async def _changed(
        self,
        channel_id: int,
        message_id: int,
        keep: Callable[[Connection], Event | None],
        now: int,
    ) -> None:
        def knows(connection: Connection) -> bool:
            return taking.concerns(connection, channel_id, message_id)

        def take(connection: Connection) -> None:
            event = keep(connection)
            if event is not None:
                self._work_at_once(connection, event, now)

        try:
            await self._in_turn(channel_id, knows, take, keep, now)
        except StorageError as error:
            log.warning("change_unheard", extra={"problem": str(error)})

    async def _in_turn(
        self,
        channel_id: int,
        concerns: Callable[[Connection], bool],
        take: Callable[[Connection], Any],
        keep: Callable[[Connection], Any],
        now: int,
    ) -> bool:
        """`take` in one transaction, where the event `concerns` us; both behind what came before.

        A deletion may come while its message is being written down: it must not look too early.
        Where working the event fails by our own fault it is kept all the same, by `keep` alone.
        """
        lane = self._lanes.setdefault(channel_id, _Lane())
        lane.events += 1
        try:
            async with lane.lock:
                # A channel that was found to be listened to costs no look the next time.
                if channel_id not in self._known and not await self.database.read(concerns):
                    return False
                begun = await self._take(take, keep, now)
        except StorageError:
            self._gap = True
            raise
        finally:
            lane.events -= 1
            if not lane.events:
                del self._lanes[channel_id]
        if begun is _STRANGE:
            self._known.discard(channel_id)
            return False
        if begun is None or self.sending is None:
            self.wake()
        else:
            self.sending.start(begun)  # its end wakes the worker
        return True

    async def _take(
        self, take: Callable[[Connection], Any], keep: Callable[[Connection], Any], now: int
    ) -> Any:
        try:
            return await self._write(take, now)
        except StorageError:
            raise
        except Exception:
            log.exception("event_not_worked")
            await self._write(keep, now)
            return None

    async def _write(self, act: Callable[[Connection], Any], now: int) -> Any:
        """In one transaction with the mark of a gap that is not on disk yet."""
        gap, self._gap = self._gap, False

        def write(connection: Connection) -> Any:
            if gap:
                rooms.fall_behind(connection, now)
            return act(connection)

        try:
            return await self.database.write(write)
        except BaseException:
            self._gap = self._gap or gap
            raise

    def _work_at_once(self, connection: Connection, event: Event, now: int) -> bool:
        """Work the event in the transaction that takes it, where nothing is before it or missing.

        True where it was tried.
        """
        listening = rooms.inbound(connection, event.channel_id)
        if listening is not None and listening.behind and not listening.blind:
            return False
        head = inbox.first(connection, event.channel_id, event.conversation_id)
        if head is None or head.id != event.id or files.is_waiting(connection, head.position):
            return False
        relaying.work(connection, event, now, most=self.most_a_minute)
        return True
