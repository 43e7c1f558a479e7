"""Files in carried messages, as the ledger keeps them."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.files import FileState
from storage import files, inbox, outbox
from storage.migrate import load, statements
from tests.storage.long_past import MIGRATIONS

CHANNEL, OTHER = 7, 8
ONE, TWO = "1" * 64, "2" * 64


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    path = tmp_path / "ledger.db"
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as opened:
        opened.execute("PRAGMA foreign_keys = ON")
        for migration in load(MIGRATIONS):
            for statement in statements(migration.sql):
                opened.execute(statement)
        yield opened


def want(
    connection: sqlite3.Connection, message_id: int, ordinal: int = 1, channel_id: int = CHANNEL
) -> files.RelayedFile:
    new = files.NewFile(
        message_id=message_id,
        ordinal=ordinal,
        channel_id=channel_id,
        name="a.png",
        claimed=5,
        content_type="image/png",
        spoiler=False,
        url="https://cdn.example/a.png",
    )
    files.want(connection, new, 10)
    found = files.find(connection, message_id, ordinal)
    assert found is not None
    return found


def keep(connection: sqlite3.Connection, file: files.RelayedFile, sha256: str = ONE) -> bool:
    return files.keep(connection, file, sha256=sha256, size=5, now=20)


def due(connection: sqlite3.Connection, now: int = 10) -> list[tuple[int, int]]:
    return [(one.message_id, one.ordinal) for one in files.due(connection, now, limit=10)]


def test_each_channel_has_its_first_wanted_file_fetched_first(
    connection: sqlite3.Connection,
) -> None:
    first = want(connection, 101, 1)
    want(connection, 101, 2)
    want(connection, 100, 1, OTHER)
    want(connection, 103, 1, OTHER)
    assert sorted(due(connection)) == [(100, 1), (101, 1)]
    assert keep(connection, first)
    assert sorted(due(connection)) == [(100, 1), (101, 2)]


def test_a_file_that_has_to_wait_holds_its_channel_alone(connection: sqlite3.Connection) -> None:
    first = want(connection, 101, 1)
    want(connection, 101, 2)
    want(connection, 100, 1, OTHER)
    files.retry(connection, first, "cut", 500)
    assert due(connection, 499) == [(100, 1)]
    assert files.next_due(connection, 499) == 500
    assert sorted(due(connection, 500)) == [(100, 1), (101, 1)]
    again = files.find(connection, 101, 1)
    assert again is not None
    assert (again.tries, again.problem) == (1, "cut")


def test_a_message_waits_until_the_fate_of_each_file_is_known(
    connection: sqlite3.Connection,
) -> None:
    one, two = want(connection, 101, 1), want(connection, 101, 2)
    keep(connection, one)
    assert files.is_waiting(connection, 101)
    assert files.lose(connection, 101, two.ordinal, FileState.TOO_LARGE)
    assert not files.is_waiting(connection, 101)
    assert not files.is_waiting(connection, 102)


def test_equal_contents_are_kept_once_and_for_as_long_as_one_message_needs_them(
    connection: sqlite3.Connection,
) -> None:
    keep(connection, want(connection, 101))
    keep(connection, want(connection, 102))
    keep(connection, want(connection, 103), TWO)
    assert files.total(connection) == 10
    files.release(connection, 101)
    assert files.idle(connection, limit=10) == ()
    files.release(connection, 102)
    assert files.idle(connection, limit=10) == (ONE,)
    assert not files.forget(connection, TWO)
    assert files.forget(connection, ONE)
    assert files.total(connection) == 5
    assert files.spooled_hashes(connection) == {TWO}


def test_contents_that_come_again_are_needed_again(connection: sqlite3.Connection) -> None:
    keep(connection, want(connection, 101))
    files.release(connection, 101)
    keep(connection, want(connection, 102))
    assert files.idle(connection, limit=10) == ()
    assert not files.forget(connection, ONE)


def test_what_a_message_needs_cannot_be_forgotten_behind_its_back(
    connection: sqlite3.Connection,
) -> None:
    keep(connection, want(connection, 101))
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute("DELETE FROM spooled_file")


def test_a_message_that_is_dropped_takes_its_files_along(connection: sqlite3.Connection) -> None:
    for number in (101, 102):
        event = inbox.NewEvent(
            id=f"m:{number}",
            channel_id=CHANNEL,
            position=number,
            kind="message",
            author_id=1,
            conversation_id=None,
            payload="{}",
        )
        inbox.add(connection, event, 1)
    kept, wanted = want(connection, 101), want(connection, 102)
    keep(connection, kept)
    inbox.drop(connection, "m:101", "deleted")
    inbox.drop(connection, "m:102", "deleted")
    assert files.of_message(connection, 101) == files.of_message(connection, 102) == ()
    assert files.idle(connection, limit=10) == (ONE,)
    assert not keep(connection, wanted, TWO)
    assert files.spooled_size(connection, TWO) is None


def test_what_can_not_be_read_holds_back_every_clean_up(connection: sqlite3.Connection) -> None:
    event = inbox.NewEvent(
        id="m:1",
        channel_id=CHANNEL,
        position=1,
        kind="message",
        author_id=1,
        conversation_id=None,
        payload="?",
    )
    inbox.add(connection, event, 1)
    keep(connection, want(connection, 101))
    files.release(connection, 101)
    inbox.set_aside(connection, "m:1", "unreadable_payload")
    assert files.idle(connection, limit=10) == ()
    connection.execute("UPDATE inbox_event SET set_aside = 0")
    assert files.idle(connection, limit=10) == (ONE,)
    part = outbox.NewPart(
        event="m:1",
        ordinal=0,
        guild_id=1,
        destination=CHANNEL,
        kind="relay",
        payload="?",
        delivery_key="k" * 20,
    )
    outbox.plan(connection, part, 1)
    connection.execute("UPDATE outbox_part SET problem = 'unreadable_payload'")
    assert files.idle(connection, limit=10) == ()
    connection.execute("UPDATE outbox_part SET state = 'dropped'")
    assert files.idle(connection, limit=10) == (ONE,)


def test_a_file_whose_fate_is_known_keeps_no_address(connection: sqlite3.Connection) -> None:
    keep(connection, want(connection, 101))
    want(connection, 102)
    files.lose(connection, 102, 1, FileState.UNREADABLE, problem="http_404")
    addresses = connection.execute("SELECT url FROM relayed_file").fetchall()
    assert addresses == [(None,), (None,)]
    assert not files.lose(connection, 102, 1, FileState.TOO_LARGE)
