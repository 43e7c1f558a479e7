"""What is on record stays on record."""

import sqlite3
from collections.abc import Iterator

import pytest

from storage import audit
from storage.audit import Act
from tests.storage import long_past

ACT = Act(
    guild_id=long_past.GUILD,
    at=5,
    action="transcript",
    actor_id=9,
    request_id=1,
    member_id=5001,
    detail="R1",
)


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    """A ledger of a guild in which somebody did something."""
    opened = sqlite3.connect(":memory:", isolation_level=None)
    long_past.make(opened)
    opened.execute("PRAGMA foreign_keys = ON")
    audit.record(opened, ACT)
    yield opened
    opened.close()


def test_an_act_is_read_as_it_was_recorded_the_last_first(connection: sqlite3.Connection) -> None:
    later = Act(guild_id=long_past.GUILD, at=6, action="block", actor_id=None, request_id=1)
    audit.record(connection, later)
    assert audit.of_request(connection, 1, limit=5) == (later, ACT)
    assert audit.of_request(connection, 1, limit=1) == (later,)
    assert audit.of_request(connection, 2, limit=5) == ()


@pytest.mark.parametrize(
    "change",
    [
        "id = 7",
        "guild_id = 71",
        "at = 6",
        "action = 'block'",
        "actor_id = 10",
        "request_id = 2",
        "request_id = NULL",
        "member_id = 10",
        "detail = 'R2'",
    ],
)
def test_nothing_in_it_is_changed(connection: sqlite3.Connection, change: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(f"UPDATE audit SET {change}")
    assert audit.of_request(connection, 1, limit=5) == (ACT,)


def test_a_person_in_it_can_be_forgotten_and_stays_forgotten(
    connection: sqlite3.Connection,
) -> None:
    connection.execute("UPDATE audit SET actor_id = NULL, member_id = NULL, detail = NULL")
    (act,) = audit.of_request(connection, 1, limit=5)
    assert (act.actor_id, act.member_id, act.detail) == (None, None, None)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute("UPDATE audit SET actor_id = 9")


def test_it_is_there_as_long_as_its_guild_is(connection: sqlite3.Connection) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute("DELETE FROM audit")
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("DELETE FROM desk")
    connection.execute("DELETE FROM audit")
    assert audit.of_request(connection, 1, limit=5) == ()
