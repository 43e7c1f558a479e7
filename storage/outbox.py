"""The outbox: every durable word that is not a request's first message, part by part."""

import sqlite3
from dataclasses import dataclass
from typing import Any

COLUMNS = (
    "id, event, ordinal, guild_id, destination, kind, payload, revision, state, delivery_key,"
    " message_id, attempts, unreadable, uncertain, in_flight, parked, fence, first_try_at,"
    " last_end_at, next_at, problem, created_at, person_at, decided_by, target_part"
)

# The first pending part of each destination, found by stepping from one destination to the next
# through the index: a long backlog costs no more than a short one.
_HEADS = (
    "WITH RECURSIVE lane (destination) AS ("
    "SELECT min(destination) FROM outbox_part WHERE state = 'pending'"
    " UNION ALL SELECT (SELECT min(destination) FROM outbox_part WHERE state = 'pending'"
    " AND destination > lane.destination) FROM lane WHERE lane.destination IS NOT NULL),"
    " head (id) AS (SELECT (SELECT min(id) FROM outbox_part WHERE state = 'pending'"
    " AND destination = lane.destination) FROM lane)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One message to one channel (`destination`). Fields as in `deliveries.Delivery`.

    `person_at` is since when only a person can say what became of it; `decided_by` is who last did.
    With a `target_part` it is no message of its own: it edits or deletes (`kind`) what that part
    has sent.
    """

    id: int
    event: str
    ordinal: int
    guild_id: int
    destination: int
    kind: str
    payload: str | None
    revision: int
    state: str
    delivery_key: str
    message_id: int | None
    attempts: int
    unreadable: int
    uncertain: bool
    in_flight: str | None
    parked: bool
    fence: int | None
    first_try_at: int | None
    last_end_at: int | None
    next_at: int
    problem: str | None
    created_at: int
    person_at: int | None
    decided_by: int | None
    target_part: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPart:
    event: str
    ordinal: int
    guild_id: int
    destination: int
    kind: str
    payload: str
    delivery_key: str
    target_part: int | None = None


def plan(connection: sqlite3.Connection, part: NewPart, now: int) -> bool:
    """Queue a part; False when it was planned before: planning again adds nothing."""
    cursor = connection.execute(
        "INSERT INTO outbox_part (event, ordinal, guild_id, destination, kind, payload, state,"
        " delivery_key, next_at, created_at, target_part)"
        " VALUES (?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?, ?)"
        " ON CONFLICT (event, ordinal) DO NOTHING",
        (
            part.event,
            part.ordinal,
            part.guild_id,
            part.destination,
            part.kind,
            part.payload,
            part.delivery_key,
            now,
            now,
            part.target_part,
        ),
    )
    return cursor.rowcount == 1


def find(connection: sqlite3.Connection, delivery_key: str) -> Part | None:
    """The part with that key."""
    row = connection.execute(
        f"SELECT {COLUMNS} FROM outbox_part WHERE delivery_key = ?", (delivery_key,)
    ).fetchone()
    return None if row is None else decode(row)


def with_id(connection: sqlite3.Connection, part_id: int) -> Part | None:
    """The part with that id."""
    row = connection.execute(
        f"SELECT {COLUMNS} FROM outbox_part WHERE id = ?", (part_id,)
    ).fetchone()
    return None if row is None else decode(row)


def of_event(connection: sqlite3.Connection, event: str) -> tuple[Part, ...]:
    """An event's parts, in order."""
    rows = connection.execute(
        f"SELECT {COLUMNS} FROM outbox_part WHERE event = ? ORDER BY ordinal", (event,)
    ).fetchall()
    return tuple(decode(row) for row in rows)


def pending(connection: sqlite3.Connection, destination: int) -> tuple[Part, ...]:
    """A channel's parts that are not sent, those on their way among them, in order."""
    rows = connection.execute(
        f"SELECT {COLUMNS} FROM outbox_part WHERE destination = ? AND state = 'pending'"
        " ORDER BY id",
        (destination,),
    ).fetchall()
    return tuple(decode(row) for row in rows)


def find_by_id(connection: sqlite3.Connection, part_id: int) -> Part | None:
    """The part with that id."""
    row = connection.execute(
        f"SELECT {COLUMNS} FROM outbox_part WHERE id = ?", (part_id,)
    ).fetchone()
    return None if row is None else decode(row)


def is_head(connection: sqlite3.Connection, part: Part) -> bool:
    """Whether nothing is before the part on its way to its channel."""
    row = connection.execute(
        "SELECT min(id) FROM outbox_part WHERE state = 'pending' AND destination = ?",
        (part.destination,),
    ).fetchone()
    return bool(row[0] == part.id)


def due(connection: sqlite3.Connection, now: int, *, limit: int) -> tuple[Part, ...]:
    """The first pending part of each destination, where it is due and not in flight.

    One that needs a person holds its destination, and is not due by itself.
    """
    columns = ", ".join(f"part.{name}" for name in COLUMNS.split(", "))
    rows = connection.execute(
        f"{_HEADS} SELECT {columns} FROM head JOIN outbox_part AS part ON part.id = head.id"
        " WHERE part.next_at <= ? AND part.in_flight IS NULL AND part.person_at IS NULL"
        " ORDER BY part.next_at, part.id LIMIT ?",
        (now, limit),
    ).fetchall()
    return tuple(decode(row) for row in rows)


def next_due(connection: sqlite3.Connection, now: int) -> int | None:
    """When the next destination's first part is due after `now` (UTC ms)."""
    row = connection.execute(
        f"{_HEADS} SELECT min(part.next_at) FROM head JOIN outbox_part AS part"
        " ON part.id = head.id WHERE part.next_at > ? AND part.person_at IS NULL",
        (now,),
    ).fetchone()
    return None if row[0] is None else int(row[0])


def begin(connection: sqlite3.Connection, part: Part, *, owner: str, fence: int, now: int) -> bool:
    """Put an attempt on disk where the part is still pending at that revision; say whether."""
    cursor = connection.execute(
        "UPDATE outbox_part SET attempts = attempts + 1, in_flight = ?,"
        " fence = CASE uncertain WHEN 1 THEN fence ELSE ? END,"
        " first_try_at = CASE uncertain WHEN 1 THEN first_try_at ELSE ? END, uncertain = 1"
        " WHERE id = ? AND revision = ? AND state = 'pending' AND in_flight IS NULL"
        " AND person_at IS NULL",
        (owner, fence, now, part.id, part.revision),
    )
    return cursor.rowcount == 1


def sent(
    connection: sqlite3.Connection, delivery_key: str, message_id: int | None, now: int
) -> None:
    """The part's receipt; its text is erased."""
    connection.execute(
        "UPDATE outbox_part SET state = 'sent', message_id = ?, uncertain = 0, parked = 0,"
        " person_at = NULL, in_flight = NULL, problem = NULL, payload = NULL, last_end_at = ?"
        " WHERE delivery_key = ? AND state = 'pending'",
        (message_id, now, delivery_key),
    )


def drop(connection: sqlite3.Connection, part: Part, problem: str) -> None:
    """Give a part up, and with it the event's later parts to the same channel, as one problem."""
    connection.execute(
        "UPDATE outbox_part SET state = 'dropped', uncertain = 0, parked = 0, in_flight = NULL,"
        " person_at = NULL, problem = ?, payload = NULL"
        " WHERE event = ? AND ordinal >= ? AND destination = ? AND state = 'pending'",
        (problem, part.event, part.ordinal, part.destination),
    )


def drop_cards(connection: sqlite3.Connection, channel_id: int) -> None:
    """Give up the cards that wait to be posted in a channel, and can't be there yet."""
    connection.execute(
        "UPDATE outbox_part SET state = 'dropped', parked = 0, problem = 'desk_moved',"
        " payload = NULL WHERE state = 'pending' AND destination = ? AND kind = 'card'"
        " AND uncertain = 0",
        (channel_id,),
    )


def last_drop(connection: sqlite3.Connection, prefix: str, destination: int) -> str | None:
    """Why the newest part given up, of events that begin with `prefix:`, to a channel was."""
    row = connection.execute(
        "SELECT problem FROM outbox_part WHERE event >= ? AND event < ? AND destination = ?"
        " AND state = 'dropped' ORDER BY id DESC LIMIT 1",
        (prefix, prefix.removesuffix(":") + ";", destination),
    ).fetchone()
    return None if row is None else str(row[0])


def wait(
    connection: sqlite3.Connection,
    delivery_key: str,
    *,
    uncertain: bool,
    next_at: int,
    problem: str | None,
    now: int,
    ended: bool = True,
    unreadable: int = 0,
    parked: bool = False,
    person_at: int | None = None,
) -> None:
    """Keep a part for later. `ended` says that a call with its key has just ended.

    With `person_at` it is kept for a person, and `next_at` does not count.
    """
    connection.execute(
        "UPDATE outbox_part SET uncertain = ?, in_flight = NULL, next_at = ?, problem = ?,"
        " last_end_at = CASE ? WHEN 1 THEN ? ELSE last_end_at END, unreadable = ?, parked = ?,"
        " person_at = ? WHERE delivery_key = ? AND state = 'pending'",
        (uncertain, next_at, problem, ended, now, unreadable, parked, person_at, delivery_key),
    )


def for_person(connection: sqlite3.Connection, guild_id: int, *, limit: int) -> tuple[Part, ...]:
    """The guild's parts that need a person, the longest waiting first."""
    rows = connection.execute(
        f"SELECT {COLUMNS} FROM outbox_part WHERE guild_id = ? AND person_at IS NOT NULL"
        " ORDER BY person_at, id LIMIT ?",
        (guild_id, limit),
    ).fetchall()
    return tuple(decode(row) for row in rows)


def decided(connection: sqlite3.Connection, part: Part, member_id: int) -> None:
    """A person says what became of the part."""
    connection.execute(
        "UPDATE outbox_part SET decided_by = ? WHERE id = ? AND state = 'pending'",
        (member_id, part.id),
    )


def name(connection: sqlite3.Connection, delivery_key: str, message_id: int) -> None:
    """The message of a part that a person said had arrived is known now."""
    connection.execute(
        "UPDATE outbox_part SET message_id = ?"
        " WHERE delivery_key = ? AND state = 'sent' AND message_id IS NULL",
        (message_id, delivery_key),
    )


def unpark(connection: sqlite3.Connection, guild_id: int, now: int) -> None:
    """Something has changed in the guild: what waits for it there is tried again at once."""
    connection.execute(
        "UPDATE outbox_part SET next_at = min(next_at, ?), parked = 0"
        " WHERE guild_id = ? AND state = 'pending' AND parked = 1 AND in_flight IS NULL",
        (now, guild_id),
    )


def renew_key(connection: sqlite3.Connection, part: Part, delivery_key: str, now: int) -> None:
    """The message is proved absent: the next try goes under a key of its own."""
    connection.execute(
        "INSERT INTO retired_key (delivery_key, retired_at) VALUES (?, ?)", (part.delivery_key, now)
    )
    connection.execute(
        "UPDATE outbox_part SET delivery_key = ?, uncertain = 0, attempts = 0, first_try_at = NULL,"
        " fence = NULL, unreadable = 0, person_at = NULL, next_at = ?, revision = revision + 1"
        " WHERE id = ? AND state = 'pending'",
        (delivery_key, now, part.id),
    )


def is_retired(connection: sqlite3.Connection, delivery_key: str) -> bool:
    """Whether a part went under that key until its message was proved absent."""
    row = connection.execute(
        "SELECT 1 FROM retired_key WHERE delivery_key = ?", (delivery_key,)
    ).fetchone()
    return row is not None


def counts(connection: sqlite3.Connection) -> dict[str, int]:
    """How many parts are in each state."""
    rows = connection.execute("SELECT state, number FROM part_count").fetchall()
    return {state: int(number) for state, number in rows}


def decode(row: tuple[Any, ...]) -> Part:
    """The part in a row of `COLUMNS`."""
    fields = dict(zip(COLUMNS.split(", "), row, strict=True))
    fields["uncertain"] = bool(fields["uncertain"])
    fields["parked"] = bool(fields["parked"])
    return Part(**fields)
