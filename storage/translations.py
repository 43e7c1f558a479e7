"""Translations of carried messages: views of them, one for a message and a language.

The schema deletes them when their message is edited or erased.
"""

import sqlite3
from dataclasses import dataclass
from typing import Any

_COLUMNS = (
    "original_id, target_locale, status, source_digest, source_locale, text, code, requested_at,"
    " finished_at, tries"
)

_THIS_TRY = (
    "original_id = ? AND target_locale = ? AND status = 'requested' AND tries = ?"
    " AND source_digest = ?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Translation:
    """A translation: `requested`, `ready` with its text, or `failed` with a code.

    `source_digest` is the SHA-256 of the wording that was asked for, in hexadecimal;
    `source_locale`, of a ready one, is its language where that is known.
    """

    original_id: int
    target_locale: str
    status: str
    source_digest: str
    source_locale: str | None
    text: str | None
    code: str | None
    requested_at: int
    finished_at: int | None
    tries: int


def find(
    connection: sqlite3.Connection, original_id: int, target_locale: str
) -> Translation | None:
    """The message's translation into that language."""
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM translation WHERE original_id = ? AND target_locale = ?",
        (original_id, target_locale),
    ).fetchone()
    return None if row is None else _decode(row)


def ask(
    connection: sqlite3.Connection,
    original_id: int,
    target_locale: str,
    *,
    source_digest: str,
    now: int,
) -> Translation:
    """The translation is asked for, as a new try; what an earlier one led to is gone."""
    row = connection.execute(
        "INSERT INTO translation"
        " (original_id, target_locale, status, source_digest, requested_at, tries)"
        " VALUES (?, ?, 'requested', ?, ?, 1)"
        " ON CONFLICT (original_id, target_locale) DO UPDATE SET status = 'requested',"
        " source_digest = excluded.source_digest, source_locale = NULL, text = NULL, code = NULL,"
        " requested_at = excluded.requested_at, finished_at = NULL, tries = tries + 1"
        f" RETURNING {_COLUMNS}",
        (original_id, target_locale, source_digest, now),
    ).fetchone()
    return _decode(row)


def ready(
    connection: sqlite3.Connection,
    asked: Translation,
    text: str,
    source_locale: str | None,
    now: int,
) -> bool:
    """The try that `asked` is has this text; False when it is no longer the newest."""
    cursor = connection.execute(
        "UPDATE translation SET status = 'ready', text = ?, source_locale = ?, finished_at = ?"
        f" WHERE {_THIS_TRY}",
        (text, source_locale, now, *_this_try(asked)),
    )
    return cursor.rowcount == 1


def failed(connection: sqlite3.Connection, asked: Translation, code: str, now: int) -> bool:
    """The try that `asked` is has failed; False when it is no longer the newest."""
    cursor = connection.execute(
        f"UPDATE translation SET status = 'failed', code = ?, finished_at = ? WHERE {_THIS_TRY}",
        (code, now, *_this_try(asked)),
    )
    return cursor.rowcount == 1


def _this_try(asked: Translation) -> tuple[int, str, int, str]:
    return (asked.original_id, asked.target_locale, asked.tries, asked.source_digest)


def _decode(row: tuple[Any, ...]) -> Translation:
    return Translation(**dict(zip(_COLUMNS.split(", "), row, strict=True)))
