"""Closing, and the death of the writer: nobody waits for ever, and the process can always end."""

import asyncio
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from storage.connection import ConnectionThread
from storage.database import Connection, Database
from storage.errors import DatabaseClosed


def add(connection: Connection) -> int:
    return connection.execute("INSERT INTO note (text) VALUES (hex(randomblob(8)))").rowcount


def count(connection: Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM note").fetchone()[0])


def the_writer() -> "asyncio.Task[Any]":
    (task,) = (task for task in asyncio.all_tasks() if task.get_name() == "ledger writer")
    return task


def the_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if "connection_worker" in thread.name]


async def reached(gate: Any) -> None:
    assert await asyncio.to_thread(gate.reached.wait, 10)


async def test_closing_does_what_was_asked_before_and_refuses_what_comes_after(
    ledger: Database,
) -> None:
    writes = [asyncio.create_task(ledger.write(add)) for _ in range(300)]
    reads = [asyncio.create_task(ledger.read(count)) for _ in range(3)]
    await asyncio.sleep(0)
    await ledger.close()
    assert await asyncio.gather(*writes) == [1] * 300
    assert len(await asyncio.gather(*reads)) == 3
    for call in (ledger.write(count), ledger.read(count), ledger.backup(Path("never"))):
        with pytest.raises(DatabaseClosed, match=r"notes\.db is closed"):
            await call
    assert not ledger.failed.is_set()


async def test_closing_forgets_no_write_that_waits_in_line(
    tmp_path: Path, migrations: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.writer.WAITING", 4)
    async with await Database.open(tmp_path / "notes.db", migrations=migrations) as ledger:
        writes = [asyncio.create_task(ledger.write(add)) for _ in range(50)]
        await asyncio.sleep(0)
    assert await asyncio.gather(*writes) == [1] * 50


async def test_closing_leaves_one_file_behind(ledger: Database) -> None:
    await asyncio.gather(ledger.write(add), ledger.read(count))
    assert len(list(ledger.path.parent.glob("notes.db*"))) == 3
    await ledger.close()
    assert list(ledger.path.parent.glob("notes.db*")) == [ledger.path]


async def test_closing_again_or_at_once_is_no_harm(ledger: Database) -> None:
    await asyncio.gather(ledger.close(), ledger.close())
    await ledger.close()
    assert not ledger.failed.is_set()
    assert list(ledger.path.parent.glob("notes.db*")) == [ledger.path]


async def test_a_close_that_is_cancelled_goes_on_by_itself(ledger: Database, gate: Any) -> None:
    writing = asyncio.create_task(ledger.write(lambda _: gate.wait()))
    await reached(gate)
    closing = asyncio.create_task(ledger.close())
    await asyncio.sleep(0)
    closing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await closing
    gate.opened.set()
    await ledger.close()
    await writing
    assert list(ledger.path.parent.glob("notes.db*")) == [ledger.path]


async def test_when_the_writer_is_cancelled_every_waiting_caller_hears_of_it(
    ledger: Database, gate: Any
) -> None:
    writes = [asyncio.create_task(ledger.write(lambda _: gate.wait()))]
    await reached(gate)
    writes += [asyncio.create_task(ledger.write(lambda _: gate.wait())) for _ in range(2_000)]
    await asyncio.sleep(0)
    the_writer().cancel()
    gate.opened.set()
    for answer in await asyncio.gather(*writes, return_exceptions=True):
        assert isinstance(answer, DatabaseClosed)
    assert ledger.failed.is_set()
    assert "CancelledError" in str(ledger.failure)
    for call in (ledger.write(add), ledger.read(count)):
        with pytest.raises(DatabaseClosed):
            await call
    await ledger.close()


async def test_when_the_writer_breaks_the_application_is_told(
    ledger: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(*_: object) -> None:
        raise OSError("the connection can't be brought back in order")

    watching = asyncio.create_task(ledger.failed.wait())
    monkeypatch.setattr("storage.writer.write_together", break_down)
    with pytest.raises(DatabaseClosed, match="brought back in order"):
        await ledger.write(add)
    assert await watching
    assert isinstance(getattr(ledger.failure, "__cause__", None), OSError)


async def test_an_open_that_is_cancelled_on_the_way_leaves_nothing_open(
    tmp_path: Path, migrations: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ConnectionThread.run
    left = 0

    async def run_or_be_cancelled(thread: ConnectionThread, fn: Any) -> Any:
        nonlocal left
        left -= 1
        task = asyncio.current_task()
        if left == 0 and task is not None:
            task.cancel()
        return await run(thread, fn)

    monkeypatch.setattr(ConnectionThread, "run", run_or_be_cancelled)
    for left in range(1, 10):  # noqa: B007  it is counted down above
        opening = asyncio.create_task(Database.open(tmp_path / "a.db", migrations=migrations))
        try:
            database = await opening
        except asyncio.CancelledError:
            for thread in the_threads():
                thread.join(timeout=5)
                assert not thread.is_alive()
            continue
        await database.close()
        break
    assert left > 0, "none came through"


EITHER_WAY = [
    "raise SystemExit(7)",
    "asyncio.get_running_loop().call_soon(sys.exit, 7); await asyncio.Event().wait()",
    "await database.read(lambda connection: sys.exit(7))",
    "task = asyncio.create_task(database.close()); sys.exit(7)",
    "task = asyncio.create_task(database.close()); await asyncio.sleep(0); sys.exit(7)",
]
WRITING = [
    "await database.write(lambda connection: sys.exit(7))",
    "task = asyncio.create_task(database.write(str)); await asyncio.sleep(0); sys.exit(7)",
]


@pytest.mark.parametrize(
    ("read_only", "ending"),
    [*((False, ending) for ending in WRITING + EITHER_WAY), *((True, e) for e in EITHER_WAY)],
)
def test_a_process_that_never_closes_its_ledger_ends_all_the_same(
    tmp_path: Path, project_root: Path, migrations: Path, read_only: bool, ending: str
) -> None:
    program = f"""
import asyncio, sys
from pathlib import Path
from storage.database import Database

async def main():
    path, migrations = map(Path, sys.argv[1:])
    async with await Database.open(path, migrations=migrations):
        pass
    database = await Database.open(path, migrations=migrations, read_only={read_only})
    {ending}

asyncio.run(main())
"""
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, tmp_path / "notes.db", migrations],
        cwd=project_root,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert ran.returncode == 7
    assert ran.stderr == ""
