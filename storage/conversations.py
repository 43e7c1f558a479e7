"""Conversations: the DM of an active request and its thread at the desk."""

import sqlite3
from dataclasses import dataclass

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


def put_thread(connection: sqlite3.Connection, request_id: int, thread_id: int | None) -> None:
    """The desk's thread of the request's conversation; None once somebody has deleted it."""
    connection.execute(
        "UPDATE conversation SET thread_id = ? WHERE request_id = ?", (thread_id, request_id)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """Where a request is talked about: the member's channel, and the desk's thread once made."""

    id: str
    request_id: int
    channel_id: int
    thread_id: int | None


def request_of_thread(connection: sqlite3.Connection, thread_id: int) -> int | None:
    """The request whose thread at the desk this is."""
    row = connection.execute(
        "SELECT request_id FROM conversation WHERE thread_id = ?", (thread_id,)
    ).fetchone()
    return None if row is None else int(row[0])


_FOUND = "SELECT id, request_id, channel_id, thread_id FROM conversation"


def find(connection: sqlite3.Connection, request_id: int) -> Conversation | None:
    """The request's conversation, once it has begun."""
    row = connection.execute(f"{_FOUND} WHERE request_id = ?", (request_id,)).fetchone()
    return None if row is None else _decode(row)


def load(connection: sqlite3.Connection, conversation_id: str) -> Conversation:
    """The conversation with that id, which is there."""
    row = connection.execute(f"{_FOUND} WHERE id = ?", (conversation_id,)).fetchone()
    assert row is not None, conversation_id
    return _decode(row)


def _decode(row: tuple[str, int, int, int | None]) -> Conversation:
    return Conversation(id=row[0], request_id=row[1], channel_id=row[2], thread_id=row[3])
