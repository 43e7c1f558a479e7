"""What authors are still to be told of their entries, until it is planned in their DM."""

import sqlite3
from dataclasses import dataclass
from typing import Any

_COLUMNS = "id, entry_id, revision, author_id, tries, next_at"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorWord:
    """A word about the step that led an entry to `revision`."""

    id: int
    entry_id: int
    revision: int
    author_id: int
    tries: int
    next_at: int


def put(
    connection: sqlite3.Connection, entry_id: int, revision: int, author_id: int, now: int
) -> None:
    """The author is to be told of that step."""
    connection.execute(
        "INSERT INTO author_word (entry_id, revision, author_id, next_at) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (entry_id, revision) DO NOTHING",
        (entry_id, revision, author_id, now),
    )


def due(connection: sqlite3.Connection, now: int, *, limit: int) -> tuple[AuthorWord, ...]:
    """Words that are due: the longest waiting first, and an author's in their order."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM author_word WHERE next_at <= ? ORDER BY next_at, id LIMIT ?",
        (now, limit),
    ).fetchall()
    return tuple(_decode(row) for row in rows)


def next_due(connection: sqlite3.Connection, now: int) -> int | None:
    """When the next word is due after `now` (UTC ms)."""
    row = connection.execute(
        "SELECT min(next_at) FROM author_word WHERE next_at > ?", (now,)
    ).fetchone()
    return None if row[0] is None else int(row[0])


def of_author(connection: sqlite3.Connection, author_id: int) -> tuple[AuthorWord, ...]:
    """All that an author is still to be told, in order."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM author_word WHERE author_id = ? ORDER BY id", (author_id,)
    ).fetchall()
    return tuple(_decode(row) for row in rows)


def wait(connection: sqlite3.Connection, author_id: int, next_at: int) -> None:
    """The author can't be told just now: all of their words wait until `next_at`."""
    connection.execute(
        "UPDATE author_word SET next_at = ?, tries = tries + 1 WHERE author_id = ?",
        (next_at, author_id),
    )


def forget(connection: sqlite3.Connection, author_id: int) -> None:
    """The author has been told, or can't be."""
    connection.execute("DELETE FROM author_word WHERE author_id = ?", (author_id,))


def _decode(row: tuple[Any, ...]) -> AuthorWord:
    return AuthorWord(**dict(zip(_COLUMNS.split(", "), row, strict=True)))
