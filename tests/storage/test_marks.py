"""Marks in the ledger: whatever happens between, what was shown is taken away before the next."""

import contextlib
import sqlite3
from collections.abc import Iterator

import pytest

from storage import inbox, marks, outbox, outbox_changes, relayed, retention
from storage.marks import Mark, State
from storage.migrate import load
from storage.relayed import Relayed
from tests.storage.long_past import GUILD, MIGRATIONS

CHANNEL, MESSAGE, NOW, DUE = 900, 5000, 10_000, 12_000
EVENT = relayed.event_of(MESSAGE)


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    """A ledger in which one message has just been taken."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as opened:
        for migration in load(MIGRATIONS):
            opened.executescript(migration.sql)
        marks.add(opened, taken())
        yield opened


def taken(message_id: int = MESSAGE, channel_id: int = CHANNEL, at: int = DUE) -> Mark:
    return Mark(
        message_id=message_id,
        channel_id=channel_id,
        guild_id=GUILD,
        wanted="taken",
        next_at=at,
    )


def the_mark(connection: sqlite3.Connection) -> Mark:
    found = marks.find(connection, MESSAGE)
    assert found is not None
    return found


def want(connection: sqlite3.Connection, wanted: State, now: int = NOW) -> None:
    marks.want(connection, MESSAGE, wanted, now=now, at=now)


def copy(connection: sqlite3.Connection, ordinal: int, state: str, problem: str | None) -> int:
    """A copy of the message, in that state; its part's id."""
    new = outbox.NewPart(
        event=EVENT,
        ordinal=ordinal,
        guild_id=GUILD,
        destination=1,
        kind="relay",
        payload="{}",
        delivery_key=f"key-of-a-part-{ordinal:06}",
    )
    outbox.plan(connection, new, 1)
    part = outbox.of_event(connection, EVENT)[-1]
    assert part.ordinal == ordinal
    end(connection, part.id, state, problem)
    return part.id


def change(connection: sqlite3.Connection, target: int, kind: str, state: str, why: str) -> None:
    """An edit or deletion of a copy, in that state."""
    number = connection.execute("SELECT count(*) FROM outbox_part").fetchone()[0]
    new = outbox.NewPart(
        event=f"e:{MESSAGE}:{number}",
        ordinal=0,
        guild_id=GUILD,
        destination=1,
        kind=kind,
        payload="{}",
        delivery_key=f"key-of-change-{number:06}",
        target_part=target,
    )
    outbox.plan(connection, new, 1)
    found = outbox_changes.change_of(connection, target)
    assert found is not None
    end(connection, found.id, state, why if state == "dropped" else None)


def end(connection: sqlite3.Connection, part_id: int, state: str, problem: str | None) -> None:
    connection.execute(
        "UPDATE outbox_part SET state = ?, problem = ? WHERE id = ?", (state, problem, part_id)
    )


def test_a_message_that_was_taken_has_nothing_to_show_for_a_while(
    connection: sqlite3.Connection,
) -> None:
    assert marks.due(connection, DUE - 1, limit=9) == ()
    assert marks.next_due(connection, DUE - 1) == DUE
    assert marks.due(connection, DUE, limit=9) == (taken(),)
    assert marks.next_due(connection, DUE) is None


def test_one_that_is_delivered_before_that_never_shows_anything_else(
    connection: sqlite3.Connection,
) -> None:
    want(connection, "delivered")
    (mark,) = marks.due(connection, NOW, limit=9)
    assert (mark.wanted, mark.shown) == ("delivered", None)
    marks.put(connection, mark)
    assert marks.find(connection, MESSAGE) is None


def test_what_is_shown_is_taken_away_before_the_next(connection: sqlite3.Connection) -> None:
    marks.put(connection, the_mark(connection))
    assert the_mark(connection).next_at is None
    assert marks.due(connection, DUE + 1, limit=9) == ()
    want(connection, "delivered")
    assert (the_mark(connection).wanted, the_mark(connection).shown) == ("delivered", "taken")
    marks.taken_away(connection, the_mark(connection), NOW)
    assert (the_mark(connection).shown, the_mark(connection).next_at) == (None, NOW)


@pytest.mark.parametrize("ended", ["under way", "not done"])
def test_what_may_be_shown_by_a_call_that_nobody_answered_is_taken_away_too(
    connection: sqlite3.Connection, ended: str
) -> None:
    called = the_mark(connection)
    if ended == "not done":
        marks.wait(connection, called, DUE + 60_000)
    want(connection, "delivered", now=DUE)
    assert the_mark(connection).shown == "taken"
    marks.put(connection, called)  # its answer comes after all
    assert (the_mark(connection).wanted, the_mark(connection).shown) == ("delivered", "taken")


def test_what_comes_to_be_wanted_again_while_it_is_taken_away_is_put_again(
    connection: sqlite3.Connection,
) -> None:
    marks.put(connection, the_mark(connection))
    want(connection, "problem")
    being_removed = the_mark(connection)
    want(connection, "taken")
    marks.taken_away(connection, being_removed, NOW)
    assert (the_mark(connection).wanted, the_mark(connection).shown) == ("taken", None)
    assert the_mark(connection).next_at == NOW


def test_a_mark_that_is_wanted_already_is_left_alone(connection: sqlite3.Connection) -> None:
    marks.wait(connection, the_mark(connection), DUE)
    before = the_mark(connection)
    want(connection, "taken")
    marks.add(connection, taken(at=1))
    assert the_mark(connection) == before


@pytest.mark.parametrize("shown", [True, False])
def test_with_none_wanted_the_row_goes_with_what_was_shown(
    connection: sqlite3.Connection, shown: bool
) -> None:
    if shown:
        marks.put(connection, the_mark(connection))
    want(connection, "none")
    assert the_mark(connection).shown == ("taken" if shown else None)
    marks.taken_away(connection, the_mark(connection), NOW)
    assert marks.find(connection, MESSAGE) is None


def test_a_problem_is_kept_for_a_carried_message_alone_which_may_yet_arrive(
    connection: sqlite3.Connection,
) -> None:
    want(connection, "problem")
    marks.add(connection, taken(MESSAGE + 1))
    marks.want(connection, MESSAGE + 1, "problem", now=NOW, at=NOW)
    carry(connection)
    for message_id in (MESSAGE, MESSAGE + 1):
        mark = marks.find(connection, message_id)
        assert mark is not None
        marks.put(connection, mark)
    assert the_mark(connection).next_at is None
    assert marks.find(connection, MESSAGE + 1) is None


def carry(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA foreign_keys = OFF")
    relayed.add(
        connection,
        Relayed(
            id=MESSAGE,
            conversation_id="c",
            channel_id=CHANNEL,
            side="member",
            author_id=1,
            author_name="Ada",
            locale="en",
            text="",
            extras="{}",
            reply_to=None,
            at=1,
        ),
    )


def test_what_is_erased_has_no_mark_to_follow(connection: sqlite3.Connection) -> None:
    carry(connection)
    waiting = inbox.NewEvent(
        id="m:1",
        channel_id=CHANNEL,
        position=1,
        kind="message",
        author_id=1,
        conversation_id="c",
        payload="{}",
    )
    inbox.add(connection, waiting, NOW)
    for message_id in (1, 2):
        marks.add(connection, taken(message_id))
    retention.erase_messages(connection, "c", after=0, limit=9)
    retention.erase_waiting(connection, CHANNEL, "c")
    found = [marks.find(connection, message_id) for message_id in (MESSAGE, 1, 2)]
    assert [mark is not None for mark in found] == [False, False, True]


def test_each_channel_has_its_turn_however_much_another_has_to_show(
    connection: sqlite3.Connection,
) -> None:
    for number in range(20):
        marks.add(connection, taken(MESSAGE + 1 + number, at=DUE - 1 - number))
    marks.add(connection, taken(1, CHANNEL + 1))
    found = marks.due(connection, DUE, limit=9)
    assert [mark.message_id for mark in found] == [MESSAGE + 20, 1]


def test_where_marks_are_given_up_none_is_begun_until_the_guilds_permissions_change(
    connection: sqlite3.Connection,
) -> None:
    marks.add(connection, taken(1, CHANNEL + 1))
    marks.give_up_channel(connection, CHANNEL, GUILD)
    marks.give_up_channel(connection, CHANNEL, GUILD)
    marks.add(connection, taken(MESSAGE + 1))
    assert [mark.message_id for mark in marks.due(connection, DUE, limit=9)] == [1]
    marks.try_again(connection, GUILD + 1)
    marks.add(connection, taken(MESSAGE + 1))
    assert marks.find(connection, MESSAGE + 1) is None
    marks.try_again(connection, GUILD)
    marks.add(connection, taken(MESSAGE + 1))
    assert marks.find(connection, MESSAGE + 1) is not None


@pytest.mark.parametrize(
    ("copies", "state"),
    [
        ([], "none"),
        (["pending"], "taken"),
        (["sent"], "delivered"),
        (["sent", "pending"], "taken"),
        (["sent", "dropped"], "problem"),
        (["dropped", "dropped"], "problem"),
        (["dropped", "pending"], "taken"),
        (["dropped", "sent"], "delivered"),
        (["removed"], "none"),
        (["sent", "removed"], "delivered"),
    ],
)
def test_an_originals_copies_say_how_it_fares(
    connection: sqlite3.Connection, copies: list[str], state: State
) -> None:
    for ordinal, one in enumerate(copies):
        dropped = one in ("dropped", "removed")
        problem = "automod" if one == "dropped" else "removed" if dropped else None
        copy(connection, ordinal, "dropped" if dropped else one, problem)
    assert marks.of_copies(connection, EVENT) == state


@pytest.mark.parametrize(
    ("changes", "state"),
    [
        ([("edit", "dropped", "automod")], "problem"),
        ([("edit", "dropped", "automod"), ("edit", "sent", "")], "delivered"),
        ([("edit", "dropped", "automod"), ("edit", "pending", "")], "delivered"),
        ([("edit", "dropped", "removed")], "delivered"),
        ([("edit", "dropped", "taken_in")], "delivered"),
        ([("edit", "dropped", "target_gone")], "delivered"),
        ([("edit", "sent", "")], "delivered"),
        ([("delete", "pending", "")], "none"),
        ([("delete", "sent", "")], "none"),
        ([("delete", "dropped", "automod")], "problem"),
    ],
)
def test_so_does_what_became_of_its_last_change(
    connection: sqlite3.Connection, changes: list[tuple[str, str, str]], state: State
) -> None:
    part_id = copy(connection, 0, "sent", None)
    for kind, ended, why in changes:
        change(connection, part_id, kind, ended, why)
    assert marks.of_copies(connection, EVENT) == state
