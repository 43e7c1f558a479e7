"""The outbox's heads: one part a channel, in order, and nothing overtakes."""

import contextlib
import sqlite3
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storage import outbox
from tests.storage.long_past import ENDED, LIVE, make


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    """A ledger whose own parts are all over."""
    path = tmp_path_factory.mktemp("ledger") / "ledger.db"
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        make(connection)
        connection.execute(
            "UPDATE outbox_part SET state = 'dropped', problem = 'over' WHERE state = 'pending'"
        )
        yield connection


@pytest.fixture
def connection(past: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """The same, and what a test does to it is undone."""
    past.execute("BEGIN")
    yield past
    past.execute("ROLLBACK")


def plan(
    connection: sqlite3.Connection,
    number: int,
    destination: int,
    *,
    next_at: int = 10,
    in_flight: str | None = None,
) -> int:
    key = f"key-of-a-part-{number:06}"
    new = outbox.NewPart(
        event=f"new:{number}",
        ordinal=0,
        guild_id=70,
        destination=destination,
        kind="panel",
        payload="{}",
        delivery_key=key,
    )
    assert outbox.plan(connection, new, next_at)
    if in_flight:
        part = outbox.find(connection, key)
        assert part is not None
        assert outbox.begin(connection, part, owner=in_flight, fence=0, now=1)
    found = outbox.find(connection, key)
    assert found is not None
    return found.id


def due(connection: sqlite3.Connection, now: int = 10, limit: int = 100) -> list[int]:
    return [part.id for part in outbox.due(connection, now, limit=limit)]


def test_without_anything_pending_nothing_is_due(connection: sqlite3.Connection) -> None:
    assert due(connection) == []
    assert outbox.next_due(connection, 0) is None


def test_each_channel_has_its_oldest_part_due(connection: sqlite3.Connection) -> None:
    first = plan(connection, 1, 900)
    plan(connection, 2, 900)
    other = plan(connection, 3, 5, next_at=9)
    assert due(connection) == [other, first]
    assert due(connection, limit=1) == [other]


def test_a_part_that_waits_or_is_in_flight_holds_its_channel_back(
    connection: sqlite3.Connection,
) -> None:
    plan(connection, 1, 900, next_at=500)
    plan(connection, 2, 900)
    plan(connection, 3, 901, in_flight="me")
    plan(connection, 4, 901)
    assert due(connection) == []
    assert outbox.next_due(connection, 10) == 500


parts = st.lists(
    st.tuples(st.integers(1, 5), st.integers(1, 20), st.booleans()), min_size=1, max_size=25
)


@settings(max_examples=60, deadline=None)
@given(planned=parts, now=st.integers(0, 21))
def test_what_is_due_is_what_looking_at_every_part_would_find(
    past: sqlite3.Connection, planned: list[tuple[int, int, bool]], now: int
) -> None:
    past.execute("BEGIN")
    try:
        heads: dict[int, tuple[int, int, bool]] = {}
        for number, (destination, next_at, flying) in enumerate(planned):
            key = plan(
                past, number, destination, next_at=next_at, in_flight="me" if flying else None
            )
            heads.setdefault(destination, (next_at, key, flying))
        ready = sorted((at, key) for at, key, flying in heads.values() if at <= now and not flying)
        assert due(past, now) == [key for _, key in ready]
        later = [at for at, _, _ in heads.values() if at > now]
        assert outbox.next_due(past, now) == min(later, default=None)
    finally:
        past.execute("ROLLBACK")


def test_planning_again_adds_nothing_and_dropping_takes_the_rest_of_the_event(
    connection: sqlite3.Connection,
) -> None:
    def new(ordinal: int, key: str) -> outbox.NewPart:
        return outbox.NewPart(
            event="long",
            ordinal=ordinal,
            guild_id=70,
            destination=900,
            kind="panel",
            payload="{}",
            delivery_key=key,
        )

    assert [outbox.plan(connection, new(n, f"key-of-a-long-{n:06}"), 1) for n in range(3)] == [
        True,
        True,
        True,
    ]
    assert not outbox.plan(connection, new(1, "key-of-another-0001"), 1)
    second = outbox.of_event(connection, "long")[1]
    outbox.drop(connection, second, "dms_closed")
    assert [part.state for part in outbox.of_event(connection, "long")] == [
        "pending",
        "dropped",
        "dropped",
    ]


def test_the_counts_of_parts_follow_every_change(connection: sqlite3.Connection) -> None:
    plan(connection, 1, 900)
    truth = dict(
        connection.execute("SELECT state, count(*) FROM outbox_part GROUP BY state").fetchall()
    )
    assert (
        outbox.counts(connection)
        == truth
        == {
            "pending": 1,
            "dropped": LIVE * 5,
            "sent": ENDED,
        }
    )
