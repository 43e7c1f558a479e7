"""Conversations: the DM of an active request and its thread at the desk."""

import sqlite3

from domain.requests import Request


def open_(
    connection: sqlite3.Connection,
    *,
    conversation_id: str,
    request: Request,
    channel_id: int,
    now: int,
) -> None:
    """The conversation of a request begins in that channel."""
    connection.execute(
        "INSERT INTO conversation (id, request_id, guild_id, member_id, channel_id, opened_at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (conversation_id, request.id, request.guild_id, request.member_id, channel_id, now),
    )


def put_thread(connection: sqlite3.Connection, request_id: int, thread_id: int) -> None:
    """The desk's thread of the request's conversation."""
    connection.execute(
        "UPDATE conversation SET thread_id = ? WHERE request_id = ?", (thread_id, request_id)
    )


def thread_of(connection: sqlite3.Connection, request_id: int) -> int | None:
    """The desk's thread of the request's conversation, once there is one."""
    row = connection.execute(
        "SELECT thread_id FROM conversation WHERE request_id = ?", (request_id,)
    ).fetchone()
    return None if row is None else row[0]
