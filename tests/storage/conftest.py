"""A small ledger on a real file, ways to hold its writer still, and a look at what threads stay."""

import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from storage.connection import LedgerConnection
from storage.database import Database
from storage.transaction import Function, Outcome, write_together

NOTES = """
CREATE TABLE note (
  id     INTEGER PRIMARY KEY,
  text   TEXT NOT NULL UNIQUE,
  parent INTEGER REFERENCES note (id) DEFERRABLE INITIALLY DEFERRED
) STRICT;
"""


@pytest.fixture(autouse=True)
def no_thread_stays() -> Iterator[None]:
    """Every thread that a test started has ended, or is ending, when the test is over."""
    before = set(threading.enumerate())
    yield
    for thread in set(threading.enumerate()) - before:
        if not thread.name.startswith("asyncio_"):
            thread.join(timeout=5)
            assert not thread.is_alive(), f"{thread.name} still runs"


@pytest.fixture
def migrations(tmp_path: Path) -> Path:
    """A folder of migrations with a first one."""
    folder = tmp_path / "migrations"
    folder.mkdir()
    (folder / "0001_notes.sql").write_text(NOTES)
    return folder


@pytest.fixture
async def ledger(tmp_path: Path, migrations: Path) -> AsyncIterator[Database]:
    """An open ledger of notes."""
    async with await Database.open(tmp_path / "notes.db", migrations=migrations) as database:
        yield database


class Gate:
    """Holds a thread until it is opened; `reached` tells that one stands before it."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self.opened = threading.Event()

    def wait(self) -> None:
        """Stand here until the gate is open; an abandoned test frees the thread after a while."""
        self.reached.set()
        self.opened.wait(timeout=10)


@pytest.fixture
def gate() -> Iterator[Gate]:
    """A gate for the test to put where it likes."""
    gate = Gate()
    yield gate
    gate.opened.set()


@pytest.fixture
def commit_gate(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> Gate:
    """A gate before each COMMIT."""
    commit = LedgerConnection.end

    def end(connection: LedgerConnection) -> None:
        gate.wait()
        commit(connection)

    monkeypatch.setattr(LedgerConnection, "end", end)
    return gate


@pytest.fixture
def batches(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of the batches that the writer has begun."""
    sizes: list[int] = []

    def counting(connection: LedgerConnection, functions: list[Function]) -> list[Outcome]:
        sizes.append(len(functions))
        return write_together(connection, functions)

    monkeypatch.setattr("storage.writer.write_together", counting)
    return sizes
