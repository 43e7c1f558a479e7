"""Entries of campaigns and their append-only history.

Every function runs inside a transaction that `Database.write` or `Database.read` holds. States are
written into the SQL as literals: a partial index serves only a WHERE that repeats them.
"""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from domain.entries import STATE_NAMES, Entry, State
from domain.errors import Refused

_STATES = {name: state for state, name in STATE_NAMES.items()}
_STATE_COLUMNS = ("reviewer_id", "token", "lease_until", "words", "summary")
_COLUMNS = (
    "id, reference, campaign_id, guild_id, author_id, source, source_locale, title, url, why,"
    " named, created_at, revision, state, " + ", ".join(_STATE_COLUMNS)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEntry:
    """What is nominated; `references` are candidates, the first free one is taken."""

    references: tuple[str, ...]
    campaign_id: int
    guild_id: int
    author_id: int
    source: str
    source_locale: str
    title: str
    url: str
    why: str
    named: bool
    created_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryRow:
    """One accepted event: what happened, what it led to, who did it (None: Steward), when (ms)."""

    revision: int
    event: str
    state: str
    actor_id: int | None
    at: int
    note: str | None


def insert(connection: sqlite3.Connection, new: NewEntry) -> Entry:
    """Write a new queued entry with its first history row, and return it."""
    cursor = connection.execute(
        "INSERT INTO entry (reference, campaign_id, guild_id, author_id, source, source_locale,"
        " title, url, why, named, created_at, revision, state)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 'queued')",
        (
            _free_reference(connection, new.references),
            new.campaign_id,
            new.guild_id,
            new.author_id,
            new.source,
            new.source_locale,
            new.title,
            new.url,
            new.why,
            new.named,
            new.created_at,
        ),
    )
    entry_id = cursor.lastrowid
    assert entry_id is not None
    _record(connection, entry_id, 0, "submit", "queued", new.author_id, new.created_at, None)
    return load(connection, entry_id)


def _free_reference(connection: sqlite3.Connection, candidates: Iterable[str]) -> str:
    for candidate in candidates:
        taken = connection.execute(
            "SELECT 1 FROM entry WHERE reference = ?", (candidate,)
        ).fetchone()
        if taken is None:
            return candidate
    raise sqlite3.IntegrityError("every candidate reference is taken")


def save(
    connection: sqlite3.Connection,
    after: Entry,
    *,
    event: str,
    actor_id: int | None,
    now: int,
    note: str | None = None,
) -> None:
    """Store an entry one event on, and its history row, where the revision still matches.

    Raises `Refused("concurrent_update")`, with nothing written, when another event came first.
    """
    cursor = connection.execute(
        "UPDATE entry SET revision = ?, state = ?, reviewer_id = ?, token = ?, lease_until = ?,"
        " words = ?, summary = ?, title = ?, url = ?, why = ? WHERE id = ? AND revision = ?",
        (
            after.revision,
            after.state_name,
            *_encode(after.state),
            after.title,
            after.url,
            after.why,
            after.id,
            after.revision - 1,
        ),
    )
    if cursor.rowcount != 1:
        raise Refused("concurrent_update", reference=after.reference)
    _record(connection, after.id, after.revision, event, after.state_name, actor_id, now, note)


def _record(
    connection: sqlite3.Connection,
    entry_id: int,
    revision: int,
    event: str,
    state: str,
    actor_id: int | None,
    at: int,
    note: str | None,
) -> None:
    connection.execute(
        "INSERT INTO entry_event (entry_id, revision, event, state, actor_id, at, note)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (entry_id, revision, event, state, actor_id, at, note),
    )


def set_named(connection: sqlite3.Connection, entry_id: int, *, named: bool) -> None:
    """Whether the author agrees to be named where the campaign is shown."""
    connection.execute("UPDATE entry SET named = ? WHERE id = ?", (named, entry_id))


def load(connection: sqlite3.Connection, entry_id: int) -> Entry:
    """The entry with that id; raises `Refused("entry_not_found")`."""
    return _one(connection, "id = ?", (entry_id,))


def by_reference(connection: sqlite3.Connection, guild_id: int, reference: str) -> Entry:
    """A guild's entry by what people see; raises `Refused("entry_not_found")`."""
    return _one(connection, "reference = ? AND guild_id = ?", (reference.upper(), guild_id))


def of_author(connection: sqlite3.Connection, campaign_id: int, author_id: int) -> Entry | None:
    """The author's one entry in a campaign, in whatever state."""
    found = _many(connection, "campaign_id = ? AND author_id = ?", (campaign_id, author_id))
    return found[0] if found else None


def all_of_author(
    connection: sqlite3.Connection, author_id: int, *, guild_id: int | None, limit: int
) -> tuple[Entry, ...]:
    """The author's entries, newest first: in one guild, or in all."""
    return _many(
        connection,
        "author_id = ? AND guild_id = coalesce(?, guild_id) ORDER BY id DESC LIMIT ?",
        (author_id, guild_id, limit),
    )


def returned_to(connection: sqlite3.Connection, author_id: int, *, limit: int) -> tuple[Entry, ...]:
    """What waits for the author's answer, oldest first."""
    return _many(
        connection, "author_id = ? AND state = 'returned' ORDER BY id LIMIT ?", (author_id, limit)
    )


def next_in_campaign(
    connection: sqlite3.Connection, campaign_id: int, *, reviewer_id: int
) -> Entry | None:
    """The campaign's oldest queued entry that is not the reviewer's own."""
    found = _many(
        connection,
        "campaign_id = ? AND state = 'queued' AND author_id <> ? ORDER BY id LIMIT 1",
        (campaign_id, reviewer_id),
    )
    return found[0] if found else None


def next_in_guild(
    connection: sqlite3.Connection, guild_id: int, *, reviewer_id: int
) -> Entry | None:
    """The guild's oldest queued entry that is not the reviewer's own."""
    found = _many(
        connection,
        "guild_id = ? AND state = 'queued' AND author_id <> ? ORDER BY id LIMIT 1",
        (guild_id, reviewer_id),
    )
    return found[0] if found else None


def held_by(
    connection: sqlite3.Connection, guild_id: int, reviewer_id: int, *, limit: int
) -> tuple[Entry, ...]:
    """What a reviewer holds in the guild, oldest first."""
    return _many(
        connection,
        "guild_id = ? AND reviewer_id = ? AND state = 'leased' ORDER BY id LIMIT ?",
        (guild_id, reviewer_id, limit),
    )


def leased_in(connection: sqlite3.Connection, guild_id: int, *, limit: int) -> tuple[Entry, ...]:
    """What reviewers hold in the guild."""
    return _many(
        connection,
        "guild_id = ? AND state = 'leased' ORDER BY reviewer_id, id LIMIT ?",
        (guild_id, limit),
        table="entry INDEXED BY entry_held",
    )


def unfinished(
    connection: sqlite3.Connection, campaign_id: int, *, limit: int, after_id: int = 0
) -> tuple[Entry, ...]:
    """Promises of the campaign that are still to be kept, oldest first, from behind `after_id`."""
    return _many(
        connection,
        "campaign_id = ? AND state IN ('queued', 'leased', 'returned') AND id > ?"
        " ORDER BY id LIMIT ?",
        (campaign_id, after_id, limit),
    )


def done(
    connection: sqlite3.Connection, campaign_id: int, *, limit: int, after_id: int = 0
) -> tuple[Entry, ...]:
    """The campaign's completed entries, oldest first, from behind `after_id`."""
    return _many(
        connection,
        "campaign_id = ? AND state = 'done' AND id > ? ORDER BY id LIMIT ?",
        (campaign_id, after_id, limit),
    )


def due_leases(connection: sqlite3.Connection, now: int, *, limit: int) -> tuple[Entry, ...]:
    """Leased entries whose time has run out, longest ago first."""
    return _many(
        connection,
        "state = 'leased' AND lease_until <= ? ORDER BY lease_until LIMIT ?",
        (now, limit),
    )


def next_lease(connection: sqlite3.Connection, *, after: int = 0) -> int | None:
    """When the next lease after that time runs out (UTC ms), if any does."""
    row = connection.execute(
        "SELECT min(lease_until) FROM entry WHERE state = 'leased' AND lease_until > ?", (after,)
    ).fetchone()
    return None if row[0] is None else int(row[0])


def leases_ending(
    connection: sqlite3.Connection, before: int, *, limit: int
) -> tuple[tuple[int, int], ...]:
    """Leases that run out by `before` (UTC ms): the entry's id and when, soonest first."""
    rows = connection.execute(
        "SELECT id, lease_until FROM entry WHERE state = 'leased' AND lease_until <= ?"
        " ORDER BY lease_until LIMIT ?",
        (before, limit),
    ).fetchall()
    return tuple((row[0], row[1]) for row in rows)


def counts(connection: sqlite3.Connection, campaign_id: int | None = None) -> dict[str, int]:
    """How many entries are in each state, of one campaign or of all; what is 0 may be missing."""
    if campaign_id is None:
        rows = connection.execute("SELECT state, sum(number) FROM entry_count GROUP BY state")
    else:
        rows = connection.execute(
            "SELECT state, number FROM entry_count WHERE campaign_id = ?", (campaign_id,)
        )
    return {state: int(number) for state, number in rows.fetchall()}


def history(connection: sqlite3.Connection, entry_id: int) -> tuple[HistoryRow, ...]:
    """Every accepted event of an entry, in order."""
    rows = connection.execute(
        "SELECT revision, event, state, actor_id, at, note FROM entry_event"
        " WHERE entry_id = ? ORDER BY revision",
        (entry_id,),
    ).fetchall()
    return tuple(
        HistoryRow(revision=revision, event=event, state=state, actor_id=actor_id, at=at, note=note)
        for revision, event, state, actor_id, at, note in rows
    )


def _one(connection: sqlite3.Connection, where: str, values: tuple[Any, ...]) -> Entry:
    found = _many(connection, where, values)
    if not found:
        raise Refused("entry_not_found")
    return found[0]


def _many(
    connection: sqlite3.Connection, where: str, values: tuple[Any, ...], table: str = "entry"
) -> tuple[Entry, ...]:
    rows = connection.execute(f"SELECT {_COLUMNS} FROM {table} WHERE {where}", values).fetchall()
    return tuple(_decode(row) for row in rows)


def _encode(state: State) -> tuple[Any, ...]:
    return tuple(getattr(state, column, None) for column in _STATE_COLUMNS)


def _decode(row: tuple[Any, ...]) -> Entry:
    fields = dict(zip(_COLUMNS.split(", "), row, strict=True))
    carried = {name: fields.pop(name) for name in _STATE_COLUMNS}
    state = _STATES[fields.pop("state")]
    kept = {name: carried[name] for name in state.__dataclass_fields__}
    return Entry(**{**fields, "named": bool(fields["named"])}, state=state(**kept))
