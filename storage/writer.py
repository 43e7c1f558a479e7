"""Group commit: writes that wait together are committed together."""

import asyncio
import sqlite3
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from storage.connection import ConnectionThread, LedgerConnection
from storage.errors import DatabaseClosed, StorageError, translate
from storage.transaction import Done, Outcome, write_together

T = TypeVar("T")

BATCH = 128
"""Most transactions in one commit. More gain nothing, and wait longer."""

WAITING = 1_024
"""Most writes under way at a time. Who comes later waits in line, and is served in order."""


@dataclass(frozen=True, slots=True)
class _Write:
    function: Callable[[sqlite3.Connection], Any]
    answer: "asyncio.Future[Any]"


class Writer:
    """The one task that writes. There is no timer: a batch is what came during the last commit.

    However the task ends, nobody is left waiting: each unanswered write gets an exception, and so
    does each later one. If it ended unasked, `failed` is set, `failure` says why, and `on_failure`
    has been called.
    """

    def __init__(self, thread: ConnectionThread, *, on_failure: Callable[[], None]) -> None:
        self.failed = asyncio.Event()
        self.failure: StorageError | None = None
        self._thread = thread
        self._on_failure = on_failure
        self._queue: deque[_Write] = deque()
        self._batch: Sequence[_Write] = ()
        self._places = asyncio.Semaphore(WAITING)
        self._wake = asyncio.Event()
        self._callers = 0
        self._closing = False
        self._task = asyncio.create_task(self._run(), name="ledger writer")
        self._task.add_done_callback(self._ended)

    async def write(self, function: Callable[[sqlite3.Connection], T]) -> T:
        """Run the function as a transaction and return once it is committed."""
        if self._closing or self._task.done():
            raise self._refusal()
        self._callers += 1
        try:
            async with self._places:
                if self._task.done():
                    raise self._refusal()
                answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
                self._queue.append(_Write(function, answer))
                self._wake.set()
                # A caller that is cancelled here cancels the future, and so tells the batch.
                return await answer
        finally:
            self._callers -= 1
            if self._closing:
                self._wake.set()

    def close(self) -> None:
        """Take no more writes; the task ends when those that were asked for are answered."""
        self._closing = True
        self._wake.set()

    async def ended(self) -> None:
        """Wait for the task to end. Never raises what ended it."""
        await asyncio.wait([self._task])

    async def _run(self) -> None:
        while True:
            self._batch = self._take()
            if self._batch:
                await self._commit()
            elif self._closing and not self._callers:
                return
            else:
                self._wake.clear()
                await self._wake.wait()

    def _take(self) -> Sequence[_Write]:
        """What waits, up to a batch, without those whose callers have gone."""
        batch: list[_Write] = []
        while self._queue and len(batch) < BATCH:
            write = self._queue.popleft()
            if not write.answer.done():
                batch.append(write)
        return batch

    async def _commit(self) -> None:
        functions = [write.function for write in self._batch]

        def together(connection: LedgerConnection) -> list[Outcome]:
            return write_together(connection, functions)

        outcomes = await self._thread.run(together)
        for write, outcome in zip(self._batch, outcomes, strict=True):
            if write.answer.done():
                continue
            if isinstance(outcome, Done):
                write.answer.set_result(outcome.value)
            else:
                write.answer.set_exception(translate(outcome.error, self._thread.path))
        self._batch = ()

    def _ended(self, task: "asyncio.Task[None]") -> None:
        cause = asyncio.CancelledError() if task.cancelled() else task.exception()
        if cause is not None:
            self.failure = StorageError(
                f"The writer of {self._thread.path} ended: {cause!r}. Whether the writes that were"
                " under way are on disk is unknown."
            )
            self.failure.__cause__ = cause
            self.failed.set()
            self._on_failure()
        for write in (*self._batch, *self._queue):
            if not write.answer.done():
                write.answer.set_exception(self._refusal())
        self._queue.clear()

    def _refusal(self) -> StorageError:
        if self.failure is not None:
            return DatabaseClosed(str(self.failure))
        return DatabaseClosed(f"{self._thread.path} is closed.")
