"""The delivery ledger: one row for each try to send a request's first message."""

import sqlite3
from dataclasses import dataclass
from typing import Any

_COLUMNS = (
    "delivery_key, request_id, conversation_id, status, channel_id, message_id, fence, tries,"
    " unreadable, uncertain, in_flight, first_try_at, last_end_at, next_at, problem, person_at"
)


NEVER_KNOWN = "never_known"
"""The problem of a try that was given up though nobody could see whether its message arrived."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """A try. While `uncertain`, a message may exist that `message_id` does not name.

    `in_flight` names the process whose call is under way. `first_try_at` is when the first call
    that may have had an effect began; `last_end_at` when the last one ended (both UTC ms).
    `person_at` is since when only a person can say what became of it.
    """

    delivery_key: str
    request_id: int
    conversation_id: str
    status: str
    channel_id: int | None
    message_id: int | None
    fence: int | None
    tries: int
    unreadable: int
    uncertain: bool
    in_flight: str | None
    first_try_at: int | None
    last_end_at: int | None
    next_at: int
    problem: str | None
    person_at: int | None


def plan(
    connection: sqlite3.Connection,
    *,
    delivery_key: str,
    request_id: int,
    conversation_id: str,
    now: int,
) -> None:
    """Begin a try: nothing has been near the wire yet."""
    connection.execute(
        "INSERT INTO delivery (delivery_key, request_id, conversation_id, status, next_at,"
        " updated_at) VALUES (?, ?, ?, 'attempted', ?, ?)",
        (delivery_key, request_id, conversation_id, now, now),
    )


def find(connection: sqlite3.Connection, delivery_key: str) -> Delivery | None:
    """The try with that key."""
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM delivery WHERE delivery_key = ?", (delivery_key,)
    ).fetchone()
    return None if row is None else _decode(row)


def due(connection: sqlite3.Connection, now: int, *, limit: int) -> tuple[Delivery, ...]:
    """Tries under way whose next step is due and whose last call has ended.

    One that needs a person is not due by itself.
    """
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM delivery WHERE status = 'attempted' AND next_at <= ?"
        " AND in_flight IS NULL AND person_at IS NULL ORDER BY next_at, request_id LIMIT ?",
        (now, limit),
    ).fetchall()
    return tuple(_decode(row) for row in rows)


def next_due(connection: sqlite3.Connection, now: int) -> int | None:
    """When the next try is due after `now` (UTC ms)."""
    row = connection.execute(
        "SELECT min(next_at) FROM delivery WHERE status = 'attempted' AND next_at > ?"
        " AND person_at IS NULL",
        (now,),
    ).fetchone()
    return None if row[0] is None else int(row[0])


def opening_new(connection: sqlite3.Connection) -> int:
    """How many tries under way are for members whose DM channel we don't know yet."""
    row = connection.execute(
        "SELECT count(*) FROM delivery JOIN request ON request.id = delivery.request_id"
        " WHERE delivery.status = 'attempted' AND request.route = 'dm' AND NOT EXISTS"
        " (SELECT 1 FROM dm_channel WHERE dm_channel.member_id = request.member_id)"
    ).fetchone()
    return int(row[0])


def is_next_new(connection: sqlite3.Connection, request_id: int) -> bool:
    """Whether no earlier request's try is for a member whose DM channel we don't know yet."""
    row = connection.execute(
        "SELECT NOT EXISTS (SELECT 1 FROM delivery JOIN request"
        " ON request.id = delivery.request_id WHERE delivery.status = 'attempted'"
        " AND request.route = 'dm' AND request.id < ? AND NOT EXISTS"
        " (SELECT 1 FROM dm_channel WHERE dm_channel.member_id = request.member_id))",
        (request_id,),
    ).fetchone()
    return bool(row[0])


def hurry(connection: sqlite3.Connection, problem: str, now: int) -> None:
    """What waited because of `problem` is due at once."""
    connection.execute(
        "UPDATE delivery SET next_at = ? WHERE status = 'attempted' AND in_flight IS NULL"
        " AND next_at > ? AND problem = ?",
        (now, now, problem),
    )


def aim(connection: sqlite3.Connection, delivery_key: str, channel_id: int) -> None:
    """The channel of a try is known."""
    connection.execute(
        "UPDATE delivery SET channel_id = ?"
        " WHERE delivery_key = ? AND status = 'attempted' AND uncertain = 0",
        (channel_id, delivery_key),
    )


def begin(
    connection: sqlite3.Connection,
    delivery: Delivery,
    *,
    owner: str,
    channel_id: int,
    fence: int,
    now: int,
) -> None:
    """Put an attempt on disk. The window and the fence of a try in doubt stay its first ones."""
    connection.execute(
        "UPDATE delivery SET channel_id = ?, tries = tries + 1, in_flight = ?, updated_at = ?,"
        " fence = CASE uncertain WHEN 1 THEN fence ELSE ? END,"
        " first_try_at = CASE uncertain WHEN 1 THEN first_try_at ELSE ? END, uncertain = 1"
        " WHERE delivery_key = ? AND status = 'attempted' AND in_flight IS NULL"
        " AND person_at IS NULL",
        (channel_id, owner, now, fence, now, delivery.delivery_key),
    )


def finish(
    connection: sqlite3.Connection,
    delivery_key: str,
    status: str,
    now: int,
    *,
    message_id: int | None = None,
    problem: str | None = None,
) -> None:
    """End a try: `sent`, `absent` or `rejected`; nothing about it is in doubt any more.

    `absent` with the problem `NEVER_KNOWN` is one that is given up.
    """
    connection.execute(
        "UPDATE delivery SET status = ?, message_id = ?, problem = ?, uncertain = 0,"
        " person_at = NULL, in_flight = NULL, last_end_at = ?, updated_at = ?"
        " WHERE delivery_key = ? AND status = 'attempted'",
        (status, message_id, problem, now, now, delivery_key),
    )


def given_up(connection: sqlite3.Connection, request_id: int) -> bool:
    """Whether a try of the request was given up, and its message has not shown itself since."""
    row = connection.execute(
        "SELECT EXISTS (SELECT 1 FROM delivery"
        " WHERE request_id = ? AND status = 'absent' AND problem = ?)",
        (request_id, NEVER_KNOWN),
    ).fetchone()
    return bool(row[0])


def known_after_all(connection: sqlite3.Connection, delivery_key: str) -> bool:
    """The message of a try has shown itself; whether the try had been given up until now."""
    cursor = connection.execute(
        "UPDATE delivery SET problem = 'late'"
        " WHERE delivery_key = ? AND status = 'absent' AND problem = ?",
        (delivery_key, NEVER_KNOWN),
    )
    return cursor.rowcount == 1


def name(connection: sqlite3.Connection, delivery_key: str, message_id: int) -> None:
    """The message of a try that a person said had arrived is known now."""
    connection.execute(
        "UPDATE delivery SET message_id = ?"
        " WHERE delivery_key = ? AND status = 'sent' AND message_id IS NULL",
        (message_id, delivery_key),
    )


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
    person_at: int | None = None,
) -> None:
    """Keep a try for later. `ended` says that a call with its key has just ended.

    With `person_at` it is kept for a person, and `next_at` does not count.
    """
    connection.execute(
        "UPDATE delivery SET uncertain = ?, in_flight = NULL, next_at = ?, problem = ?,"
        " last_end_at = CASE ? WHEN 1 THEN ? ELSE last_end_at END, unreadable = ?, person_at = ?,"
        " updated_at = ? WHERE delivery_key = ? AND status = 'attempted'",
        (uncertain, next_at, problem, ended, now, unreadable, person_at, now, delivery_key),
    )


def ask_nobody(connection: sqlite3.Connection, delivery_key: str, now: int) -> None:
    """Nobody waits for a try that needed a person any more: it is looked for again."""
    connection.execute(
        "UPDATE delivery SET person_at = NULL, next_at = ?, updated_at = ?"
        " WHERE delivery_key = ? AND person_at IS NOT NULL",
        (now, now, delivery_key),
    )


def uncertain_count(connection: sqlite3.Connection) -> int:
    """How many sends, first messages and parts, are in doubt now."""
    row = connection.execute(
        "SELECT (SELECT count(*) FROM delivery WHERE status = 'attempted' AND uncertain = 1)"
        " + (SELECT count(*) FROM outbox_part WHERE state = 'pending' AND uncertain = 1)"
    ).fetchone()
    return int(row[0])


def is_named(connection: sqlite3.Connection, message_id: int) -> bool:
    """Whether any receipt already names this message."""
    row = connection.execute(
        "SELECT EXISTS (SELECT 1 FROM delivery WHERE message_id = ?1)"
        " OR EXISTS (SELECT 1 FROM outbox_part WHERE message_id = ?1)"
        " OR EXISTS (SELECT 1 FROM extra_message WHERE message_id = ?1)",
        (message_id,),
    ).fetchone()
    return bool(row[0])


def _decode(row: tuple[Any, ...]) -> Delivery:
    fields = dict(zip(_COLUMNS.split(", "), row, strict=True))
    fields["uncertain"] = bool(fields["uncertain"])
    return Delivery(**fields)
