"""What breaks underneath: each caller hears the true cause, and the ledger goes on when it can."""

import asyncio
import contextlib
import os
import resource
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from storage.database import Connection, Database
from storage.errors import (
    DatabaseCorrupt,
    DatabaseFull,
    DatabaseLocked,
    DatabaseReadOnly,
    DiskFailed,
    StorageError,
)


def add(text: str) -> Callable[[Connection], int]:
    insert = "INSERT INTO note (text) VALUES (?)"
    return lambda connection: connection.execute(insert, (text,)).rowcount


def count(connection: Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM note").fetchone()[0])


def limit_pages(extra: int) -> Callable[[Connection], int]:
    """Let the file grow by so many pages at most."""

    def limit(connection: Connection) -> int:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        statement = f"PRAGMA max_page_count = {pages + extra}"
        return int(connection.execute(statement).fetchone()[0])

    return limit


@contextlib.contextmanager
def another_process(path: Path, *statements: str) -> Iterator[sqlite3.Connection]:
    """A connection that the ledger knows nothing of."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)
        yield connection


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No lock is waited for longer than a moment."""
    monkeypatch.setattr("storage.connection.BUSY_TIMEOUT_MS", 20)
    monkeypatch.setattr("storage.database.BUSY_TIMEOUT_MS", 20)


@pytest.fixture
def unprivileged(migrations: Path) -> Iterator[Path]:
    """A folder of a user who isn't root, to whom permissions mean something; migrations in it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(migrations, folder / "migrations")
        was, nobody = os.geteuid(), 65534
        if was == 0:
            os.chown(folder, nobody, -1)
            os.seteuid(nobody)
        try:
            yield folder
        finally:
            folder.chmod(0o700)
            os.seteuid(was)


async def test_on_a_full_disk_what_is_too_large_fails_and_the_rest_fits(
    ledger: Database,
) -> None:
    await ledger.write(limit_pages(8))
    answers = await asyncio.gather(
        ledger.write(add("before")),
        ledger.write(add("x" * 1_000_000)),
        ledger.write(add("after")),
        return_exceptions=True,
    )
    assert isinstance(answers[1], DatabaseFull)
    assert [answers[0], answers[2]] == [1, 1]
    assert await ledger.read(count) == 2


async def test_on_a_full_disk_each_caller_hears_so_and_space_brings_the_ledger_back(
    ledger: Database,
) -> None:
    await ledger.write(limit_pages(0))
    writes = [ledger.write(add(f"{number}" * 5_000)) for number in range(50)]
    for answer in await asyncio.gather(*writes, return_exceptions=True):
        assert isinstance(answer, DatabaseFull)
        assert "notes.db has no room left" in str(answer)
    assert not ledger.failed.is_set()
    await ledger.write(limit_pages(100))
    assert await ledger.write(add("y" * 5_000)) == 1
    assert await ledger.read(count) == 1


async def test_a_function_that_swallows_a_full_disk_is_not_believed(ledger: Database) -> None:
    def swallow(connection: Connection) -> str:
        add("never")(connection)
        # SQLite may roll the transaction back by itself; the test takes the sure way.
        with contextlib.suppress(sqlite3.Error):
            connection.execute("INSERT OR ROLLBACK INTO note (id, text) VALUES (1, 'a')")
        return "all is well"

    await ledger.write(add("first"))
    with pytest.raises(RuntimeError, match="rolled back under it"):
        await ledger.write(swallow)
    assert await ledger.read(count) == 1


async def test_when_the_system_cannot_write_every_caller_of_the_batch_hears_so(
    ledger: Database,
) -> None:
    await ledger.write(add("kept"))
    log = os.stat(f"{ledger.path}-wal").st_size  # noqa: PTH116  no pathlib in a coroutine
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    # Python ignores the signal that would come with it: a write past the limit is an error.
    resource.setrlimit(resource.RLIMIT_FSIZE, (log, limits[1]))
    try:
        writes = [ledger.write(add(f"{number}")) for number in range(10)]
        answers = await asyncio.gather(*writes, return_exceptions=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    for answer in answers:
        assert isinstance(answer, DiskFailed)
        assert isinstance(answer.__cause__, sqlite3.OperationalError)
    assert len(set(map(id, answers))) == 10
    assert await ledger.write(add("again")) == 1
    assert await ledger.read(count) == 2


@pytest.mark.usefixtures("impatient")
async def test_a_lock_that_another_process_holds_is_named_and_waited_out(
    tmp_path: Path, migrations: Path
) -> None:
    async with await Database.open(tmp_path / "notes.db", migrations=migrations) as ledger:
        with another_process(ledger.path, "BEGIN IMMEDIATE"):
            writes = [ledger.write(add(f"{number}")) for number in range(10)]
            for answer in await asyncio.gather(*writes, return_exceptions=True):
                assert isinstance(answer, DatabaseLocked)
                assert "notes.db is locked by another process" in str(answer)
            assert await ledger.read(count) == 0
        assert await ledger.write(add("one")) == 1


@pytest.mark.usefixtures("impatient")
async def test_a_new_file_that_another_process_holds_is_not_opened(
    tmp_path: Path, migrations: Path
) -> None:
    path = tmp_path / "notes.db"
    with another_process(path, "BEGIN EXCLUSIVE"), pytest.raises(DatabaseLocked):
        await Database.open(path, migrations=migrations)
    async with await Database.open(path, migrations=migrations) as ledger:
        assert await ledger.read(count) == 0


@pytest.mark.usefixtures("impatient")
async def test_a_migration_waits_for_its_lock_and_changes_nothing_without_it(
    tmp_path: Path, migrations: Path
) -> None:
    path = tmp_path / "notes.db"
    async with await Database.open(path, migrations=migrations):
        pass
    (migrations / "0002_more.sql").write_text("CREATE TABLE more (id INTEGER PRIMARY KEY);")
    with another_process(path, "BEGIN IMMEDIATE"), pytest.raises(DatabaseLocked):
        await Database.open(path, migrations=migrations)
    with another_process(path) as theirs:
        assert theirs.execute("SELECT max(number) FROM schema_migration").fetchone() == (1,)


async def test_a_damaged_file_is_called_damaged(tmp_path: Path, migrations: Path) -> None:
    path = tmp_path / "notes.db"
    async with await Database.open(path, migrations=migrations) as ledger:
        await asyncio.gather(*(ledger.write(add(f"{number}" * 300)) for number in range(500)))
    damage(path)
    async with await Database.open(path, migrations=migrations) as ledger:
        for work in (ledger.read, ledger.write):
            with pytest.raises(DatabaseCorrupt, match=r"notes\.db is damaged"):
                await work(lambda connection: connection.execute("SELECT * FROM note").fetchall())
        with pytest.raises(StorageError):
            await ledger.write(lambda connection: connection.execute("DELETE FROM note").rowcount)


def damage(path: Path) -> None:
    """Overwrite all but the first pages, which hold the schema."""
    with path.open("r+b") as file:
        file.seek(5 * 4096)
        file.write(b"\xa5" * (path.stat().st_size - 5 * 4096))


async def test_a_file_that_may_not_be_written_is_refused(unprivileged: Path) -> None:
    path = unprivileged / "notes.db"
    async with await Database.open(path, migrations=unprivileged / "migrations"):
        pass
    os.chmod(path, 0o400)  # noqa: PTH101  no pathlib in a coroutine
    with pytest.raises(DatabaseReadOnly, match=r"notes\.db can't be written to"):
        await Database.open(path, migrations=unprivileged / "migrations")


async def test_a_folder_that_may_not_be_written_is_refused(unprivileged: Path) -> None:
    os.chmod(unprivileged, 0o500)  # noqa: PTH101  no pathlib in a coroutine
    with pytest.raises(DatabaseReadOnly, match=r"notes\.db can't be created"):
        await Database.open(unprivileged / "notes.db", migrations=unprivileged / "migrations")


async def test_a_file_that_may_not_be_read_is_refused(unprivileged: Path) -> None:
    path = unprivileged / "notes.db"
    async with await Database.open(path, migrations=unprivileged / "migrations"):
        pass
    os.chmod(path, 0o000)  # noqa: PTH101  no pathlib in a coroutine
    for read_only in (True, False):
        with pytest.raises(DatabaseReadOnly, match=r"notes\.db can't be opened"):
            await Database.open(path, migrations=unprivileged / "migrations", read_only=read_only)


async def test_a_log_left_by_a_killed_process_is_readable_without_a_writer(
    tmp_path: Path, migrations: Path
) -> None:
    path = tmp_path / "notes.db"
    async with await Database.open(path, migrations=migrations) as ledger:
        await ledger.write(add("one"))
        # What the disk holds while the writer is alive is what it holds when it is killed.
        for name in ("notes.db", "notes.db-wal"):
            shutil.copy(tmp_path / name, tmp_path / f"killed-{name}")
    killed = tmp_path / "killed-notes.db"
    async with await Database.open(killed, migrations=migrations, read_only=True) as ledger:
        assert await ledger.read(count) == 1
