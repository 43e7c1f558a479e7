"""Campaigns' cards in their channels, kept as the desk's are: see `storage.cards`."""

import sqlite3
from dataclasses import dataclass
from typing import Any

from storage import cards

_COLUMNS = (
    "campaign_id, guild_id, channel_id, message_id, digest, stale, posts, tries, next_at, problem"
)
_LIVE = "SELECT id FROM campaign WHERE state IN ('open', 'draining')"


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignCard:
    """A campaign's card. `posts` numbers its postings; `stale`: it is to be drawn again."""

    campaign_id: int
    guild_id: int
    channel_id: int | None
    message_id: int | None
    digest: str | None
    stale: bool
    posts: int
    tries: int
    next_at: int
    problem: str | None


def touch(connection: sqlite3.Connection, campaign_id: int, guild_id: int, now: int) -> None:
    """The campaign has moved on: its card is to be drawn again.

    Not before its rest is over: many may enter at once, and Discord takes few edits of a message.
    """
    connection.execute(
        "INSERT INTO campaign_card (campaign_id, guild_id, stale, next_at) VALUES (?, ?, 1, ?)"
        " ON CONFLICT (campaign_id) DO UPDATE SET stale = 1",
        (campaign_id, guild_id, now),
    )


def find(connection: sqlite3.Connection, campaign_id: int) -> CampaignCard | None:
    """The campaign's card."""
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM campaign_card WHERE campaign_id = ?", (campaign_id,)
    ).fetchone()
    return None if row is None else _decode(row)


def of_message(connection: sqlite3.Connection, message_id: int) -> CampaignCard | None:
    """The card that is shown by that message."""
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM campaign_card WHERE message_id = ?", (message_id,)
    ).fetchone()
    return None if row is None else _decode(row)


def due(connection: sqlite3.Connection, now: int, *, limit: int) -> tuple[CampaignCard, ...]:
    """Cards to be drawn now, the longest waiting first."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM campaign_card WHERE stale = 1 AND next_at <= ?"
        " ORDER BY next_at LIMIT ?",
        (now, limit),
    ).fetchall()
    return tuple(_decode(row) for row in rows)


def next_due(connection: sqlite3.Connection, now: int) -> int | None:
    """When the next card is due after `now` (UTC ms)."""
    row = connection.execute(
        "SELECT min(next_at) FROM campaign_card WHERE stale = 1 AND next_at > ?", (now,)
    ).fetchone()
    return None if row[0] is None else int(row[0])


def posting(connection: sqlite3.Connection, campaign_id: int, channel_id: int) -> None:
    """The card's message is on its way to the channel: nothing is drawn until it is there."""
    connection.execute(
        "UPDATE campaign_card SET stale = 0, tries = 0, problem = NULL, channel_id = ?"
        " WHERE campaign_id = ?",
        (channel_id, campaign_id),
    )


def posted(
    connection: sqlite3.Connection, campaign_id: int, posts: int, message_id: int, now: int
) -> None:
    """The card's message is there. What it shows is compared on the next drawing."""
    connection.execute(
        "UPDATE campaign_card SET message_id = ?, digest = NULL, stale = 1, tries = 0, next_at = ?"
        " WHERE campaign_id = ? AND posts = ? AND message_id IS NULL",
        (message_id, now, campaign_id, posts),
    )


def drawn(
    connection: sqlite3.Connection, card: CampaignCard, digest: str, *, stale: bool, rest_until: int
) -> None:
    """The card's message shows `digest`; `stale`: something has changed meanwhile.

    It is not drawn again before `rest_until`. A card that has been lost since `card` was read stays
    as it is.
    """
    connection.execute(
        "UPDATE campaign_card SET digest = ?, tries = 0, problem = NULL, stale = ?, next_at = ?"
        " WHERE campaign_id = ? AND posts = ?",
        (digest, stale, rest_until, card.campaign_id, card.posts),
    )


def lost(connection: sqlite3.Connection, card: CampaignCard, now: int) -> None:
    """The card's message is gone: it is posted again, as a posting of its own."""
    connection.execute(
        "UPDATE campaign_card SET message_id = NULL, digest = NULL, posts = posts + 1, stale = 1,"
        " tries = 0, next_at = ? WHERE campaign_id = ? AND posts = ?",
        (now, card.campaign_id, card.posts),
    )


def moved(connection: sqlite3.Connection, campaign_id: int, now: int) -> None:
    """The campaign has another channel: a new card takes the old one's place, which is deleted."""
    card = find(connection, campaign_id)
    if card is None:
        return
    if card.message_id is not None and card.channel_id is not None:
        cards.note_extra(connection, card.message_id, card.channel_id, cards.REPLACED, now)
    lost(connection, card, now)


def wait(connection: sqlite3.Connection, campaign_id: int, next_at: int, problem: str) -> None:
    """Draw the card again at `next_at`."""
    connection.execute(
        "UPDATE campaign_card SET next_at = ?, tries = tries + 1, problem = ?"
        " WHERE campaign_id = ?",
        (next_at, problem, campaign_id),
    )


def shown(connection: sqlite3.Connection) -> tuple[CampaignCard, ...]:
    """The cards that are there, of campaigns that are not closed."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM campaign_card WHERE message_id IS NOT NULL"
        f" AND campaign_id IN ({_LIVE})"
    ).fetchall()
    return tuple(_decode(row) for row in rows)


def redraw(connection: sqlite3.Connection, card: CampaignCard, now: int) -> None:
    """Draw the card again whatever it showed last: an edit finds out whether it is gone."""
    connection.execute(
        "UPDATE campaign_card SET digest = NULL, stale = 1, next_at = ?"
        " WHERE campaign_id = ? AND posts = ?",
        (now, card.campaign_id, card.posts),
    )


def _decode(row: tuple[Any, ...]) -> CampaignCard:
    fields = dict(zip(_COLUMNS.split(", "), row, strict=True))
    return CampaignCard(**{**fields, "stale": bool(fields["stale"])})
