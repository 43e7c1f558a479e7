"""What members write in direct messages that nobody listens to, and what they were told of it."""

import sqlite3
from dataclasses import dataclass
from typing import Literal

Told = Literal["offer", "waiting"]

_COLUMNS = "channel_id, member_id, first_id, last_id, expires_at, told, tries, next_at"


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A channel's latest offer. `next_at` (UTC ms) None: its member has been told (`told`)."""

    channel_id: int
    member_id: int
    first_id: int
    last_id: int
    expires_at: int
    told: Told | None
    tries: int
    next_at: int | None


def find(connection: sqlite3.Connection, channel_id: int) -> Offer | None:
    """The channel's latest offer, over or not."""
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM dm_offer WHERE channel_id = ?", (channel_id,)
    ).fetchone()
    return None if row is None else _decode(row)


def begin(
    connection: sqlite3.Connection,
    channel_id: int,
    member_id: int,
    message_id: int,
    *,
    expires_at: int,
    now: int,
) -> None:
    """The channel's next offer begins with that message; what an earlier one held is erased."""
    erase(connection, channel_id)
    connection.execute(
        "INSERT INTO dm_offer (channel_id, member_id, first_id, last_id, expires_at, holds_text,"
        " next_at) VALUES (?, ?, ?, ?, ?, 0, ?) ON CONFLICT (channel_id) DO UPDATE SET"
        " member_id = excluded.member_id, first_id = excluded.first_id,"
        " last_id = excluded.last_id, expires_at = excluded.expires_at, told = NULL, tries = 0,"
        " next_at = excluded.next_at",
        (channel_id, member_id, message_id, message_id, expires_at, now),
    )


def keep(connection: sqlite3.Connection, channel_id: int, message_id: int, text: str) -> None:
    """Keep what a message of the offer says."""
    connection.execute(
        "UPDATE dm_offer SET last_id = max(last_id, ?), holds_text = 1 WHERE channel_id = ?",
        (message_id, channel_id),
    )
    connection.execute(
        "INSERT INTO dm_offer_text (message_id, channel_id, text) VALUES (?, ?, ?)"
        " ON CONFLICT (message_id) DO NOTHING",
        (message_id, channel_id, text),
    )


def texts(connection: sqlite3.Connection, channel_id: int) -> tuple[str, ...]:
    """What the channel's offer holds, oldest first."""
    rows = connection.execute(
        "SELECT text FROM dm_offer_text WHERE channel_id = ? ORDER BY message_id", (channel_id,)
    ).fetchall()
    return tuple(row[0] for row in rows)


def holds(connection: sqlite3.Connection, message_id: int) -> bool:
    """Whether what that message says is kept."""
    row = connection.execute(
        "SELECT 1 FROM dm_offer_text WHERE message_id = ?", (message_id,)
    ).fetchone()
    return row is not None


def reword(connection: sqlite3.Connection, message_id: int, text: str) -> None:
    """The message says something else now."""
    connection.execute("UPDATE dm_offer_text SET text = ? WHERE message_id = ?", (text, message_id))


def forget(connection: sqlite3.Connection, message_id: int) -> None:
    """The message is gone."""
    connection.execute("DELETE FROM dm_offer_text WHERE message_id = ?", (message_id,))


def erase(connection: sqlite3.Connection, channel_id: int) -> None:
    """Erase what the channel's offer holds."""
    connection.execute("DELETE FROM dm_offer_text WHERE channel_id = ?", (channel_id,))
    connection.execute("UPDATE dm_offer SET holds_text = 0 WHERE channel_id = ?", (channel_id,))


def expired(connection: sqlite3.Connection, now: int, *, limit: int) -> tuple[int, ...]:
    """The channels whose offers are over and still hold something."""
    rows = connection.execute(
        "SELECT channel_id FROM dm_offer WHERE holds_text = 1 AND expires_at <= ?"
        " ORDER BY expires_at LIMIT ?",
        (now, limit),
    ).fetchall()
    return tuple(row[0] for row in rows)


def due(connection: sqlite3.Connection, now: int, *, limit: int) -> tuple[Offer, ...]:
    """Offers whose members are to be told now, the longest waiting first."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM dm_offer WHERE next_at IS NOT NULL AND next_at <= ?"
        " ORDER BY next_at LIMIT ?",
        (now, limit),
    ).fetchall()
    return tuple(_decode(row) for row in rows)


def next_due(connection: sqlite3.Connection, now: int) -> int | None:
    """When the next offer is to be told, or erased, after `now` (UTC ms)."""
    told = connection.execute(
        "SELECT min(next_at) FROM dm_offer WHERE next_at IS NOT NULL AND next_at > ?", (now,)
    ).fetchone()[0]
    over = connection.execute(
        "SELECT min(expires_at) FROM dm_offer WHERE holds_text = 1 AND expires_at > ?", (now,)
    ).fetchone()[0]
    return min((int(at) for at in (told, over) if at is not None), default=None)


def later(connection: sqlite3.Connection, offer: Offer, next_at: int) -> None:
    """It could not be found out yet what to tell the member."""
    connection.execute(
        "UPDATE dm_offer SET tries = tries + 1, next_at = ?"
        " WHERE channel_id = ? AND first_id = ? AND next_at IS NOT NULL",
        (next_at, offer.channel_id, offer.first_id),
    )


def told(connection: sqlite3.Connection, offer: Offer, what: Told | None) -> bool:
    """The member is told (None: there is nothing to tell); False when they have been before."""
    cursor = connection.execute(
        "UPDATE dm_offer SET told = ?, next_at = NULL"
        " WHERE channel_id = ? AND first_id = ? AND next_at IS NOT NULL",
        (what, offer.channel_id, offer.first_id),
    )
    return cursor.rowcount == 1


def candidates(connection: sqlite3.Connection, member_id: int, *, limit: int) -> tuple[int, ...]:
    """Guilds with a desk, those first in which we have met the member."""
    rows = connection.execute(
        "SELECT guild_id FROM desk ORDER BY EXISTS (SELECT 1 FROM person"
        " WHERE person.guild_id = desk.guild_id AND person.member_id = ?) DESC, guild_id LIMIT ?",
        (member_id, limit),
    ).fetchall()
    return tuple(row[0] for row in rows)


def _decode(row: tuple[int, int, int, int, int, Told | None, int, int | None]) -> Offer:
    return Offer(
        channel_id=row[0],
        member_id=row[1],
        first_id=row[2],
        last_id=row[3],
        expires_at=row[4],
        told=row[5],
        tries=row[6],
        next_at=row[7],
    )
