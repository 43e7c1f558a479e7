"""Carried messages: the originals, what they said before, and which message is a copy of which."""

import sqlite3
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, Literal

RelayedSide = Literal["member", "desk", "note"]

_COLUMNS = (
    "id, conversation_id, channel_id, side, author_id, author_name, locale, text, extras,"
    " reply_to, at, edited_at, deleted_at, by_command"
)
_PREFIX = "m:"


def event_of(original_id: int) -> str:
    """The inbox event, and the outbox event, of an original message."""
    return f"{_PREFIX}{original_id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Relayed:
    """The original of a carried message, or of a note that stayed at the desk.

    `extras` is what it bore besides text, as the relay wrote it down. Times are UTC ms.
    `by_command`: there is no such message in the channel, `id` is that of a /reply.
    """

    id: int
    conversation_id: str
    channel_id: int
    side: RelayedSide
    author_id: int
    author_name: str
    locale: str
    text: str
    extras: str
    reply_to: int | None
    at: int
    edited_at: int | None = None
    deleted_at: int | None = None
    by_command: bool = False


def add(connection: sqlite3.Connection, message: Relayed) -> None:
    """Keep an original."""
    connection.execute(
        f"INSERT INTO relayed_message ({_COLUMNS})"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        tuple(getattr(message, name) for name in _COLUMNS.split(", ")),
    )


def find(connection: sqlite3.Connection, original_id: int) -> Relayed | None:
    """The original with that id."""
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM relayed_message WHERE id = ?", (original_id,)
    ).fetchone()
    return None if row is None else _decode(row)


def original_of(connection: sqlite3.Connection, message_id: int) -> Relayed | None:
    """The original behind a message: itself, or the one that it is a copy of."""
    own = find(connection, message_id)
    if own is not None:
        return own
    row = connection.execute(
        "SELECT event FROM outbox_part WHERE message_id = ?", (message_id,)
    ).fetchone()
    if row is None or not str(row[0]).startswith(_PREFIX):
        return None
    return find(connection, int(str(row[0]).removeprefix(_PREFIX)))


def guild_of(connection: sqlite3.Connection, conversation_id: str) -> int:
    """The guild of a conversation."""
    row = connection.execute(
        "SELECT guild_id FROM conversation WHERE id = ?", (conversation_id,)
    ).fetchone()
    return int(row[0])


def original_of_event(connection: sqlite3.Connection, event: str) -> Relayed | None:
    """The original whose copy, edit or deletion an outbox event is about."""
    kind, _, rest = event.partition(":")
    number = rest.partition(":")[0]
    if kind not in ("m", "e", "d") or not number.isdecimal():
        return None
    return find(connection, int(number))


def edited(connection: sqlite3.Connection, message: Relayed, text: str, edited_at: int) -> None:
    """The original says something else now; what it said is kept."""
    connection.execute(
        "INSERT INTO relayed_version (message_id, until, text) VALUES (?, ?, ?)"
        " ON CONFLICT (message_id, until) DO NOTHING",
        (message.id, edited_at, message.text),
    )
    connection.execute(
        "UPDATE relayed_message SET text = ?, edited_at = ? WHERE id = ?",
        (text, edited_at, message.id),
    )


def deleted(connection: sqlite3.Connection, message_id: int, now: int) -> None:
    """Its author has deleted the original."""
    connection.execute(
        "UPDATE relayed_message SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL",
        (now, message_id),
    )


def messages_in(
    connection: sqlite3.Connection, channel_id: int, *, since: int, before: int
) -> tuple[int, ...]:
    """The messages of a channel from that id on that were carried and are not deleted.

    Of those only what came in before then (UTC ms).
    """
    rows = connection.execute(
        "SELECT message.id FROM relayed_message AS message"
        " LEFT JOIN inbox_event AS event ON event.id = ? || message.id"
        " WHERE message.channel_id = ? AND message.id >= ? AND message.deleted_at IS NULL"
        " AND message.by_command = 0 AND coalesce(event.at < ?, 1) ORDER BY message.id",
        (_PREFIX, channel_id, since, before),
    ).fetchall()
    return tuple(row[0] for row in rows)


def of_conversation(
    connection: sqlite3.Connection, conversation_id: str
) -> Generator[Relayed, None, None]:
    """The originals and notes of a conversation in the order in which they were written."""
    cursor = connection.execute(
        f"SELECT {_COLUMNS} FROM relayed_message WHERE conversation_id = ? ORDER BY id",
        (conversation_id,),
    )
    for row in cursor:
        yield _decode(row)


def how_many(connection: sqlite3.Connection, conversation_id: str) -> int:
    """How many originals and notes a conversation has."""
    row = connection.execute(
        "SELECT count(*) FROM relayed_message WHERE conversation_id = ?", (conversation_id,)
    ).fetchone()
    return int(row[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """What a carried message said until then (UTC ms)."""

    text: str
    until: int


def versions(connection: sqlite3.Connection, message_id: int) -> tuple[Version, ...]:
    """What a carried message said before, oldest first."""
    rows = connection.execute(
        "SELECT text, until FROM relayed_version WHERE message_id = ? ORDER BY until",
        (message_id,),
    ).fetchall()
    return tuple(Version(text=text, until=until) for text, until in rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What a translation is a view of."""

    original_id: int
    conversation_id: str
    text: str
    locale: str | None


def source_of(connection: sqlite3.Connection, guild_id: int, message_id: int) -> Source | None:
    """The carried message of that guild behind a message of its desk; None: it was not carried."""
    message = original_of(connection, message_id)
    if message is None or message.side == "note":
        return None
    row = connection.execute(
        "SELECT 1 FROM conversation WHERE id = ? AND guild_id = ?",
        (message.conversation_id, guild_id),
    ).fetchone()
    if row is None:
        return None
    return Source(
        original_id=message.id,
        conversation_id=message.conversation_id,
        text=message.text,
        locale=message.locale,
    )


def _decode(row: tuple[Any, ...]) -> Relayed:
    fields = dict(zip(_COLUMNS.split(", "), row, strict=True))
    return Relayed(**{**fields, "by_command": bool(fields["by_command"])})
