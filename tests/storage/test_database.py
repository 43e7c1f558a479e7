"""Writing and reading: group commit, who fails, who is cancelled, what a function may not do."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from storage import writer
from storage.database import Connection, Database
from storage.errors import DatabaseReadOnly


def add(text: str, parent: int | None = None) -> Callable[[Connection], str]:
    def insert(connection: Connection) -> str:
        connection.execute("INSERT INTO note (text, parent) VALUES (?, ?)", (text, parent))
        return text

    return insert


def texts(connection: Connection) -> list[str]:
    rows = connection.execute("SELECT text FROM note ORDER BY id").fetchall()
    return [text for (text,) in rows]


def on_disk(path: Path) -> list[str]:
    connection = sqlite3.connect(path)
    try:
        return texts(connection)
    finally:
        connection.close()


async def reached(gate: Any) -> None:
    assert await asyncio.to_thread(gate.reached.wait, 10)


async def test_a_write_answers_with_what_its_function_returned(ledger: Database) -> None:
    assert await ledger.write(add("one")) == "one"
    assert await ledger.read(texts) == ["one"]


async def test_a_write_is_answered_only_after_its_commit(
    ledger: Database, commit_gate: Any
) -> None:
    writing = asyncio.create_task(ledger.write(add("one")))
    await reached(commit_gate)
    assert not writing.done()
    assert on_disk(ledger.path) == []
    commit_gate.opened.set()
    await writing
    assert on_disk(ledger.path) == ["one"]


async def test_writes_that_wait_together_share_a_commit(
    ledger: Database, batches: list[int]
) -> None:
    await asyncio.gather(*(ledger.write(add(str(number))) for number in range(300)))
    assert batches == [128, 128, 44]
    assert await ledger.read(texts) == [str(number) for number in range(300)]


async def test_no_more_than_a_bounded_number_of_writes_is_queued(
    tmp_path: Path, migrations: Path, monkeypatch: pytest.MonkeyPatch, batches: list[int]
) -> None:
    monkeypatch.setattr(writer, "WAITING", 8)
    async with await Database.open(tmp_path / "notes.db", migrations=migrations) as ledger:
        await asyncio.gather(*(ledger.write(add(str(number))) for number in range(100)))
        assert max(batches) <= 8
        assert await ledger.read(texts) == [str(number) for number in range(100)]


async def test_of_a_hundred_writes_that_wait_together_the_one_that_fails_fails_alone(
    ledger: Database, batches: list[int]
) -> None:
    def fail(connection: Connection) -> str:
        add("never")(connection)
        raise LookupError("mine")

    writes = [ledger.write(fail if number == 50 else add(str(number))) for number in range(100)]
    answers = await asyncio.gather(*writes, return_exceptions=True)
    assert batches == [100]
    assert isinstance(answers.pop(50), LookupError)
    expected = [str(number) for number in range(100) if number != 50]
    assert answers == expected
    assert on_disk(ledger.path) == expected


async def test_a_write_that_breaks_a_constraint_fails_alone(ledger: Database) -> None:
    answers = await asyncio.gather(
        ledger.write(add("one")),
        ledger.write(add("one")),
        # Its reference is looked at no sooner than at the commit.
        ledger.write(add("two", parent=77)),
        ledger.write(add("three")),
        return_exceptions=True,
    )
    assert [type(answer) for answer in answers] == [
        str,
        sqlite3.IntegrityError,
        sqlite3.IntegrityError,
        str,
    ]
    assert on_disk(ledger.path) == ["one", "three"]


@pytest.mark.parametrize("kind", [SystemExit, KeyboardInterrupt, MemoryError, RecursionError])
async def test_whatever_a_function_raises_reaches_its_caller_and_nobody_else(
    ledger: Database, kind: type[BaseException]
) -> None:
    def fail(connection: Connection) -> None:
        add("never")(connection)
        raise kind

    other = asyncio.create_task(ledger.write(add("one")))
    with pytest.raises(kind):
        await ledger.write(fail)
    assert await other == "one"
    with pytest.raises(kind):
        await ledger.read(fail_reading(kind()))
    assert await ledger.read(texts) == ["one"]


@pytest.mark.parametrize("kind", [StopIteration, asyncio.CancelledError])
async def test_what_a_future_cannot_carry_arrives_as_a_runtime_error(
    ledger: Database, kind: type[BaseException]
) -> None:
    with pytest.raises(RuntimeError, match=kind.__name__):
        await ledger.write(fail_reading(kind()))
    with pytest.raises(RuntimeError, match=kind.__name__):
        await ledger.read(fail_reading(kind()))
    assert await ledger.write(add("one")) == "one"


def fail_reading(error: BaseException) -> Callable[[Connection], None]:
    def fail(_: Connection) -> None:
        raise error

    return fail


async def test_a_write_whose_caller_left_the_queue_is_not_run(ledger: Database, gate: Any) -> None:
    first = asyncio.create_task(ledger.write(lambda _: gate.wait()))
    await reached(gate)
    cancelled = asyncio.create_task(ledger.write(add("never")))
    kept = asyncio.create_task(ledger.write(add("kept")))
    await asyncio.sleep(0)
    cancelled.cancel()
    gate.opened.set()
    await asyncio.gather(first, kept)
    assert cancelled.cancelled()
    assert on_disk(ledger.path) == ["kept"]


async def test_a_write_cancelled_during_its_commit_is_committed(
    ledger: Database, commit_gate: Any
) -> None:
    writing = asyncio.create_task(ledger.write(add("one")))
    await reached(commit_gate)
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    commit_gate.opened.set()
    await ledger.write(add("two"))
    assert on_disk(ledger.path) == ["one", "two"]


def commit(connection: Connection) -> None:
    connection.commit()


def commit_in_sql(connection: Connection) -> None:
    connection.execute("commit")


def roll_back(connection: Connection) -> None:
    connection.rollback()


def commit_by_context_manager(connection: Connection) -> None:
    with connection:
        add("inner")(connection)


def run_a_script(connection: Connection) -> None:
    connection.executescript("INSERT INTO note (text) VALUES ('script');")


async def be_a_coroutine(connection: Connection) -> None:
    add("later")(connection)


def be_a_generator(connection: Connection) -> Iterator[str]:
    yield add("later")(connection)


def answer_with_a_cursor(connection: Connection) -> sqlite3.Cursor:
    return connection.execute("SELECT text FROM note")


def lose_the_transaction(connection: Connection) -> None:
    try:
        connection.execute("INSERT OR ROLLBACK INTO note (id, text) VALUES (1, 'first')")
    except sqlite3.IntegrityError:
        return


@pytest.mark.parametrize(
    "misuse",
    [
        commit,
        commit_in_sql,
        roll_back,
        commit_by_context_manager,
        run_a_script,
        be_a_coroutine,
        be_a_generator,
        answer_with_a_cursor,
        lose_the_transaction,
    ],
)
async def test_a_function_that_meddles_with_its_transaction_is_refused_alone(
    ledger: Database, misuse: Callable[[Connection], Any]
) -> None:
    await ledger.write(add("first"))

    def meddle(connection: Connection) -> Any:
        add("never")(connection)
        return misuse(connection)

    answers = await asyncio.gather(
        ledger.write(add("before")),
        ledger.write(meddle),
        ledger.write(add("after")),
        return_exceptions=True,
    )
    assert isinstance(answers[1], RuntimeError | TypeError)
    assert [answers[0], answers[2]] == ["before", "after"]
    assert on_disk(ledger.path) == ["first", "before", "after"]


async def test_a_commit_names_a_statement_that_is_kept_half_read(ledger: Database) -> None:
    kept: list[sqlite3.Cursor] = []

    def keep_a_statement_open(connection: Connection) -> None:
        statement = "INSERT INTO note (text) VALUES ('a'), ('b') RETURNING id"
        kept.append(connection.execute(statement))

    with pytest.raises(RuntimeError, match="half read"):
        await ledger.write(keep_a_statement_open)
    kept.clear()
    await ledger.write(add("one"))
    assert on_disk(ledger.path) == ["one"]


async def test_a_cursor_left_half_read_by_an_error_holds_nothing_back(ledger: Database) -> None:
    await asyncio.gather(*(ledger.write(add(str(number))) for number in range(3)))

    def fail(connection: Connection) -> None:
        cursor = connection.execute("SELECT text FROM note")
        cursor.fetchone()
        raise LookupError

    errors = [
        error
        for work in (ledger.write, ledger.read)
        for error in await asyncio.gather(work(fail), return_exceptions=True)
    ]
    # While the errors, and with them their tracebacks, are still in hand.
    other = sqlite3.connect(ledger.path)
    other.execute("INSERT INTO note (text) VALUES ('by another process')")
    other.commit()
    other.close()
    await ledger.write(add("ours"))
    assert (await ledger.read(texts))[3:] == ["by another process", "ours"]
    assert [type(error) for error in errors] == [LookupError, LookupError]


async def test_a_read_sees_one_state_from_its_first_statement_to_its_last(
    ledger: Database, gate: Any
) -> None:
    def count_twice(connection: Connection) -> tuple[int, int]:
        before = len(texts(connection))
        gate.wait()
        return before, len(texts(connection))

    reading = asyncio.create_task(ledger.read(count_twice))
    await reached(gate)
    await ledger.write(add("meanwhile"))
    gate.opened.set()
    assert await reading == (0, 0)
    assert await ledger.read(texts) == ["meanwhile"]


async def test_a_read_does_not_wait_for_a_write_nor_for_a_slow_read(
    ledger: Database, gate: Any
) -> None:
    slow_read = asyncio.create_task(ledger.read(lambda _: gate.wait()))
    slow_write = asyncio.create_task(ledger.write(lambda _: gate.wait()))
    await reached(gate)
    assert await ledger.read(texts) == []
    assert not slow_read.done()
    assert not slow_write.done()
    gate.opened.set()
    await asyncio.gather(slow_read, slow_write)


async def test_a_read_cannot_write(ledger: Database) -> None:
    with pytest.raises(DatabaseReadOnly):
        await ledger.read(add("never"))
    assert on_disk(ledger.path) == []


async def test_a_read_that_is_cancelled_leaves_its_connection_in_order(
    ledger: Database, gate: Any
) -> None:
    reading = asyncio.create_task(ledger.read(lambda _: gate.wait()))
    await reached(gate)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    gate.opened.set()
    await ledger.write(add("one"))
    for seen in await asyncio.gather(ledger.read(texts), ledger.read(texts)):
        assert seen == ["one"]
