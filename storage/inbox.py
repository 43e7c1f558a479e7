"""The inbox: what people wrote, edited and deleted, once each, in order a lane.

A lane is what a channel has for one conversation, or for none yet. So in a direct message that
conversations share, what has to wait in one of them holds up no other.
"""

import sqlite3
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["message", "edit", "delete"]
_RANKS: dict[Kind, int] = {"message": 0, "edit": 1, "delete": 2}

_COLUMNS = (
    "seq, id, channel_id, position, kind, author_id, conversation_id, payload, state, at, tries,"
    " next_at, problem"
)

_QUEUED = "one.state = 'queued' AND one.set_aside = 0"
_IN_ORDER = (
    " ORDER BY one.channel_id, coalesce(one.conversation_id, ''), one.position, one.rank, one.seq"
    " LIMIT 1"
)

# The first queued event of each lane, found by stepping from one lane to the next through the
# index: a long backlog costs no more than a short one.
_HEADS = (
    "WITH RECURSIVE head (seq) AS ("
    f"SELECT (SELECT seq FROM inbox_event AS one WHERE {_QUEUED}{_IN_ORDER})"
    " UNION ALL SELECT coalesce("
    f"(SELECT seq FROM inbox_event AS one WHERE {_QUEUED} AND one.channel_id = this.channel_id"
    " AND coalesce(one.conversation_id, '') > coalesce(this.conversation_id, '')"
    f"{_IN_ORDER}),"
    f" (SELECT seq FROM inbox_event AS one WHERE {_QUEUED}"
    f" AND one.channel_id > this.channel_id{_IN_ORDER}))"
    " FROM head JOIN inbox_event AS this ON this.seq = head.seq)"
)
_READY = (
    " NOT EXISTS (SELECT 1 FROM inbound WHERE inbound.channel_id = event.channel_id"
    " AND inbound.behind > 0 AND inbound.blind = 0)"
    " AND NOT EXISTS (SELECT 1 FROM relayed_file WHERE state = 'wanted'"
    " AND channel_id = event.channel_id AND message_id = event.position)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that came in. `position` is the message's id; `at` and `next_at` are UTC ms.

    `conversation_id` None: written in a DM before its member has chosen where it goes.
    """

    seq: int
    id: str
    channel_id: int
    position: int
    kind: Kind
    author_id: int | None
    conversation_id: str | None
    payload: str | None
    state: str
    at: int
    tries: int
    next_at: int
    problem: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEvent:
    id: str
    channel_id: int
    position: int
    kind: Kind
    author_id: int | None
    conversation_id: str | None
    payload: str


def add(connection: sqlite3.Connection, event: NewEvent, now: int) -> bool:
    """Put an event into the inbox; False when it has been there before: nothing is changed."""
    cursor = connection.execute(
        "INSERT INTO inbox_event (id, channel_id, position, rank, kind, author_id,"
        " conversation_id, payload, state, at, next_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'queued', ?, ?) ON CONFLICT (id) DO NOTHING",
        (
            event.id,
            event.channel_id,
            event.position,
            _RANKS[event.kind],
            event.kind,
            event.author_id,
            event.conversation_id,
            event.payload,
            now,
            now,
        ),
    )
    return cursor.rowcount == 1


def find(connection: sqlite3.Connection, event_id: str) -> Event | None:
    """The event with that id."""
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM inbox_event WHERE id = ?", (event_id,)
    ).fetchone()
    return None if row is None else _decode(row)


def first(
    connection: sqlite3.Connection, channel_id: int, conversation_id: str | None
) -> Event | None:
    """The lane's next event in order, due or not."""
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM inbox_event WHERE state = 'queued' AND set_aside = 0"
        " AND channel_id = ? AND coalesce(conversation_id, '') = ?"
        " ORDER BY position, rank, seq LIMIT 1",
        (channel_id, conversation_id or ""),
    ).fetchone()
    return None if row is None else _decode(row)


def due(connection: sqlite3.Connection, now: int, *, limit: int) -> tuple[Event, ...]:
    """The first event of each lane, where it is due and its channel read to its end.

    A message whose files are still being fetched is not.
    """
    columns = ", ".join(f"event.{name}" for name in _COLUMNS.split(", "))
    rows = connection.execute(
        f"{_HEADS} SELECT {columns} FROM head JOIN inbox_event AS event ON event.seq = head.seq"
        f" WHERE event.next_at <= ? AND {_READY} ORDER BY event.next_at, event.seq LIMIT ?",
        (now, limit),
    ).fetchall()
    return tuple(_decode(row) for row in rows)


def next_due(connection: sqlite3.Connection, now: int) -> int | None:
    """When the next lane's first event is due after `now` (UTC ms)."""
    row = connection.execute(
        f"{_HEADS} SELECT min(event.next_at) FROM head JOIN inbox_event AS event"
        f" ON event.seq = head.seq WHERE event.next_at > ? AND {_READY}",
        (now,),
    ).fetchone()
    return None if row[0] is None else int(row[0])


def finish(connection: sqlite3.Connection, event_id: str) -> None:
    """The event is worked; its content is erased."""
    connection.execute(
        "UPDATE inbox_event SET state = 'done', payload = NULL, problem = NULL"
        " WHERE id = ? AND state = 'queued'",
        (event_id,),
    )


def drop(connection: sqlite3.Connection, event_id: str, problem: str) -> None:
    """The event will not be worked; its content is erased, the reason stays."""
    connection.execute(
        "UPDATE inbox_event SET state = 'dropped', payload = NULL, problem = ?"
        " WHERE id = ? AND state = 'queued'",
        (problem, event_id),
    )


def defer(connection: sqlite3.Connection, event_id: str, problem: str, until: int) -> None:
    """Hold the event, and with it its lane alone, until then (UTC ms).

    Its `tries` are those in a row with the same problem.
    """
    connection.execute(
        "UPDATE inbox_event SET tries = CASE WHEN problem = ? THEN tries + 1 ELSE 1 END,"
        " problem = ?, next_at = ? WHERE id = ? AND state = 'queued'",
        (problem, problem, until, event_id),
    )


def say(connection: sqlite3.Connection, event_id: str, problem: str | None) -> None:
    """Why the event waits, where that is not for a time; None: it waits no longer."""
    connection.execute(
        "UPDATE inbox_event SET problem = ? WHERE id = ? AND state = 'queued'", (problem, event_id)
    )


def set_aside(connection: sqlite3.Connection, event_id: str, problem: str) -> None:
    """The event can't be read: it is kept for a person, and holds up nothing."""
    connection.execute(
        "UPDATE inbox_event SET set_aside = 1, problem = ? WHERE id = ? AND state = 'queued'",
        (problem, event_id),
    )


def hurry(connection: sqlite3.Connection, conversation_id: str, problem: str, now: int) -> None:
    """What kept the conversation's events waiting is over: they are worked at once."""
    connection.execute(
        "UPDATE inbox_event SET next_at = ?, tries = 0 WHERE conversation_id = ?"
        " AND state = 'queued' AND problem = ?",
        (now, conversation_id, problem),
    )


def choose(connection: sqlite3.Connection, channel_id: int, conversation_id: str, now: int) -> int:
    """Give what waits in the channel for a choice to that conversation; answer how much it was."""
    cursor = connection.execute(
        "UPDATE inbox_event SET conversation_id = ?, next_at = ?, problem = NULL, tries = 0"
        " WHERE channel_id = ? AND state = 'queued' AND set_aside = 0 AND conversation_id IS NULL",
        (conversation_id, now, channel_id),
    )
    return cursor.rowcount


def messages_in(
    connection: sqlite3.Connection, channel_id: int, *, since: int, before: int
) -> tuple[int, ...]:
    """The channel's messages from that id on that wait and came in before then (UTC ms)."""
    rows = connection.execute(
        "SELECT position FROM inbox_event WHERE channel_id = ? AND position >= ?"
        " AND state = 'queued' AND set_aside = 0 AND kind = 'message' AND at < ?"
        " AND id NOT LIKE 'i:%' ORDER BY position",
        (channel_id, since, before),
    ).fetchall()
    return tuple(row[0] for row in rows)


def hurry_unchosen(connection: sqlite3.Connection, channel_id: int, now: int) -> None:
    """Nothing is left to choose in the channel: what waits for a choice is looked at at once."""
    connection.execute(
        "UPDATE inbox_event SET next_at = ?, tries = 0"
        " WHERE channel_id = ? AND state = 'queued' AND set_aside = 0 AND conversation_id IS NULL",
        (now, channel_id),
    )


def waiting(connection: sqlite3.Connection) -> int:
    """How many events wait to be worked."""
    row = connection.execute(
        "SELECT count(*) FROM inbox_event WHERE state = 'queued' AND set_aside = 0"
    ).fetchone()
    return int(row[0])


def aside(connection: sqlite3.Connection) -> int:
    """How many events are set aside for a person."""
    row = connection.execute("SELECT count(*) FROM inbox_event WHERE set_aside = 1").fetchone()
    return int(row[0])


def _decode(row: tuple[Any, ...]) -> Event:
    return Event(**dict(zip(_COLUMNS.split(", "), row, strict=True)))
