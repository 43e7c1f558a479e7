"""Buttons that work once: an opaque token leads to a row with what it does, to what, for whom.

The token is all that Discord is given. Buttons that are shown together are a visit: using one uses
all of them up, and a newer visit of the same subject by the same person voids the older ones.
"""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

_COLUMNS = "token, visit, subject, action, guild_id, member_id, payload, expires_at, state"


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """A one-visit button. `state` is live, used or void; `payload` only while it is live."""

    token: str
    visit: str
    subject: str
    action: str
    guild_id: int
    member_id: int
    payload: str | None
    expires_at: int
    state: str


def put(connection: sqlite3.Connection, buttons: Iterable[Button]) -> None:
    """Keep new buttons."""
    connection.executemany(
        f"INSERT INTO visit_button ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                button.token,
                button.visit,
                button.subject,
                button.action,
                button.guild_id,
                button.member_id,
                button.payload,
                button.expires_at,
                button.state,
            )
            for button in buttons
        ],
    )


def find(connection: sqlite3.Connection, token: str) -> Button | None:
    """The button with that token, as long as it is kept."""
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM visit_button WHERE token = ?", (token,)
    ).fetchone()
    return None if row is None else _decode(row)


def live_of(connection: sqlite3.Connection, subject: str, member_id: int) -> tuple[Button, ...]:
    """The person's live buttons for the subject: those of one visit."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM visit_button"
        " WHERE subject = ? AND member_id = ? AND state = 'live'",
        (subject, member_id),
    ).fetchall()
    return tuple(_decode(row) for row in rows)


def use(connection: sqlite3.Connection, button: Button) -> bool:
    """Use the button up, and with it all of its visit; False when it is not live any more."""
    cursor = connection.execute(
        "UPDATE visit_button SET state = 'used', payload = NULL WHERE token = ? AND state = 'live'",
        (button.token,),
    )
    connection.execute(
        "UPDATE visit_button SET state = 'used', payload = NULL WHERE visit = ? AND state = 'live'",
        (button.visit,),
    )
    return cursor.rowcount == 1


def void(connection: sqlite3.Connection, subject: str, member_id: int) -> None:
    """The person's older buttons for the subject don't work any more."""
    connection.execute(
        "UPDATE visit_button SET state = 'void', payload = NULL"
        " WHERE subject = ? AND member_id = ? AND state = 'live'",
        (subject, member_id),
    )


def void_subject(connection: sqlite3.Connection, subject: str) -> None:
    """Nobody's buttons for the subject work any more."""
    connection.execute(
        "UPDATE visit_button SET state = 'void', payload = NULL"
        " WHERE subject = ? AND state = 'live'",
        (subject,),
    )


def void_all(connection: sqlite3.Connection, guild_id: int, member_id: int) -> None:
    """None of the person's buttons in the guild work any more."""
    connection.execute(
        "UPDATE visit_button SET state = 'void', payload = NULL"
        " WHERE guild_id = ? AND member_id = ? AND state = 'live'",
        (guild_id, member_id),
    )


def prune(connection: sqlite3.Connection, now: int, *, limit: int) -> int:
    """Delete buttons whose time is over, oldest first; answer how many."""
    cursor = connection.execute(
        "DELETE FROM visit_button WHERE token IN"
        " (SELECT token FROM visit_button WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)",
        (now, limit),
    )
    return cursor.rowcount


def first_over(connection: sqlite3.Connection) -> int | None:
    """When the first button's time is over (UTC ms), if any is kept."""
    row = connection.execute("SELECT min(expires_at) FROM visit_button").fetchone()
    return None if row[0] is None else int(row[0])


def _decode(row: tuple[Any, ...]) -> Button:
    return Button(**dict(zip(_COLUMNS.split(", "), row, strict=True)))
