"""A part that needs a person: it holds its channel, and is not asked for again by itself."""

import contextlib
import sqlite3
from collections.abc import Callable, Iterator

import pytest

from storage import channels, deliveries, mending, outbox
from storage.migrate import load
from storage.outbox import Part
from tests.storage.long_past import GUILD, MIGRATIONS

CHANNEL, NOW = 900, 50
KEY, NEW_KEY = "key-of-a-part-000000", "key-of-another-00000"


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    """A ledger whose one channel has three parts of two events; the first needs a person."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as opened:
        for migration in load(MIGRATIONS):
            opened.executescript(migration.sql)
        channels.advance_fence(opened, CHANNEL, 5)
        for number, event in enumerate(("long", "long", "short")):
            new = outbox.NewPart(
                event=event,
                ordinal=number,
                guild_id=GUILD,
                destination=CHANNEL,
                kind="notice",
                payload="{}",
                delivery_key=f"key-of-a-part-{number:06}",
            )
            assert outbox.plan(opened, new, 1)
        assert outbox.begin(opened, first(opened), owner="me", fence=5, now=2)
        keep(opened, person_at=10)
        yield opened


def keep(connection: sqlite3.Connection, *, person_at: int | None) -> None:
    outbox.wait(
        connection,
        KEY,
        uncertain=True,
        next_at=20,
        problem="missing_access",
        now=10,
        unreadable=5,
        person_at=person_at,
    )


def first(connection: sqlite3.Connection) -> Part:
    part = outbox.with_id(connection, 1)
    assert part is not None
    return part


def due(connection: sqlite3.Connection) -> list[int]:
    return [part.id for part in outbox.due(connection, NOW, limit=9)]


def waiting(connection: sqlite3.Connection, guild_id: int = GUILD) -> list[int]:
    return [part.id for part in outbox.for_person(connection, guild_id, limit=9)]


def test_it_is_listed_in_its_own_guild_and_counted_as_in_doubt(
    connection: sqlite3.Connection,
) -> None:
    assert waiting(connection) == [1]
    assert waiting(connection, GUILD + 1) == []
    assert deliveries.uncertain_count(connection) == 1


def test_it_holds_its_channel_and_no_attempt_begins(connection: sqlite3.Connection) -> None:
    assert due(connection) == []
    assert outbox.next_due(connection, 0) is None
    assert not outbox.begin(connection, first(connection), owner="me", fence=5, now=NOW)


def test_while_it_does_not_need_a_person_it_is_looked_at_again(
    connection: sqlite3.Connection,
) -> None:
    keep(connection, person_at=None)
    assert waiting(connection) == []
    assert outbox.next_due(connection, 0) == 20
    assert due(connection) == [1]


@pytest.mark.parametrize(
    ("settle", "left", "states"),
    [
        (lambda c: outbox.sent(c, KEY, None, NOW), [2], ["sent", "pending", "pending"]),
        (lambda c: outbox.sent(c, KEY, 77, NOW), [2], ["sent", "pending", "pending"]),
        (lambda c: outbox.renew_key(c, first(c), NEW_KEY, NOW), [1], ["pending"] * 3),
        (lambda c: outbox.drop(c, first(c), "given_up"), [3], ["dropped", "dropped", "pending"]),
        (lambda c: mending.hurry(c, GUILD, NOW), [1], ["pending"] * 3),
    ],
)
def test_what_settles_it_frees_its_channel(
    connection: sqlite3.Connection,
    settle: Callable[[sqlite3.Connection], None],
    left: list[int],
    states: list[str],
) -> None:
    settle(connection)
    assert waiting(connection) == []
    assert due(connection) == left
    rows = connection.execute("SELECT state FROM outbox_part ORDER BY id").fetchall()
    assert [state for (state,) in rows] == states


def test_who_decided_is_kept_and_a_message_seen_later_gets_its_name(
    connection: sqlite3.Connection,
) -> None:
    outbox.decided(connection, first(connection), 9)
    outbox.name(connection, KEY, 77)
    assert first(connection).message_id is None
    outbox.sent(connection, KEY, None, NOW)
    outbox.name(connection, KEY, 77)
    outbox.name(connection, KEY, 78)
    assert (first(connection).decided_by, first(connection).message_id) == (9, 77)


def test_a_fence_in_doubt_is_sure_again_once_somebody_has_looked(
    connection: sqlite3.Connection,
) -> None:
    assert not channels.fence_is_sure(connection, CHANNEL + 1)
    looks: tuple[Callable[[], None], ...] = (
        lambda: channels.advance_fence(connection, CHANNEL, 6),
        lambda: channels.trust_fence(connection, CHANNEL),
    )
    for look in looks:
        assert channels.fence_is_sure(connection, CHANNEL)
        channels.doubt_fence(connection, CHANNEL)
        assert not channels.fence_is_sure(connection, CHANNEL)
        look()
    assert channels.fence_is_sure(connection, CHANNEL)
    assert channels.fence(connection, CHANNEL) == 6
