"""The reactions that tell people how what they wrote fares: what is wanted, and what is shown."""

import sqlite3
from dataclasses import dataclass
from typing import Any, Literal

from storage.outbox_changes import UNNEEDED

State = Literal["taken", "delivered", "problem", "none"]

_COLUMNS = "message_id, channel_id, guild_id, wanted, shown, tries, next_at"

# The mark of each channel that is due first, found by stepping from one channel to the next.
_HEADS = (
    "WITH RECURSIVE lane (channel_id) AS ("
    "SELECT min(channel_id) FROM mark WHERE next_at IS NOT NULL"
    " UNION ALL SELECT (SELECT min(channel_id) FROM mark WHERE next_at IS NOT NULL"
    " AND channel_id > lane.channel_id) FROM lane WHERE lane.channel_id IS NOT NULL),"
    " head (message_id) AS (SELECT (SELECT message_id FROM mark WHERE next_at IS NOT NULL"
    " AND channel_id = lane.channel_id ORDER BY next_at, message_id LIMIT 1) FROM lane)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A message's mark. `shown` is what is there, or may be. `next_at` None: all is as wanted."""

    message_id: int
    channel_id: int
    guild_id: int
    wanted: State
    shown: State | None = None
    tries: int = 0
    next_at: int | None


def add(connection: sqlite3.Connection, mark: Mark) -> None:
    """Begin a mark; nothing is changed where there is one, or none can be shown there."""
    connection.execute(
        f"INSERT INTO mark ({_COLUMNS}) SELECT ?, ?, ?, ?, ?, ?, ?"
        " WHERE NOT EXISTS (SELECT 1 FROM unmarkable WHERE channel_id = ?)"
        " ON CONFLICT (message_id) DO NOTHING",
        (*(getattr(mark, name) for name in _COLUMNS.split(", ")), mark.channel_id),
    )


def find(connection: sqlite3.Connection, message_id: int) -> Mark | None:
    """The mark of a message."""
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM mark WHERE message_id = ?", (message_id,)
    ).fetchone()
    return None if row is None else _decode(row)


def want(
    connection: sqlite3.Connection, message_id: int, wanted: State, *, now: int, at: int
) -> None:
    """Let a mark that there is say something else, from then on (UTC ms).

    What it was to say may be there already: then that is to be taken away first.
    """
    connection.execute(
        "UPDATE mark SET wanted = ?, tries = 0, next_at = ?,"
        " shown = CASE WHEN shown IS NULL AND wanted <> 'none'"
        " AND (tries > 0 OR next_at <= ?) THEN wanted ELSE shown END"
        " WHERE message_id = ? AND wanted <> ?",
        (wanted, at, now, message_id, wanted),
    )


def forget(connection: sqlite3.Connection, message_id: int) -> None:
    """No mark is to be shown or changed under the message any more."""
    connection.execute("DELETE FROM mark WHERE message_id = ?", (message_id,))


def due(connection: sqlite3.Connection, now: int, *, limit: int) -> tuple[Mark, ...]:
    """The first mark of each channel that has something to do."""
    columns = ", ".join(f"mark.{name}" for name in _COLUMNS.split(", "))
    rows = connection.execute(
        f"{_HEADS} SELECT {columns} FROM head JOIN mark ON mark.message_id = head.message_id"
        " WHERE mark.next_at <= ? ORDER BY mark.next_at, mark.message_id LIMIT ?",
        (now, limit),
    ).fetchall()
    return tuple(_decode(row) for row in rows)


def next_due(connection: sqlite3.Connection, now: int) -> int | None:
    """When the next channel's first mark has something to do after `now` (UTC ms)."""
    row = connection.execute(
        f"{_HEADS} SELECT min(mark.next_at) FROM head JOIN mark"
        " ON mark.message_id = head.message_id WHERE mark.next_at > ?",
        (now,),
    ).fetchone()
    return None if row[0] is None else int(row[0])


def shows(connection: sqlite3.Connection, mark: Mark) -> None:
    """It is known from elsewhere what is shown."""
    connection.execute(
        "UPDATE mark SET shown = ? WHERE message_id = ? AND shown IS NULL",
        (mark.shown, mark.message_id),
    )


def taken_away(connection: sqlite3.Connection, mark: Mark, now: int) -> None:
    """What was shown is not any more; what is wanted follows."""
    connection.execute(
        "UPDATE mark SET shown = NULL, tries = 0, next_at = ?"
        " WHERE message_id = ? AND shown IS ? AND wanted <> 'none'",
        (now, mark.message_id, mark.shown),
    )
    connection.execute(
        "DELETE FROM mark WHERE message_id = ? AND wanted = 'none'", (mark.message_id,)
    )


def put(connection: sqlite3.Connection, mark: Mark) -> None:
    """What was wanted is shown. A row is kept only where something else may follow.

    Where another state is wanted by now, this one is known to be there: see `want`.
    """
    connection.execute(
        "DELETE FROM mark WHERE message_id = ?1 AND wanted = ?2 AND (wanted = 'delivered'"
        " OR wanted = 'problem' AND NOT EXISTS"
        " (SELECT 1 FROM relayed_message WHERE relayed_message.id = ?1) AND NOT EXISTS"
        " (SELECT 1 FROM inbox_event WHERE inbox_event.id = 'm:' || ?1"
        " AND inbox_event.state = 'queued'))",
        (mark.message_id, mark.wanted),
    )
    connection.execute(
        "UPDATE mark SET shown = wanted, tries = 0, next_at = NULL"
        " WHERE message_id = ? AND wanted = ?",
        (mark.message_id, mark.wanted),
    )


def wait(connection: sqlite3.Connection, mark: Mark, at: int) -> None:
    """It could not be done: again at `at` (UTC ms), unless something else is wanted by now."""
    connection.execute(
        "UPDATE mark SET tries = tries + 1, next_at = ? WHERE message_id = ? AND wanted = ?",
        (at, mark.message_id, mark.wanted),
    )


def give_up_channel(connection: sqlite3.Connection, channel_id: int, guild_id: int) -> None:
    """A permission is missing: no mark is tried in the channel until the guild's ones change."""
    connection.execute(
        "INSERT INTO unmarkable (channel_id, guild_id) VALUES (?, ?)"
        " ON CONFLICT (channel_id) DO NOTHING",
        (channel_id, guild_id),
    )
    connection.execute("DELETE FROM mark WHERE channel_id = ?", (channel_id,))


def is_given_up(connection: sqlite3.Connection) -> bool:
    """Whether there is any channel in which no mark is tried."""
    row = connection.execute("SELECT EXISTS (SELECT 1 FROM unmarkable)").fetchone()
    return bool(row[0])


def try_again(connection: sqlite3.Connection, guild_id: int | None = None) -> None:
    """The guild's permissions (None: any) have changed: what is written from now on is marked."""
    connection.execute("DELETE FROM unmarkable WHERE guild_id = ?1 OR ?1 IS NULL", (guild_id,))


def of_copies(connection: sqlite3.Connection, event: str) -> State:
    """What the outbox says of an original's copies; `event` is theirs. `none`: there is none.

    A refused copy counts until a later one takes its place; a refused edit until the next one.
    """
    rows = connection.execute(
        "SELECT part.state, coalesce(part.problem, ''), change.kind, change.state,"
        " coalesce(change.problem, '') FROM outbox_part AS part LEFT JOIN outbox_part AS change"
        " ON change.id = (SELECT max(id) FROM outbox_part AS one WHERE one.target_part = part.id"
        " AND one.target_part IS NOT NULL) WHERE part.event = ? ORDER BY part.ordinal",
        (event,),
    ).fetchall()
    states: list[State] = []
    for state, problem, change, changed, why in rows:
        if state == "dropped":
            if problem not in UNNEEDED:
                states.append("problem")
        elif change == "delete" and changed != "dropped":
            continue
        elif state == "pending":
            return "taken"
        elif changed == "dropped" and why not in UNNEEDED:
            return "problem"
        else:
            states.append("delivered")
    return states[-1] if states else "none"


def _decode(row: tuple[Any, ...]) -> Mark:
    return Mark(**dict(zip(_COLUMNS.split(", "), row, strict=True)))
