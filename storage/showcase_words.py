"""What people are still to be told of entries, until it is planned in their DM."""

import sqlite3
from dataclasses import dataclass
from typing import Any

_COLUMNS = "id, entry_id, revision, person_id, tries, next_at"
_KNOWN = "EXISTS (SELECT 1 FROM dm_channel WHERE dm_channel.member_id = showcase_word.person_id)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A word about the step that led an entry to `revision`, to its author or its reviewer."""

    id: int
    entry_id: int
    revision: int
    person_id: int
    tries: int
    next_at: int


def put(
    connection: sqlite3.Connection, entry_id: int, revision: int, person_id: int, now: int
) -> None:
    """The person is to be told of that step."""
    connection.execute(
        "INSERT INTO showcase_word (entry_id, revision, person_id, next_at) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (entry_id, revision, person_id) DO NOTHING",
        (entry_id, revision, person_id, now),
    )


def due_known(connection: sqlite3.Connection, now: int, *, limit: int) -> tuple[Word, ...]:
    """Words that are due to people whose DM we know, the longest waiting first."""
    return _many(
        connection, f"next_at <= ? AND {_KNOWN} ORDER BY next_at, id LIMIT ?", (now, limit)
    )


def due_new(connection: sqlite3.Connection, now: int, *, limit: int) -> tuple[Word, ...]:
    """Words that are due to people to whom we have never written, the longest waiting first."""
    return _many(
        connection, f"next_at <= ? AND NOT {_KNOWN} ORDER BY next_at, id LIMIT ?", (now, limit)
    )


def next_due(connection: sqlite3.Connection, now: int) -> int | None:
    """When the next word is due after `now` (UTC ms)."""
    row = connection.execute(
        "SELECT min(next_at) FROM showcase_word WHERE next_at > ?", (now,)
    ).fetchone()
    return None if row[0] is None else int(row[0])


def to_person(connection: sqlite3.Connection, person_id: int) -> tuple[Word, ...]:
    """All that a person is still to be told, in order."""
    return _many(connection, "person_id = ? ORDER BY id", (person_id,))


def wait(connection: sqlite3.Connection, person_id: int, next_at: int) -> None:
    """The person can't be told just now: all of their words wait until `next_at`."""
    connection.execute(
        "UPDATE showcase_word SET next_at = ?, tries = tries + 1 WHERE person_id = ?",
        (next_at, person_id),
    )


def forget(connection: sqlite3.Connection, person_id: int) -> None:
    """The person has been told all there was, or can't be."""
    connection.execute("DELETE FROM showcase_word WHERE person_id = ?", (person_id,))


def _many(connection: sqlite3.Connection, where: str, values: tuple[Any, ...]) -> tuple[Word, ...]:
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM showcase_word WHERE {where}", values
    ).fetchall()
    return tuple(Word(**dict(zip(_COLUMNS.split(", "), row, strict=True))) for row in rows)
