"""What waits for a permission in a guild is found, and hurried; everything else is left alone."""

import contextlib
import sqlite3
from collections.abc import Iterator

import pytest

from storage import mending, rooms
from tests.storage.long_past import ENDED, GUILD, make

NOW, LATER, OTHER_GUILD = 1_000, 9_000, 71
WAITERS = {
    "outbox_part": ("id", "problem = 'rate_limited', parked = 1"),
    "outbox_part in doubt": ("id", "problem = 'missing_access', uncertain = 1"),
    "card": ("request_id", "problem = 'missing_permissions'"),
    "campaign_card": ("campaign_id", "problem = 'missing_permissions'"),
    "delivery": ("request_id", "problem = 'forbidden', in_flight = NULL"),
}


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    """A ledger in which everything that lives waits until `LATER`, for other reasons."""
    path = tmp_path_factory.mktemp("ledger") / "ledger.db"
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        make(connection)
        connection.execute(
            "INSERT INTO campaign VALUES (?, ?, 1, 7, 's', 'S', '', 1, 0, 1, 1, 1, 0, 'open')",
            (ENDED + 1, GUILD),
        )
        connection.execute(
            "INSERT INTO campaign_card (campaign_id, guild_id, stale, next_at) VALUES (?, ?, 1, 1)",
            (ENDED + 1, GUILD),
        )
        for table in ("outbox_part", "card", "campaign_card", "delivery"):
            connection.execute(f"UPDATE {table} SET next_at = {LATER}, problem = 'rate_limited'")
        yield connection


@pytest.fixture
def connection(past: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """The same, and what a test does to it is undone."""
    past.execute("BEGIN")
    yield past
    past.execute("ROLLBACK")


def hurried(connection: sqlite3.Connection) -> list[tuple[str, int]]:
    """What is due by now."""
    return [
        (table, row[0])
        for table, key in (
            ("outbox_part", "id"),
            ("card", "request_id"),
            ("campaign_card", "campaign_id"),
            ("delivery", "request_id"),
        )
        for row in connection.execute(f"SELECT {key} FROM {table} WHERE next_at <= {NOW}")
    ]


def test_where_nothing_waits_for_a_permission_nothing_is_found(
    connection: sqlite3.Connection,
) -> None:
    assert not mending.waits(connection, GUILD)
    mending.hurry(connection, GUILD, NOW)
    assert hurried(connection) == []


@pytest.mark.parametrize("what", WAITERS)
def test_what_waits_for_a_permission_is_found_and_hurried(
    connection: sqlite3.Connection, what: str
) -> None:
    key, waits = WAITERS[what]
    table = what.split(maxsplit=1)[0]
    connection.execute(f"UPDATE {table} SET {waits} WHERE {key} = {ENDED + 1}")
    assert mending.waits(connection, GUILD)
    assert not mending.waits(connection, OTHER_GUILD)
    mending.hurry(connection, OTHER_GUILD, NOW)
    assert hurried(connection) == []
    mending.hurry(connection, GUILD, NOW)
    assert hurried(connection) == [(table, ENDED + 1)]


@pytest.mark.parametrize("table", ["outbox_part", "delivery"])
def test_a_call_that_is_under_way_is_left_alone(connection: sqlite3.Connection, table: str) -> None:
    key = "id" if table == "outbox_part" else "request_id"
    connection.execute(
        f"UPDATE {table} SET problem = 'missing_access', in_flight = 'me', fence = 0,"
        f" first_try_at = 1, uncertain = 1 WHERE {key} = {ENDED + 1}"
        if table == "delivery"
        else f"UPDATE {table} SET problem = 'missing_access', in_flight = 'me'"
        f" WHERE {key} = {ENDED + 1}"
    )
    assert not mending.waits(connection, GUILD)


def test_a_room_that_could_not_be_read_is_read_on(connection: sqlite3.Connection) -> None:
    for channel_id in (1, 2):
        rooms.listen(connection, channel_id, guild_id=GUILD, side="desk", cursor=0, now=LATER)
    assert not mending.waits(connection, GUILD)
    rooms.read_later(connection, 2, "missing_access", LATER, blind=True)
    assert mending.waits(connection, GUILD)
    assert not mending.waits(connection, OTHER_GUILD)
    mending.hurry(connection, GUILD, NOW)
    assert [one.channel_id for one in rooms.behind(connection, NOW, limit=10)] == [2]
