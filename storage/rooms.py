"""Rooms: which channel follows which conversation, and how far each has been read."""

import sqlite3
from dataclasses import dataclass
from typing import Literal

Side = Literal["member", "desk"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A channel that follows a conversation, since then (UTC ms)."""

    channel_id: int
    side: Side
    conversation_id: str
    since: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Inbound:
    """How far a channel has been read. `behind` above 0: it is to be read on from `cursor`."""

    channel_id: int
    guild_id: int
    side: Side
    cursor: int
    behind: int
    closing: bool
    blind: bool
    tries: int


def live(connection: sqlite3.Connection, channel_id: int) -> Room | None:
    """What the channel follows now."""
    row = connection.execute(
        "SELECT channel_id, side, conversation_id, since FROM room"
        " WHERE channel_id = ? AND revoked_at IS NULL",
        (channel_id,),
    ).fetchone()
    return None if row is None else _room(row)


def of_message(connection: sqlite3.Connection, channel_id: int, message_id: int) -> Room | None:
    """What the channel followed when that message was written, however late it is read.

    None where it followed nothing then. A conversation that has ended keeps what was written
    before something else took its place, and nothing that is written now.
    """
    row = connection.execute(
        "SELECT channel_id, side, conversation_id, since FROM room WHERE channel_id = ?"
        " AND since_id <= ? AND ((revoked_at IS NULL AND until_id IS NULL) OR until_id > ?)"
        " ORDER BY id DESC LIMIT 1",
        (channel_id, message_id, message_id),
    ).fetchone()
    return None if row is None else _room(row)


def follow(
    connection: sqlite3.Connection,
    channel_id: int,
    side: Side,
    conversation_id: str,
    now: int,
    *,
    since_id: int = 0,
) -> None:
    """Let the channel follow the conversation; what it followed before is revoked.

    `since_id` is an id of Discord's: what was written before it is for what was followed then.
    """
    revoke_channel(connection, channel_id, now, until_id=since_id)
    if side == "desk":
        connection.execute(
            "UPDATE room SET revoked_at = ? WHERE conversation_id = ? AND side = 'desk'"
            " AND revoked_at IS NULL",
            (now, conversation_id),
        )
    connection.execute(
        "INSERT INTO room (channel_id, side, conversation_id, since, since_id)"
        " VALUES (?, ?, ?, ?, ?)",
        (channel_id, side, conversation_id, now, since_id),
    )


def revoke_channel(
    connection: sqlite3.Connection, channel_id: int, now: int, *, until_id: int | None = None
) -> None:
    """The channel follows nothing any more, from the message `until_id` on where it is known."""
    connection.execute(
        "UPDATE room SET revoked_at = coalesce(revoked_at, ?), until_id = coalesce(until_id, ?)"
        " WHERE channel_id = ? AND (revoked_at IS NULL OR until_id IS NULL)",
        (now, until_id, channel_id),
    )


def revoke_conversation(connection: sqlite3.Connection, conversation_id: str, now: int) -> None:
    """Nothing follows the conversation any more: it has ended."""
    connection.execute(
        "UPDATE room SET revoked_at = ? WHERE conversation_id = ? AND revoked_at IS NULL",
        (now, conversation_id),
    )


def active_in(connection: sqlite3.Connection, channel_id: int) -> tuple[str, ...]:
    """The active conversations whose member talks in that channel, oldest first."""
    rows = connection.execute(
        "SELECT conversation.id FROM conversation JOIN request"
        " ON request.id = conversation.request_id"
        " WHERE conversation.channel_id = ? AND request.state = 'active'"
        " ORDER BY conversation.opened_at, conversation.id",
        (channel_id,),
    ).fetchall()
    return tuple(row[0] for row in rows)


def desk_channels(connection: sqlite3.Connection, conversation_id: str) -> tuple[int, ...]:
    """Every thread at the desk that the conversation ever had."""
    rows = connection.execute(
        "SELECT DISTINCT channel_id FROM room WHERE conversation_id = ? AND side = 'desk'",
        (conversation_id,),
    ).fetchall()
    return tuple(row[0] for row in rows)


def desk_of(connection: sqlite3.Connection, channel_id: int) -> str | None:
    """The conversation whose thread at the desk the channel is, or was."""
    row = connection.execute(
        "SELECT conversation_id FROM room WHERE channel_id = ? AND side = 'desk'"
        " ORDER BY id DESC LIMIT 1",
        (channel_id,),
    ).fetchone()
    return None if row is None else str(row[0])


def listen(
    connection: sqlite3.Connection,
    channel_id: int,
    *,
    guild_id: int,
    side: Side,
    cursor: int,
    now: int,
) -> None:
    """Read the channel from behind `cursor` on. What is read already is not read again.

    It begins one look behind: what was written before this row existed was told to nobody.
    """
    connection.execute(
        "INSERT INTO inbound (channel_id, guild_id, side, cursor, behind, next_at)"
        " VALUES (?, ?, ?, ?, 1, ?)"
        " ON CONFLICT (channel_id) DO UPDATE SET closing = 0, behind = behind + 1,"
        " next_at = excluded.next_at",
        (channel_id, guild_id, side, cursor, now),
    )


def stop_listening(connection: sqlite3.Connection, channel_id: int) -> None:
    """Forget the channel, once what was written in it until now has been read."""
    connection.execute("DELETE FROM inbound WHERE channel_id = ? AND behind = 0", (channel_id,))
    connection.execute("UPDATE inbound SET closing = 1 WHERE channel_id = ?", (channel_id,))


def read_out(connection: sqlite3.Connection, channel_id: int, now: int) -> None:
    """Read the channel once more, whatever has been read of it, and forget it then."""
    connection.execute(
        "UPDATE inbound SET closing = 1, behind = behind + 1, next_at = ? WHERE channel_id = ?",
        (now, channel_id),
    )


def forget(connection: sqlite3.Connection, channel_id: int) -> None:
    """The channel is gone: nothing in it can be read any more."""
    connection.execute("DELETE FROM inbound WHERE channel_id = ?", (channel_id,))


_INBOUND = "channel_id, guild_id, side, cursor, behind, closing, blind, tries"


def inbound(connection: sqlite3.Connection, channel_id: int) -> Inbound | None:
    """How far the channel has been read; None where nobody listens."""
    row = connection.execute(
        f"SELECT {_INBOUND} FROM inbound WHERE channel_id = ?", (channel_id,)
    ).fetchone()
    return None if row is None else _inbound(row)


def behind(connection: sqlite3.Connection, now: int, *, limit: int) -> tuple[Inbound, ...]:
    """The channels that are due to be read on; first those in which somebody waits for it."""
    rows = connection.execute(
        f"SELECT {_INBOUND} FROM inbound WHERE behind > 0 AND next_at <= ?"
        " ORDER BY EXISTS (SELECT 1 FROM inbox_event AS event"
        " WHERE event.channel_id = inbound.channel_id AND event.state = 'queued'"
        " AND event.set_aside = 0) DESC, next_at, channel_id LIMIT ?",
        (now, limit),
    ).fetchall()
    return tuple(_inbound(row) for row in rows)


def next_behind(connection: sqlite3.Connection, now: int) -> int | None:
    """When the next channel is due to be read on after `now` (UTC ms)."""
    row = connection.execute(
        "SELECT min(next_at) FROM inbound WHERE behind > 0 AND next_at > ?", (now,)
    ).fetchone()
    return None if row[0] is None else int(row[0])


def fall_behind(connection: sqlite3.Connection, now: int) -> None:
    """What is written from now on may reach nobody: every channel is read on from its cursor."""
    connection.execute("UPDATE inbound SET behind = behind + 1, next_at = ?, tries = 0", (now,))


def heard(connection: sqlite3.Connection, channel_id: int, message_id: int) -> None:
    """The message is in the inbox. The cursor moves with it unless a gap lies before it."""
    connection.execute(
        "UPDATE inbound SET cursor = ? WHERE channel_id = ? AND behind = 0 AND cursor < ?",
        (message_id, channel_id, message_id),
    )


def read_to(connection: sqlite3.Connection, channel_id: int, message_id: int, now: int) -> None:
    """Everything up to the message has been read and is in the inbox; there is more."""
    connection.execute(
        "UPDATE inbound SET cursor = max(cursor, ?), next_at = ?, tries = 0, problem = NULL"
        " WHERE channel_id = ?",
        (message_id, now, channel_id),
    )


def is_ahead(connection: sqlite3.Connection, channel_id: int, message_id: int) -> bool:
    """Whether the message is in a part of the channel that is still to be read."""
    row = connection.execute(
        "SELECT 1 FROM inbound WHERE channel_id = ? AND behind > 0 AND cursor < ?",
        (channel_id, message_id),
    ).fetchone()
    return row is not None


def read_again(connection: sqlite3.Connection, channel_id: int) -> None:
    """A message that is still to be read has changed: what is being read just now may be older."""
    connection.execute(
        "UPDATE inbound SET behind = behind + 1 WHERE channel_id = ? AND behind > 0", (channel_id,)
    )


def caught_up(connection: sqlite3.Connection, inbound: Inbound) -> None:
    """The channel has been read to its end, for the reasons that `inbound` was read for."""
    connection.execute(
        "UPDATE inbound SET behind = behind - ?, tries = 0, blind = 0, problem = NULL"
        " WHERE channel_id = ?",
        (inbound.behind, inbound.channel_id),
    )
    connection.execute(
        "DELETE FROM inbound WHERE channel_id = ? AND closing = 1 AND behind = 0",
        (inbound.channel_id,),
    )


def read_later(
    connection: sqlite3.Connection, channel_id: int, problem: str, next_at: int, *, blind: bool
) -> None:
    """It could not be read now. `blind`: what comes in goes on without it."""
    connection.execute(
        "UPDATE inbound SET tries = tries + 1, problem = ?, next_at = ?, blind = ?"
        " WHERE channel_id = ?",
        (problem, next_at, blind, channel_id),
    )


def last_of(connection: sqlite3.Connection, channel_id: int) -> str | None:
    """The conversation that the channel followed last."""
    row = connection.execute(
        "SELECT conversation_id FROM room WHERE channel_id = ? ORDER BY id DESC LIMIT 1",
        (channel_id,),
    ).fetchone()
    return None if row is None else str(row[0])


def _room(row: tuple[int, Side, str, int]) -> Room:
    return Room(channel_id=row[0], side=row[1], conversation_id=row[2], since=row[3])


def _inbound(row: tuple[int, int, Side, int, int, int, int, int]) -> Inbound:
    return Inbound(
        channel_id=row[0],
        guild_id=row[1],
        side=row[2],
        cursor=row[3],
        behind=row[4],
        closing=bool(row[5]),
        blind=bool(row[6]),
        tries=row[7],
    )
