"""The audit: who did what to whom, when. Rows are added, and never changed."""

import sqlite3
from dataclasses import dataclass
from typing import Any

_COLUMNS = "guild_id, at, action, actor_id, request_id, member_id, detail"


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Something that a person did, in a word; `actor_id` None: Steward itself. `at` is UTC ms.

    `request_id` and `member_id` are what, and whom, it was done to. `detail` says no more than it
    must, and nothing that a member wrote.
    """

    guild_id: int
    at: int
    action: str
    actor_id: int | None
    request_id: int | None = None
    member_id: int | None = None
    detail: str | None = None


def record(connection: sqlite3.Connection, act: Act) -> None:
    """Put an act on record."""
    connection.execute(
        f"INSERT INTO audit ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",
        tuple(getattr(act, name) for name in _COLUMNS.split(", ")),
    )


def of_request(connection: sqlite3.Connection, request_id: int, *, limit: int) -> tuple[Act, ...]:
    """What was done with a request, the last first."""
    return _many(connection, "request_id = ? ORDER BY id DESC LIMIT ?", (request_id, limit))


def _many(connection: sqlite3.Connection, where: str, values: tuple[Any, ...]) -> tuple[Act, ...]:
    rows = connection.execute(f"SELECT {_COLUMNS} FROM audit WHERE {where}", values).fetchall()
    return tuple(Act(**dict(zip(_COLUMNS.split(", "), row, strict=True))) for row in rows)
