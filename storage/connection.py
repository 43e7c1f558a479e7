"""One SQLite connection on a thread of its own, and whole functions run on that thread."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

import aiosqlite

from storage.errors import DatabaseClosed, translate

T = TypeVar("T")

Mode = Literal["rw", "ro"]

BUSY_TIMEOUT_MS = 5_000


def uri(path: Path, mode: Mode) -> str:
    """The address by which SQLite opens an existing file, to write or only to read."""
    return f"{path.absolute().as_uri()}?mode={mode}"


class LedgerConnection(sqlite3.Connection):
    """The connection that functions are given: to begin and end transactions is not theirs.

    COMMIT and ROLLBACK are refused however they are said, except by the methods below. Those don't
    go through the cache of prepared statements, so that no prepared COMMIT lies there for others.
    """

    _may_end: bool = False

    def executescript(
        self, script: "str | Callable[[LedgerConnection], None]", /
    ) -> sqlite3.Cursor:
        """Call `script` with this connection: the way in through aiosqlite's public interface.

        Real scripts are refused: the sqlite3 module would commit before their first statement.
        """
        if isinstance(script, str):
            raise TypeError("executescript() commits: run the statements one by one")
        script(self)
        return cast("sqlite3.Cursor", None)

    def guard(self) -> None:
        """From now on refuse every COMMIT and ROLLBACK that isn't ours."""
        self.set_authorizer(self._authorize)

    def begin_write(self) -> None:
        """Begin with the write lock in hand, so that no later statement waits for it."""
        self.execute("BEGIN IMMEDIATE")

    def begin_read(self) -> None:
        """Begin a transaction whose statements all see one state of the database."""
        self.execute("BEGIN")

    def end(self) -> None:
        """Commit. Raises RuntimeError when a statement that writes was not read to its end."""
        self._may_end = True
        try:
            super().commit()
        except sqlite3.OperationalError as error:
            # We hold the write lock, so it is nobody else who is busy.
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise RuntimeError(
                    "a statement is half read at the commit: fetch what RETURNING gives to its end"
                ) from error
            raise
        finally:
            self._may_end = False

    def undo(self) -> None:
        """Roll back, unless SQLite has done it by itself."""
        self._may_end = True
        try:
            super().rollback()
        finally:
            self._may_end = False

    def _authorize(self, action: int, operation: str | None, *_: str | None) -> int:
        if action == sqlite3.SQLITE_TRANSACTION and operation != "BEGIN" and not self._may_end:
            return sqlite3.SQLITE_DENY
        return sqlite3.SQLITE_OK


class ConnectionThread:
    """A LedgerConnection and the thread it lives on.

    The thread keeps the process from ending until it is stopped, which may be asked at any time
    and more than once.
    """

    def __init__(self, path: Path, connection: aiosqlite.Connection) -> None:
        self.path = path
        self._connection = connection
        self._stopped: asyncio.Future[Any] | None = None

    @classmethod
    async def open(cls, path: Path, mode: Mode) -> "ConnectionThread":
        """Connect to an existing file. Where this raises, StorageError or not, no thread stays."""
        seat: list[threading.Thread] = []

        def connect(*args: Any, **kwargs: Any) -> LedgerConnection:
            seat.append(threading.current_thread())
            return LedgerConnection(*args, **kwargs)

        try:
            connection = await aiosqlite.connect(
                uri(path, mode),
                uri=True,
                isolation_level=None,
                timeout=BUSY_TIMEOUT_MS / 1000,
                factory=connect,
            )
        except sqlite3.Error as error:
            await _gone(seat)
            raise translate(error, path) from error
        except asyncio.CancelledError:
            await _gone(seat)
            raise
        return cls(path, connection)

    async def run(self, fn: Callable[[LedgerConnection], T]) -> T:
        """Call `fn` with the connection on its thread and return what it returns.

        `fn` runs to its end also when the caller is cancelled. Raises what `fn` raises, SQLite's
        errors translated.
        """
        if self._stopped is not None:
            raise DatabaseClosed(f"{self.path} is closed.")
        answer: list[T] = []

        def keep(connection: LedgerConnection) -> None:
            try:
                answer.append(fn(connection))
            except BaseException as error:  # noqa: BLE001  it is raised again
                translated = translate(error, self.path)
                raise translated from translated.__cause__

        await self._connection.executescript(cast("str", keep))
        return answer[0]

    def stop_soon(self) -> None:
        """Close the connection once what was asked before is done, and end the thread."""
        if self._stopped is None:
            # It is none only outside of an event loop.
            self._stopped = cast("asyncio.Future[Any]", self._connection.stop())

    async def stop(self) -> None:
        """The same, and wait for it."""
        self.stop_soon()
        if self._stopped is not None:
            await asyncio.shield(self._stopped)


async def _gone(seat: Sequence[threading.Thread]) -> None:
    # The thread has been told to end, and on its way out speaks to the event loop, which had better
    # be there still. There is nothing to wait on but the thread itself.
    while not seat or seat[0].is_alive():  # noqa: ASYNC110
        await asyncio.sleep(0.001)


async def stop_all(threads: Sequence[ConnectionThread]) -> None:
    """Stop the threads, all told before any is waited for: a cancellation leaves none running."""
    for thread in threads:
        thread.stop_soon()
    for thread in threads:
        await thread.stop()
