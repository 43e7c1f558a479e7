"""The ledger's file: open it, read it, write it in group commits, back it up."""

import asyncio
import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Literal, Self, TypeVar

from storage.backup import copy
from storage.connection import BUSY_TIMEOUT_MS, ConnectionThread, LedgerConnection, stop_all
from storage.errors import (
    DatabaseClosed,
    DatabaseMissing,
    DatabaseReadOnly,
    StorageError,
    cannot_open,
)
from storage.migrate import (
    APPLICATION_ID,
    Migration,
    bring_up_to_date,
    check_current,
    check_owner,
    load,
)
from storage.transaction import read_alone
from storage.writer import Writer

T = TypeVar("T")

Connection = sqlite3.Connection
"""What the functions given to `read` and `write` work on."""

Durability = Literal["full", "normal"]

READERS = 2

LOG_BYTES = 64 * 1024 * 1024

_MIGRATIONS = Path(__file__).parent / "migrations"


class Database:
    """One SQLite file, made by `open`. Close it on every path, or the process doesn't end.

    `failed` is set when the writer has died: nothing can be promised any more, each later call
    raises DatabaseClosed, and the process should stop. `failure` says why.
    """

    def __init__(
        self, path: Path, readers: Sequence[ConnectionThread], writing: ConnectionThread | None
    ) -> None:
        self.path = path
        self._readers = readers
        self._under_way = [0] * len(readers)
        self._threads = readers if writing is None else [*readers, writing]
        self._closing = asyncio.Event()
        self._writer = None if writing is None else Writer(writing, on_failure=self._closing.set)
        self._failed = asyncio.Event() if self._writer is None else self._writer.failed
        self._keeper = asyncio.create_task(self._keep(), name="ledger keeper")

    @classmethod
    async def open(
        cls,
        path: Path,
        *,
        durability: Durability = "full",
        migrations: Path | None = None,
        migrate: bool = True,
        read_only: bool = False,
    ) -> "Database":
        """Open the file, made if need be with mode 0600, and bring its schema up to date.

        `durability`: `full` has each commit on disk before it is answered; `normal` may lose the
        last ones when the power fails, never when the process does. With `migrate=False` or
        `read_only=True` the file must exist and its schema be the program's.

        Raises StorageError, and leaves no thread and no lock behind when it does.
        """
        known = load(migrations or _MIGRATIONS)
        _ensure_file(path, may_create=migrate and not read_only)

        def prepare(connection: LedgerConnection) -> None:
            _prepare_writer(connection, path, known, durability=durability, migrating=migrate)

        def check(connection: LedgerConnection) -> None:
            _prepare_reader(connection, path, known)

        threads: list[ConnectionThread] = []
        try:
            writing = None
            if not read_only:
                writing = await ConnectionThread.open(path, "rw")
                threads.append(writing)
                await writing.run(prepare)
            for _ in range(READERS):
                reader = await ConnectionThread.open(path, "ro")
                threads.append(reader)
                await reader.run(check)
        except BaseException:
            await stop_all(threads)
            raise
        database = cls(path, threads[writing is not None :], writing)
        try:
            # The first steps of its tasks: cancelled before it, a task can't tidy up after itself.
            await asyncio.sleep(0)
        except BaseException:
            await database.close()
            raise
        return database

    @property
    def failed(self) -> asyncio.Event:
        """Set when the writer has died, never by an orderly close."""
        return self._failed

    @property
    def failure(self) -> StorageError | None:
        """Why `failed` is set."""
        return None if self._writer is None else self._writer.failure

    async def write(self, fn: Callable[[Connection], T]) -> T:
        """Run `fn` as one transaction; return its value once the transaction is committed.

        Writes that wait together share a commit. `fn` is a plain function that runs whole on
        another thread, possibly twice: it must touch nothing but the connection it is given, and
        neither commit nor roll back. What it raises rolls back what it did, and no one else's, and
        is raised here; StorageError where the file is the cause. It must not catch sqlite3.Error
        and go on, except IntegrityError: SQLite may have rolled back.

        Cancelled while it waits in the queue, `fn` isn't run; later it is committed all the same.
        """
        if self._writer is None:
            raise DatabaseReadOnly(f"{self.path} was opened for reading only.")
        return await self._writer.write(fn)

    async def read(self, fn: Callable[[Connection], T]) -> T:
        """Run `fn` on a read-only connection, where it sees one committed state of the database.

        It sees all that was committed before the call, and doesn't wait for writers. `fn` is a
        plain function that runs whole on another thread and fetches all it needs. Raises what it
        raises; StorageError where the file is the cause.
        """
        if self._closing.is_set():
            raise DatabaseClosed(f"{self.path} is closed.")
        least = self._under_way.index(min(self._under_way))
        self._under_way[least] += 1
        try:
            return await self._readers[least].run(lambda connection: read_alone(connection, fn))
        finally:
            self._under_way[least] -= 1

    async def backup(self, target: Path) -> None:
        """Copy the database, as it is at some moment during the call, to a new file.

        The target appears whole and on disk or not at all, readable by its owner alone; reads and
        writes go on meanwhile. Cancelled, the copy may still appear. Raises FileExistsError when
        the target exists, and StorageError.
        """
        if self._closing.is_set():
            raise DatabaseClosed(f"{self.path} is closed.")
        thread = await ConnectionThread.open(self.path, "ro")
        try:
            await thread.run(lambda connection: copy(connection, target))
        finally:
            await stop_all([thread])

    async def close(self) -> None:
        """Do what was asked before, refuse the rest, and end the threads. Again is no harm.

        A close that is cancelled goes on by itself.
        """
        if self._writer is not None:
            self._writer.close()
        self._closing.set()
        await asyncio.wait([self._keeper])

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        await self.close()

    async def _keep(self) -> None:
        """End the threads when the ledger is closed, its writer fails, or the event loop ends."""
        try:
            await self._closing.wait()
            # Readers first: the last connection to close puts the log back into the file, which a
            # read-only one can't.
            await stop_all(self._readers)
            if self._writer is not None:
                await self._writer.ended()
        finally:
            await stop_all(self._threads)


def _ensure_file(path: Path, *, may_create: bool) -> None:
    if not may_create:
        if not path.exists():
            raise DatabaseMissing(f"{path} does not exist.")
        return
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        return
    except OSError as error:
        if path.parent.is_dir():
            raise DatabaseReadOnly(f"{path} can't be created: {error.strerror}.") from error
        raise cannot_open(path) from error


def _prepare_writer(
    connection: LedgerConnection,
    path: Path,
    known: Sequence[Migration],
    *,
    durability: Durability,
    migrating: bool,
) -> None:
    connection.guard()
    check_owner(connection, path)
    _use_write_ahead_log(connection, path)
    connection.execute(f"PRAGMA synchronous = {durability}")
    connection.execute("PRAGMA trusted_schema = OFF")
    # What is erased must not stay behind in the file's free pages.
    connection.execute("PRAGMA secure_delete = ON").fetchone()
    # What the log grew to while a long read or a backup held it back is given back to the disk.
    connection.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}").fetchone()
    if migrating:
        bring_up_to_date(connection, known, path)
    else:
        check_current(connection, known, path)
    connection.execute("PRAGMA foreign_keys = ON")
    _try_to_write(connection)


def _prepare_reader(connection: LedgerConnection, path: Path, known: Sequence[Migration]) -> None:
    connection.guard()
    check_owner(connection, path)
    check_current(connection, known, path)
    connection.execute("PRAGMA trusted_schema = OFF")


def _try_to_write(connection: LedgerConnection) -> None:
    # SQLite opens a file that may not be written all the same, and even begins. Better to be
    # refused now than at the first promise.
    connection.begin_write()
    try:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    finally:
        connection.undo()


def _use_write_ahead_log(connection: Connection, path: Path) -> None:
    deadline = time.monotonic() + BUSY_TIMEOUT_MS / 1000
    mode = ""
    while not mode:
        try:
            (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError as error:
            # Two processes that open a new file at once: SQLite doesn't wait for this lock itself.
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
    if mode != "wal":
        raise StorageError(f"{path} is on a file system that can't keep a write-ahead log.")
