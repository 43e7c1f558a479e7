"""Private threads for requests that are not opened by DM, until the conversation begins there."""

import sqlite3
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateThread:
    """While `uncertain`, a thread may exist that `thread_id` does not name."""

    request_id: int
    parent_id: int
    thread_id: int | None
    uncertain: bool
    last_end_at: int | None


def find(connection: sqlite3.Connection, request_id: int) -> PrivateThread | None:
    """The request's private thread, as far as it is known."""
    row = connection.execute(
        "SELECT request_id, parent_id, thread_id, uncertain, last_end_at FROM private_thread"
        " WHERE request_id = ?",
        (request_id,),
    ).fetchone()
    return None if row is None else _decode(row)


def left_behind(connection: sqlite3.Connection) -> tuple[PrivateThread, ...]:
    """Threads, sure or in doubt, of requests that have ended without a conversation.

    Not yet those in which something is still to be found out or deleted: a thread that is closed
    lets no message be deleted.
    """
    rows = connection.execute(
        "SELECT request_id, parent_id, thread_id, uncertain, last_end_at FROM private_thread"
        " WHERE (SELECT state FROM request WHERE request.id = private_thread.request_id)"
        " IN ('withdrawn', 'dropped')"
        " AND NOT EXISTS (SELECT 1 FROM delivery WHERE status = 'attempted'"
        " AND delivery.request_id = private_thread.request_id)"
        " AND (thread_id IS NULL OR thread_id NOT IN"
        " (SELECT channel_id FROM extra_message WHERE deleted_at IS NULL))"
    ).fetchall()
    return tuple(_decode(row) for row in rows)


def begin(connection: sqlite3.Connection, request_id: int, parent_id: int) -> None:
    """A call that starts the thread is about to leave."""
    connection.execute(
        "INSERT INTO private_thread (request_id, parent_id, uncertain) VALUES (?, ?, 1)"
        " ON CONFLICT (request_id) DO UPDATE SET parent_id = excluded.parent_id, thread_id = NULL,"
        " uncertain = 1, last_end_at = NULL",
        (request_id, parent_id),
    )


def ended(connection: sqlite3.Connection, request_id: int, now: int) -> None:
    """The call has ended, and nobody knows how."""
    connection.execute(
        "UPDATE private_thread SET last_end_at = ? WHERE request_id = ? AND uncertain = 1",
        (now, request_id),
    )


def made(connection: sqlite3.Connection, request_id: int, thread_id: int) -> None:
    """The thread is there."""
    connection.execute(
        "UPDATE private_thread SET thread_id = ?, uncertain = 0 WHERE request_id = ?",
        (thread_id, request_id),
    )


def forget(connection: sqlite3.Connection, request_id: int) -> None:
    """There is no such thread, so the next try starts one; or nothing is to be done with it."""
    connection.execute("DELETE FROM private_thread WHERE request_id = ?", (request_id,))


def _decode(row: tuple[Any, ...]) -> PrivateThread:
    return PrivateThread(
        request_id=row[0],
        parent_id=row[1],
        thread_id=row[2],
        uncertain=bool(row[3]),
        last_end_at=row[4],
    )
