"""Requests' cards at the desk, and messages that are one too many."""

import sqlite3
from dataclasses import dataclass
from typing import Any

_COLUMNS = (
    "request_id, guild_id, channel_id, message_id, digest, stale, posts, thread, tries, next_at,"
    " problem"
)
# The states are literals, as in the index that serves them.
_OPEN = (
    "SELECT id FROM request"
    " WHERE state IN ('queued', 'claimed', 'opening', 'needs_reconcile', 'active')"
)
_OPEN_OF_GUILD = f"guild_id = ? AND request_id IN ({_OPEN} AND guild_id = ?)"

REPLACED = "replaced"
"""In place of a delivery key: a card whose place a new one has taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A request's card. `thread` is none, wanted, made or refused."""

    request_id: int
    guild_id: int
    channel_id: int | None
    message_id: int | None
    digest: str | None
    stale: bool
    posts: int
    thread: str
    tries: int
    next_at: int
    problem: str | None


def touch(connection: sqlite3.Connection, request_id: int, guild_id: int, now: int) -> None:
    """The request has moved on: its card is to be drawn again, at once."""
    connection.execute(
        "INSERT INTO card (request_id, guild_id, stale, next_at) VALUES (?, ?, 1, ?)"
        " ON CONFLICT (request_id) DO UPDATE SET stale = 1, tries = 0,"
        " next_at = min(next_at, excluded.next_at)",
        (request_id, guild_id, now),
    )


def want_thread(connection: sqlite3.Connection, request_id: int) -> None:
    """The request is active: a thread is to be started from its card."""
    connection.execute(
        "UPDATE card SET thread = 'wanted' WHERE request_id = ? AND thread = 'none'",
        (request_id,),
    )


def rejoin_thread(connection: sqlite3.Connection, request_id: int) -> None:
    """The thread has a new owner, who is to be added: both calls are repeated without harm."""
    connection.execute(
        "UPDATE card SET thread = 'wanted' WHERE request_id = ? AND thread = 'made'",
        (request_id,),
    )


def replace(connection: sqlite3.Connection, card: Card, now: int) -> None:
    """The card's thread is gone, and a message has one thread for ever: a new card gets a new one.

    The old card is deleted like a message that is one too many, without being counted as one.
    """
    if card.message_id is not None and card.channel_id is not None:
        note_extra(connection, card.message_id, card.channel_id, REPLACED, now)
    lost(connection, card, now)
    connection.execute(
        "UPDATE card SET thread = 'wanted' WHERE request_id = ? AND thread = 'made'",
        (card.request_id,),
    )


def find(connection: sqlite3.Connection, request_id: int) -> Card | None:
    """The request's card."""
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM card WHERE request_id = ?", (request_id,)
    ).fetchone()
    return None if row is None else _decode(row)


def of_message(connection: sqlite3.Connection, message_id: int) -> Card | None:
    """The card that is shown by that message."""
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM card WHERE message_id = ?", (message_id,)
    ).fetchone()
    return None if row is None else _decode(row)


def due(connection: sqlite3.Connection, now: int, *, limit: int) -> tuple[Card, ...]:
    """Cards to be drawn now, the longest waiting first; of those, the oldest request's."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM card WHERE stale = 1 AND next_at <= ?"
        " ORDER BY next_at, request_id LIMIT ?",
        (now, limit),
    ).fetchall()
    return tuple(_decode(row) for row in rows)


def next_due(connection: sqlite3.Connection, now: int) -> int | None:
    """When the next card is due after `now` (UTC ms)."""
    row = connection.execute(
        "SELECT min(next_at) FROM card WHERE stale = 1 AND next_at > ?", (now,)
    ).fetchone()
    return None if row[0] is None else int(row[0])


def posting(connection: sqlite3.Connection, request_id: int, channel_id: int) -> None:
    """The card's message is in the outbox; its receipt marks the card stale again."""
    connection.execute(
        "UPDATE card SET channel_id = ?, stale = 0, tries = 0, problem = NULL WHERE request_id = ?",
        (channel_id, request_id),
    )


def posted(
    connection: sqlite3.Connection, request_id: int, posts: int, message_id: int, now: int
) -> None:
    """The card's message is there. What it shows is compared on the next drawing."""
    connection.execute(
        "UPDATE card SET message_id = ?, digest = NULL, stale = 1, tries = 0, next_at = ?"
        " WHERE request_id = ? AND posts = ? AND message_id IS NULL",
        (message_id, now, request_id, posts),
    )


def drawn(connection: sqlite3.Connection, card: Card, digest: str, *, stale: bool) -> None:
    """The card's message shows `digest`, or the request has ended and shows nothing any more.

    `stale`: something has changed meanwhile. A card that has been lost since `card` was read stays
    as it is.
    """
    connection.execute(
        "UPDATE card SET digest = ?, tries = 0, problem = NULL, stale = ?"
        " WHERE request_id = ? AND posts = ?",
        (digest, stale, card.request_id, card.posts),
    )


def lost(connection: sqlite3.Connection, card: Card, now: int) -> None:
    """The card's message is gone: it is posted again, as a posting of its own."""
    connection.execute(
        "UPDATE card SET message_id = NULL, digest = NULL, posts = posts + 1, stale = 1, tries = 0,"
        " next_at = ? WHERE request_id = ? AND posts = ?",
        (now, card.request_id, card.posts),
    )


def refresh_open(connection: sqlite3.Connection, guild_id: int, *, moved: bool, now: int) -> None:
    """Draw the guild's open cards again; where the desk `moved`, as new postings there.

    A card that is left behind would keep live buttons: it is deleted, as by `replace`.
    """
    if moved:
        connection.execute(
            "INSERT INTO extra_message (message_id, channel_id, delivery_key, seen_at, next_at)"
            f" SELECT message_id, channel_id, ?, ?, ? FROM card WHERE {_OPEN_OF_GUILD}"
            " AND message_id IS NOT NULL AND channel_id IS NOT NULL"
            " ON CONFLICT (message_id) DO NOTHING",
            (REPLACED, now, now, guild_id, guild_id),
        )
    connection.execute(
        "UPDATE card SET stale = 1, tries = 0, next_at = ?,"
        " message_id = CASE ? WHEN 1 THEN NULL ELSE message_id END,"
        " digest = CASE ? WHEN 1 THEN NULL ELSE digest END, posts = posts + ?"
        f" WHERE {_OPEN_OF_GUILD}",
        (now, moved, moved, int(moved), guild_id, guild_id),
    )


def channels_of_open(connection: sqlite3.Connection) -> tuple[int, ...]:
    """The channels that show cards of requests that have not ended."""
    rows = connection.execute(
        "SELECT DISTINCT channel_id FROM card WHERE message_id IS NOT NULL"
        f" AND channel_id IS NOT NULL AND request_id IN ({_OPEN})"
    ).fetchall()
    return tuple(int(row[0]) for row in rows)


def open_in(connection: sqlite3.Connection, channel_id: int) -> tuple[Card, ...]:
    """The cards shown in a channel whose requests have not ended."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM card WHERE message_id IS NOT NULL AND channel_id = ?"
        f" AND request_id IN ({_OPEN})",
        (channel_id,),
    ).fetchall()
    return tuple(_decode(row) for row in rows)


def redraw(connection: sqlite3.Connection, shown: tuple[Card, ...], now: int) -> None:
    """Draw these cards again whatever they showed last: an edit finds out which are gone."""
    for card in shown:
        connection.execute(
            "UPDATE card SET digest = NULL, stale = 1, next_at = ?"
            " WHERE request_id = ? AND posts = ?",
            (now, card.request_id, card.posts),
        )


def wait(connection: sqlite3.Connection, request_id: int, next_at: int, problem: str) -> None:
    """Draw the card again at `next_at`."""
    connection.execute(
        "UPDATE card SET next_at = ?, tries = tries + 1, problem = ? WHERE request_id = ?",
        (next_at, problem, request_id),
    )


def thread_done(connection: sqlite3.Connection, request_id: int, outcome: str) -> None:
    """The wanted thread was `made`, or `refused` for good."""
    connection.execute(
        "UPDATE card SET thread = ? WHERE request_id = ? AND thread = 'wanted'",
        (outcome, request_id),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Extra:
    """A message to delete: a second one for its key, or one for a key that was given up."""

    message_id: int
    channel_id: int
    delivery_key: str
    tries: int


def note_extra(
    connection: sqlite3.Connection, message_id: int, channel_id: int, key: str, now: int
) -> bool:
    """Keep an extra message for deletion; False when it is known already."""
    cursor = connection.execute(
        "INSERT INTO extra_message (message_id, channel_id, delivery_key, seen_at, next_at)"
        " VALUES (?, ?, ?, ?, ?) ON CONFLICT (message_id) DO NOTHING",
        (message_id, channel_id, key, now, now),
    )
    return cursor.rowcount == 1


def extras_due(connection: sqlite3.Connection, now: int, *, limit: int) -> tuple[Extra, ...]:
    """Extra messages to be deleted now."""
    rows = connection.execute(
        "SELECT message_id, channel_id, delivery_key, tries FROM extra_message"
        " WHERE deleted_at IS NULL AND next_at <= ? ORDER BY next_at LIMIT ?",
        (now, limit),
    ).fetchall()
    return tuple(
        Extra(message_id=message, channel_id=channel, delivery_key=key, tries=tries)
        for message, channel, key, tries in rows
    )


def next_extra(connection: sqlite3.Connection, now: int) -> int | None:
    """When the next extra message is due after `now` (UTC ms)."""
    row = connection.execute(
        "SELECT min(next_at) FROM extra_message WHERE deleted_at IS NULL AND next_at > ?", (now,)
    ).fetchone()
    return None if row[0] is None else int(row[0])


def extra_deleted(connection: sqlite3.Connection, message_id: int, now: int) -> None:
    """The extra message is gone."""
    connection.execute(
        "UPDATE extra_message SET deleted_at = ? WHERE message_id = ? AND deleted_at IS NULL",
        (now, message_id),
    )


def extra_wait(connection: sqlite3.Connection, message_id: int, next_at: int, problem: str) -> None:
    """Delete the extra message at `next_at`."""
    connection.execute(
        "UPDATE extra_message SET next_at = ?, tries = tries + 1, problem = ? WHERE message_id = ?",
        (next_at, problem, message_id),
    )


def extras_seen(connection: sqlite3.Connection) -> int:
    """How many extra messages have ever been seen."""
    row = connection.execute(
        "SELECT count(*) FROM extra_message WHERE delivery_key <> ?", (REPLACED,)
    ).fetchone()
    return int(row[0])


def _decode(row: tuple[Any, ...]) -> Card:
    fields = dict(zip(_COLUMNS.split(", "), row, strict=True))
    fields["stale"] = bool(fields["stale"])
    return Card(**fields)
