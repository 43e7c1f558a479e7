"""How long content is kept: what ended when, and what has been erased of it.

Ids, states, counts and times stay. `begin` comes first: from then on nothing more is kept of what
people say in the request, so that what is erased stays so.
"""

import sqlite3
from dataclasses import dataclass

from domain.requests import ENDED_BY_MEMBER, ERASED
from storage import files


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A request whose content is to be erased, and its conversation if one had begun."""

    request_id: int
    conversation_id: str | None


def is_kept(connection: sqlite3.Connection, request_id: int) -> bool:
    """Whether what was said in a request is kept still; False once its erasure has begun."""
    row = connection.execute(
        "SELECT content = 'kept' FROM request WHERE id = ?", (request_id,)
    ).fetchone()
    return row is not None and bool(row[0])


def ended_at(connection: sqlite3.Connection, request_id: int) -> int | None:
    """When a request ended (UTC ms); None while it is open."""
    row = connection.execute("SELECT ended_at FROM request WHERE id = ?", (request_id,)).fetchone()
    return None if row is None or row[0] is None else int(row[0])


def due(connection: sqlite3.Connection, before: int, *, limit: int) -> tuple[Due, ...]:
    """Requests that ended by then (UTC ms) and are not erased to the end, longest ago first."""
    rows = connection.execute(
        "SELECT request.id, conversation.id FROM request"
        " LEFT JOIN conversation ON conversation.request_id = request.id"
        " WHERE ended_at IS NOT NULL AND content <> 'gone' AND ended_at <= ?"
        " ORDER BY ended_at LIMIT ?",
        (before, limit),
    ).fetchall()
    return tuple(Due(request_id=row[0], conversation_id=row[1]) for row in rows)


def begin(connection: sqlite3.Connection, request_id: int) -> None:
    """From now on nothing more is kept of what is said in an ended request."""
    connection.execute(
        "UPDATE request SET content = 'going' WHERE id = ? AND content = 'kept'", (request_id,)
    )


def erase_messages(
    connection: sqlite3.Connection, conversation_id: str, *, after: int, limit: int
) -> int | None:
    """Erase what at most `limit` messages behind that id say, and said before.

    Their translations and files go with the text, and what was left to mark. Answers the last one's
    id; None when there was none.
    """
    rows = connection.execute(
        "SELECT id FROM relayed_message WHERE conversation_id = ? AND id > ? ORDER BY id LIMIT ?",
        (conversation_id, after, limit),
    ).fetchall()
    for (message_id,) in rows:
        connection.execute("DELETE FROM relayed_version WHERE message_id = ?", (message_id,))
        connection.execute("DELETE FROM translation WHERE original_id = ?", (message_id,))
        connection.execute("DELETE FROM mark WHERE message_id = ?", (message_id,))
        connection.execute(
            "UPDATE relayed_message SET text = '', extras = '{}', author_name = '' WHERE id = ?",
            (message_id,),
        )
        files.release(connection, message_id)
    return int(rows[-1][0]) if rows else None


def erase_waiting(connection: sqlite3.Connection, channel_id: int, conversation_id: str) -> None:
    """Drop what still waits in a channel's inbox for a conversation that is over.

    Found by the channel, whose queue is short, and not by the conversation, whose past may be long.
    """
    which = (
        "channel_id = ? AND coalesce(conversation_id, '') = ? AND state = 'queued'"
        " AND set_aside = 0"
    )
    given = (channel_id, conversation_id)
    connection.execute(
        f"DELETE FROM mark WHERE message_id IN (SELECT position FROM inbox_event WHERE {which})",
        given,
    )
    connection.execute(
        "UPDATE inbox_event SET state = 'dropped', payload = NULL, problem = 'erased'"
        f" WHERE {which}",
        given,
    )


def set_aside(connection: sqlite3.Connection, before: int, *, limit: int) -> tuple[int, ...]:
    """Inbox events that came in by then (UTC ms) and wait for a person, the oldest first."""
    rows = connection.execute(
        "SELECT seq FROM inbox_event WHERE set_aside = 1 AND state = 'queued'"
        " AND at <= ? ORDER BY seq LIMIT ?",
        (before, limit),
    ).fetchall()
    return tuple(row[0] for row in rows)


def erase_set_aside(connection: sqlite3.Connection, seq: int) -> None:
    """Drop an event that waits for a person."""
    connection.execute(
        "UPDATE inbox_event SET state = 'dropped', set_aside = 0, payload = NULL,"
        " problem = 'erased' WHERE seq = ? AND state = 'queued' AND set_aside = 1",
        (seq,),
    )


def erase_part(connection: sqlite3.Connection, part_id: int) -> bool:
    """Give up a part that waits; False while it is on its way."""
    cursor = connection.execute(
        "UPDATE outbox_part SET state = 'dropped', uncertain = 0, parked = 0, person_at = NULL,"
        " problem = 'erased', payload = NULL, revision = revision + 1"
        " WHERE id = ? AND state = 'pending' AND in_flight IS NULL",
        (part_id,),
    )
    return cursor.rowcount == 1


def finish(connection: sqlite3.Connection, request_id: int) -> None:
    """Erase what a request itself says: the last of its content."""
    connection.execute(
        "UPDATE request SET topic = ?, details = '', content = 'gone',"
        " resolution = CASE WHEN resolution = ? THEN resolution"
        " WHEN resolution IS NOT NULL THEN ? END"
        " WHERE id = ? AND content = 'going'",
        (ERASED, ENDED_BY_MEMBER, ERASED, request_id),
    )
