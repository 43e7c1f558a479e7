"""Campaigns and their append-only history.

Every function runs inside a transaction that `Database.write` or `Database.read` holds. States are
written into the SQL as literals: a partial index serves only a WHERE that repeats them.
"""

import sqlite3
from dataclasses import dataclass
from typing import Any

from domain.campaigns import STATE_NAMES, Campaign
from domain.errors import Refused

_STATES = {name: state for state, name in STATE_NAMES.items()}
_COLUMNS = (
    "id, guild_id, channel_id, slug, name, text, capacity, accepted_count, closes_at, created_by,"
    " created_at, revision, state"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCampaign:
    """What an organizer has asked for, under the interaction that brought it."""

    interaction_id: int
    guild_id: int
    channel_id: int
    slug: str
    name: str
    text: str
    capacity: int
    closes_at: int
    created_by: int
    created_at: int


def insert(connection: sqlite3.Connection, new: NewCampaign) -> Campaign:
    """Write a new open campaign with its first history row, and return it."""
    cursor = connection.execute(
        "INSERT INTO campaign (interaction_id, guild_id, channel_id, slug, name, text, capacity,"
        " accepted_count, closes_at, created_by, created_at, revision, state)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, 0, 'open')",
        (
            new.interaction_id,
            new.guild_id,
            new.channel_id,
            new.slug,
            new.name,
            new.text,
            new.capacity,
            new.closes_at,
            new.created_by,
            new.created_at,
        ),
    )
    campaign_id = cursor.lastrowid
    assert campaign_id is not None
    campaign = load(connection, campaign_id)
    record(connection, campaign, "create", new.created_by, new.created_at)
    return campaign


def save(connection: sqlite3.Connection, after: Campaign) -> None:
    """Store a campaign one event on, where the revision still matches.

    Raises `Refused("concurrent_update")`, with nothing written, when another event came first.
    """
    cursor = connection.execute(
        "UPDATE campaign SET revision = ?, state = ?, channel_id = ?, slug = ?, name = ?, text = ?,"
        " capacity = ?, accepted_count = ?, closes_at = ? WHERE id = ? AND revision = ?",
        (
            after.revision,
            after.state_name,
            after.channel_id,
            after.slug,
            after.name,
            after.text,
            after.capacity,
            after.accepted_count,
            after.closes_at,
            after.id,
            after.revision - 1,
        ),
    )
    if cursor.rowcount != 1:
        raise Refused("concurrent_update")


def record(
    connection: sqlite3.Connection, after: Campaign, event: str, actor_id: int | None, now: int
) -> None:
    """Keep a step of the campaign's own in its history."""
    connection.execute(
        "INSERT INTO campaign_event (campaign_id, revision, event, state, actor_id, at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (after.id, after.revision, event, after.state_name, actor_id, now),
    )


def load(connection: sqlite3.Connection, campaign_id: int) -> Campaign:
    """The campaign with that id; raises `Refused("campaign_not_found")`."""
    return _one(connection, "id = ?", (campaign_id,))


def by_slug(connection: sqlite3.Connection, guild_id: int, slug: str) -> Campaign:
    """A guild's campaign by what people type; raises `Refused("campaign_not_found")`."""
    return _one(connection, "guild_id = ? AND slug = ?", (guild_id, slug))


def is_slug_free(connection: sqlite3.Connection, guild_id: int, slug: str) -> bool:
    """Whether no campaign of the guild, not even a closed one, has the slug."""
    row = connection.execute(
        "SELECT 1 FROM campaign WHERE guild_id = ? AND slug = ?", (guild_id, slug)
    ).fetchone()
    return row is None


def by_interaction(connection: sqlite3.Connection, interaction_id: int) -> Campaign | None:
    """The campaign that this interaction made, if it did."""
    found = _many(connection, "interaction_id = ?", (interaction_id,))
    return found[0] if found else None


def live(connection: sqlite3.Connection, guild_id: int, *, limit: int) -> tuple[Campaign, ...]:
    """The guild's campaigns that are open or draining, oldest first."""
    return _many(
        connection,
        "guild_id = ? AND state IN ('open', 'draining') ORDER BY id LIMIT ?",
        (guild_id, limit),
        table="campaign INDEXED BY campaign_live",  # else all of the guild's closed ones are walked
    )


def newest(
    connection: sqlite3.Connection, guild_id: int, *, before: int | None, limit: int
) -> tuple[Campaign, ...]:
    """The guild's campaigns in any state, newest first: those before that id, or all."""
    return _many(
        connection,
        "guild_id = ? AND id < ? ORDER BY id DESC LIMIT ?",
        (guild_id, before or 2**62, limit),
    )


def due(connection: sqlite3.Connection, now: int, *, limit: int) -> tuple[Campaign, ...]:
    """Open campaigns whose deadline has come, longest ago first."""
    return _many(
        connection, "state = 'open' AND closes_at <= ? ORDER BY closes_at LIMIT ?", (now, limit)
    )


def next_due(connection: sqlite3.Connection) -> int | None:
    """When the next open campaign's deadline is (UTC ms), if any is open."""
    row = connection.execute("SELECT min(closes_at) FROM campaign WHERE state = 'open'").fetchone()
    return None if row[0] is None else int(row[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryRow:
    """One of the campaign's own steps: what happened, by whom (None: Steward), when (ms)."""

    revision: int
    event: str
    state: str
    actor_id: int | None
    at: int


def history(connection: sqlite3.Connection, campaign_id: int) -> tuple[HistoryRow, ...]:
    """Every step of the campaign's own, in order."""
    rows = connection.execute(
        "SELECT revision, event, state, actor_id, at FROM campaign_event"
        " WHERE campaign_id = ? ORDER BY revision",
        (campaign_id,),
    ).fetchall()
    return tuple(
        HistoryRow(revision=revision, event=event, state=state, actor_id=actor_id, at=at)
        for revision, event, state, actor_id, at in rows
    )


def _one(connection: sqlite3.Connection, where: str, values: tuple[Any, ...]) -> Campaign:
    found = _many(connection, where, values)
    if not found:
        raise Refused("campaign_not_found")
    return found[0]


def _many(
    connection: sqlite3.Connection,
    where: str,
    values: tuple[Any, ...],
    table: str = "campaign",
) -> tuple[Campaign, ...]:
    rows = connection.execute(f"SELECT {_COLUMNS} FROM {table} WHERE {where}", values).fetchall()
    return tuple(_decode(row) for row in rows)


def _decode(row: tuple[Any, ...]) -> Campaign:
    fields = dict(zip(_COLUMNS.split(", "), row, strict=True))
    return Campaign(**{**fields, "state": _STATES[fields["state"]]()})
