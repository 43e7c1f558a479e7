"""One sender for both records: attempt on disk, one call, outcome on disk; doubts reconciled.

A `Book` is a record of sends: the delivery ledger for first messages, the outbox for the rest. Its
functions run inside a transaction. The sender holds the order of steps that makes a crash at any
line harmless:

1. `begin` puts the attempt on disk, in the transaction that re-reads what is to be sent and that
   this process may still deliver.
2. One call. Its answer, or the gateway's echo of the message, whichever comes first.
3. `settle` puts the outcome on disk. Until then the attempt stands there as in doubt.
"""

import asyncio
import logging
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from bot.clock import Clock
from bot.delivery.lease import Lease
from bot.delivery.messenger import History, Messenger, Unreadable
from bot.words.values import Message
from domain.delivery import (
    Done,
    Fatal,
    Outcome,
    Rejected,
    Repeat,
    Timing,
    Unknown,
    absent_from,
    backoff_ms,
    next_step,
    outlived_nonce,
)
from storage.database import Connection, Database
from storage.errors import StorageError

log = logging.getLogger(__name__)


class ApplicationRefused(Exception):
    """Discord refuses the application itself: nothing can be sent until its owner mends it."""


class Stranded(Exception):
    """A call has ended, and that can't be put on disk: the next process takes it over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How sends are timed, in milliseconds."""

    timing: Timing
    backoff_ms: int
    backoff_cap_ms: int

    def wait(self, tries: int, asked_ms: int | None = None) -> int:
        """How long to wait after `tries` tries; Discord's own wish where it gave one."""
        own = backoff_ms(
            tries,
            base_ms=self.backoff_ms,
            cap_ms=self.backoff_cap_ms,
            jitter=random.random(),  # noqa: S311 - jitter, not a secret
        )
        return own if asked_ms is None else max(asked_ms, own)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A call that is on disk. `doubtful`: an earlier call with this key may have had an effect."""

    key: str
    channel_id: int
    message: Message
    first_try_at: int
    tries: int
    doubtful: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """A send whose outcome is unknown and whose last call has ended at `last_end_at`.

    `marks` are the custom ids by which history shows the message; empty: by elimination.
    `wanted` is False when nobody waits for it any more: it is not repeated, only looked for.
    """

    key: str
    channel_id: int
    fence: int
    first_try_at: int
    last_end_at: int
    unreadable: int
    marks: frozenset[str]
    wanted: bool = True


class Book(Protocol):
    """A record of sends. Every function runs inside a transaction."""

    def begin(self, connection: Connection, key: str, now: int) -> Attempt | None:
        """Put an attempt on disk; None when there is nothing to send any more."""

    def settle(self, connection: Connection, attempt: Attempt, outcome: Outcome, now: int) -> None:
        """Put the outcome of an attempt on disk."""

    def let_go(self, connection: Connection, key: str, problem: str, now: int) -> None:
        """The call has ended, and its outcome can't be put on disk: it is in doubt, and due."""

    def arrived(self, connection: Connection, key: str, message_id: int | None, now: int) -> None:
        """A message with this key exists."""

    def absent(self, connection: Connection, key: str, now: int) -> None:
        """It is proved that no message with this key exists."""

    def look_again(
        self, connection: Connection, key: str, at: int, problem: str | None, now: int
    ) -> None:
        """Reconcile again at `at`; `problem` says why the history could not be read."""

    def is_named(self, connection: Connection, message_id: int) -> bool:
        """Whether a receipt already names the message."""


class Sender:
    """Sends and reconciles, for any `Book`."""

    def __init__(
        self, database: Database, messenger: Messenger, clock: Clock, lease: Lease, rules: Rules
    ) -> None:
        self._database = database
        self._messenger = messenger
        self._clock = clock
        self._lease = lease
        self._rules = rules
        self._echoes: dict[str, asyncio.Future[int]] = {}

    async def deliver(self, book: Book, key: str) -> None:
        """Make one attempt under `key`, and write down how it ended.

        Raises `LeaseLost` or `LeaseRanOut`, with nothing sent, when this process may not deliver,
        `ApplicationRefused` when no process can, and `Stranded` when this one must end.
        """
        now = self._clock.now()
        attempt = await self._database.write(lambda connection: book.begin(connection, key, now))
        if attempt is not None:
            await self.carry_out(book, attempt)

    async def carry_out(self, book: Book, attempt: Attempt) -> None:
        """Make the call of an attempt that is on disk; see `deliver`."""
        outcome = await self._call(attempt)
        if isinstance(outcome, Done) and attempt.doubtful:
            timing = self._rules.timing
            if outlived_nonce(attempt.first_try_at, self._clock.now(), timing):
                # It names a message, but an earlier one may be there too: history decides.
                outcome = Unknown(problem="answered_after_nonce")
        log.info(
            "sent" if isinstance(outcome, Done) else "not_sent", extra=_facts(attempt, outcome)
        )

        def settle(connection: Connection) -> None:
            now = self._clock.now()
            book.settle(connection, attempt, outcome, now)
            if attempt.doubtful and _is_gone(outcome):
                book.absent(connection, attempt.key, now)

        await self._write_down(book, attempt.key, settle)
        if isinstance(outcome, Fatal):
            raise ApplicationRefused(outcome.problem)

    async def _call(self, attempt: Attempt) -> Outcome:
        timing = self._rules.timing
        not_after = self._lease.until
        if attempt.doubtful:
            window = timing.nonce_window_ms - timing.nonce_spare_ms
            not_after = min(not_after, attempt.first_try_at + window)
        echo = asyncio.get_running_loop().create_future()
        self._echoes[attempt.key] = echo
        call = asyncio.create_task(
            self._messenger.send(
                attempt.channel_id, attempt.message, key=attempt.key, not_after=not_after
            )
        )
        try:
            await asyncio.wait({call, echo}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            del self._echoes[attempt.key]
        if call.done():
            try:
                return call.result()
            except Exception as error:
                # A fault of ours: the attempt must not stay on disk as one that is under way.
                log.exception("call_failed", extra={"key": attempt.key})
                return Unknown(problem=type(error).__name__)
        # The echo came first. The call goes on by itself; what it returns is the same message.
        call.add_done_callback(_retrieved)
        return Done(message_id=echo.result())

    def echoed(self, key: str, message_id: int) -> None:
        """The gateway shows our message: a receipt for the call that is under way."""
        echo = self._echoes.get(key)
        if echo is not None and not echo.done():
            echo.set_result(message_id)

    async def _write_down(self, book: Book, key: str, settle: Callable[[Connection], None]) -> None:
        """Put an outcome on disk. By a fault of ours it may not fit: then it is in doubt again.

        An attempt that stays in flight would hold its channel for as long as this process lives.
        """
        try:
            await self._insist(settle)
        except StorageError:
            raise
        except Exception as error:
            log.exception("outcome_does_not_fit", extra={"key": key})
            problem = type(error).__name__
            try:
                await self._insist(
                    lambda connection: book.let_go(connection, key, problem, self._clock.now())
                )
            except StorageError:
                raise
            except Exception as again:
                raise Stranded(f"the outcome of {key} can't be put on disk") from again

    async def _insist(self, act: Callable[[Connection], None]) -> None:
        """Write, however long the disk refuses: what is known must not be forgotten."""
        tries = 0
        while True:
            try:
                await self._database.write(act)
            except StorageError as error:
                tries += 1
                log.warning("outcome_not_written", extra={"problem": str(error), "tries": tries})
                if self._database.failed.is_set():
                    raise
                await asyncio.sleep(self._rules.wait(tries) / 1000)
            else:
                return

    async def reconcile(self, book: Book, doubt: Doubt) -> None:
        """Take one step towards knowing: repeat under the nonce, or read the history."""
        now = self._clock.now()
        step = next_step(doubt.first_try_at, now, self._rules.timing)
        if isinstance(step, Repeat) and doubt.wanted:
            await self.deliver(book, doubt.key)
            return
        history = await self._messenger.history(doubt.channel_id, after=doubt.fence)
        # `now` was taken before the read: a message that came later can't be called absent.
        await self._database.write(
            lambda connection: self._conclude(connection, book, doubt, history, now)
        )

    def _conclude(
        self,
        connection: Connection,
        book: Book,
        doubt: Doubt,
        history: History | Unreadable,
        asked_at: int,
    ) -> None:
        self._lease.require(connection, self._clock.now())
        now = self._clock.now()
        if isinstance(history, Unreadable):
            if _is_gone(history.outcome):
                return book.absent(connection, doubt.key, now)
            at = now + self._rules.wait(doubt.unreadable + 1)
            return book.look_again(connection, doubt.key, at, history.problem, now)
        found = [
            seen.message_id
            for seen in history.messages
            if (doubt.marks <= seen.custom_ids if doubt.marks else not seen.custom_ids)
            and not book.is_named(connection, seen.message_id)
        ]
        if found:
            # The first is the message; what bears the same marks is a second one of it. Without
            # marks a later message may be somebody else's, and is left alone.
            for message_id in found if doubt.marks else found[:1]:
                book.arrived(connection, doubt.key, message_id, now)
            return None
        settled_at = absent_from(doubt.last_end_at, self._rules.timing)
        if asked_at >= settled_at:
            return book.absent(connection, doubt.key, now)
        return book.look_again(connection, doubt.key, settled_at, None, now)


def _is_gone(outcome: Outcome) -> bool:
    """Whether the channel is gone, and with it whatever an earlier call may have posted there."""
    return isinstance(outcome, Rejected) and outcome.problem == "unknown_channel"


def _facts(attempt: Attempt, outcome: Outcome) -> dict[str, object]:
    return {
        "key": attempt.key,
        "channel": attempt.channel_id,
        "outcome": type(outcome).__name__,
        "problem": getattr(outcome, "problem", None),
    }


def _retrieved(task: asyncio.Task[Outcome]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("call_failed_after_echo", exc_info=error)
