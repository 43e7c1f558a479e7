"""Requests and their append-only history.

Every function runs inside a transaction that `Database.write` or `Database.read` holds. States are
written into the SQL as literals: a partial index serves only a WHERE that repeats them.
"""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from domain.errors import Refused
from domain.requests import STATE_NAMES, TERMINAL, Request, Route, State

_STATES = {name: state for state, name in STATE_NAMES.items()}
_STATE_COLUMNS = (
    "attempts",
    "last_problem",
    "owner_id",
    "lease_until",
    "delivery_key",
    "reason",
    "conversation_id",
    "resolution",
    "dropped_by",
)
_COLUMNS = (
    "id, reference, guild_id, member_id, topic, details, source_locale, route, reopens, created_at,"
    " revision, state, " + ", ".join(_STATE_COLUMNS)
)
PLACE_CAP = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRequest:
    """What is needed to ask; `references` are candidates, the first free one is taken."""

    references: tuple[str, ...]
    interaction_id: int
    guild_id: int
    member_id: int
    topic: str
    details: str
    source_locale: str
    route: Route
    created_at: int
    reopens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryRow:
    """One accepted event: what happened, what it led to, who did it (None: Steward), when (ms)."""

    revision: int
    event: str
    state: str
    actor_id: int | None
    at: int
    note: str | None


def insert(connection: sqlite3.Connection, new: NewRequest) -> Request:
    """Write a new queued request with its first history row, and return it."""
    reference = _free_reference(connection, new.references)
    cursor = connection.execute(
        "INSERT INTO request (reference, interaction_id, guild_id, member_id, topic, details,"
        " source_locale, route, reopens, created_at, revision, state, attempts)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 'queued', 0)",
        (
            reference,
            new.interaction_id,
            new.guild_id,
            new.member_id,
            new.topic,
            new.details,
            new.source_locale,
            new.route,
            new.reopens,
            new.created_at,
        ),
    )
    request_id = cursor.lastrowid
    assert request_id is not None
    _record(connection, request_id, 0, "ask", "queued", new.member_id, new.created_at, None)
    return load(connection, request_id)


def _free_reference(connection: sqlite3.Connection, candidates: Iterable[str]) -> str:
    for candidate in candidates:
        taken = connection.execute(
            "SELECT 1 FROM request WHERE reference = ?", (candidate,)
        ).fetchone()
        if taken is None:
            return candidate
    raise sqlite3.IntegrityError("every candidate reference is taken")


def save(
    connection: sqlite3.Connection,
    after: Request,
    *,
    event: str,
    actor_id: int | None,
    now: int,
    note: str | None = None,
) -> None:
    """Store a request one event on, and its history row, where the revision still matches.

    Raises `Refused("concurrent_update")`, with nothing written, when another event came first.
    """
    state = after.state
    cursor = connection.execute(
        "UPDATE request SET revision = ?, state = ?, attempts = ?, last_problem = ?, owner_id = ?,"
        " lease_until = ?, delivery_key = ?, reason = ?, conversation_id = ?, resolution = ?,"
        " dropped_by = ?, route = ?, ended_at = ? WHERE id = ? AND revision = ?",
        (
            after.revision,
            after.state_name,
            *_encode(state),
            after.route,
            now if type(state) in TERMINAL else None,
            after.id,
            after.revision - 1,
        ),
    )
    if cursor.rowcount != 1:
        raise Refused("concurrent_update", reference=after.reference)
    _record(connection, after.id, after.revision, event, after.state_name, actor_id, now, note)


def _record(
    connection: sqlite3.Connection,
    request_id: int,
    revision: int,
    event: str,
    state: str,
    actor_id: int | None,
    at: int,
    note: str | None,
) -> None:
    connection.execute(
        "INSERT INTO request_event (request_id, revision, event, state, actor_id, at, note)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (request_id, revision, event, state, actor_id, at, note),
    )


def load(connection: sqlite3.Connection, request_id: int) -> Request:
    """The request with that id; raises `Refused("request_not_found")`."""
    return _one(connection, "id = ?", (request_id,))


def by_reference(connection: sqlite3.Connection, guild_id: int, reference: str) -> Request:
    """A guild's request by what people see; raises `Refused("request_not_found")`."""
    return _one(connection, "reference = ? AND guild_id = ?", (reference.upper(), guild_id))


def by_interaction(connection: sqlite3.Connection, interaction_id: int) -> Request | None:
    """The request that this interaction asked for, if it did."""
    return _maybe(connection, "interaction_id = ?", (interaction_id,))


def open_of_member(
    connection: sqlite3.Connection, guild_id: int, member_id: int
) -> tuple[Request, ...]:
    """The member's open requests in the guild, oldest first."""
    return _many(
        connection,
        "guild_id = ? AND member_id = ?"
        " AND state IN ('queued', 'claimed', 'opening', 'needs_reconcile', 'active') ORDER BY id",
        (guild_id, member_id),
    )


def latest_ask(connection: sqlite3.Connection, guild_id: int, member_id: int) -> int | None:
    """When the member last asked for help in the guild (UTC ms), if ever."""
    row = connection.execute(
        "SELECT created_at FROM request WHERE member_id = ? AND guild_id = ?"
        " ORDER BY id DESC LIMIT 1",
        (member_id, guild_id),
    ).fetchone()
    return None if row is None else int(row[0])


def queue(
    connection: sqlite3.Connection, guild_id: int, *, limit: int, after_id: int = 0
) -> tuple[Request, ...]:
    """What waits in the guild, oldest first: at most `limit`, from behind `after_id`."""
    return _many(
        connection,
        "guild_id = ? AND state = 'queued' AND id > ? ORDER BY id LIMIT ?",
        (guild_id, after_id, limit),
    )


def place(connection: sqlite3.Connection, request: Request) -> int:
    """How many wait before a queued request, counted up to `PLACE_CAP`."""
    row = connection.execute(
        "SELECT count(*) FROM (SELECT 1 FROM request WHERE guild_id = ? AND state = 'queued'"
        " AND id < ? LIMIT ?)",
        (request.guild_id, request.id, PLACE_CAP),
    ).fetchone()
    return int(row[0])


def due_leases(connection: sqlite3.Connection, now: int, *, limit: int) -> tuple[Request, ...]:
    """Claimed and opening requests whose lease has run out, longest ago first."""
    return _many(
        connection,
        "state IN ('claimed', 'opening') AND lease_until <= ? ORDER BY lease_until LIMIT ?",
        (now, limit),
    )


def claims_ending(
    connection: sqlite3.Connection, before: int, *, limit: int
) -> tuple[tuple[int, int], ...]:
    """Claims that run out by `before` (UTC ms): the request's id and when, soonest first."""
    rows = connection.execute(
        "SELECT id, lease_until FROM request WHERE state IN ('claimed', 'opening')"
        " AND lease_until <= ? AND state = 'claimed' ORDER BY lease_until LIMIT ?",
        (before, limit),
    ).fetchall()
    return tuple((row[0], row[1]) for row in rows)


def next_lease(connection: sqlite3.Connection) -> int | None:
    """When the next lease runs out (UTC ms), if any is held."""
    row = connection.execute(
        "SELECT min(lease_until) FROM request WHERE state IN ('claimed', 'opening')"
    ).fetchone()
    return None if row[0] is None else int(row[0])


def claimed(connection: sqlite3.Connection, *, limit: int) -> tuple[Request, ...]:
    """Claimed requests that wait for their DM to be opened, oldest first."""
    return _many(connection, "state = 'claimed' ORDER BY id LIMIT ?", (limit,))


def claimed_known(connection: sqlite3.Connection, *, limit: int) -> tuple[Request, ...]:
    """Claimed requests that need no new DM: the channel is known, or it is to be a thread."""
    return _many(
        connection,
        "state = 'claimed' AND (route = 'thread' OR EXISTS (SELECT 1 FROM dm_channel"
        " WHERE dm_channel.member_id = request.member_id)) ORDER BY id LIMIT ?",
        (limit,),
    )


def claimed_new(connection: sqlite3.Connection, *, limit: int) -> tuple[Request, ...]:
    """Claimed requests of members to whom we have never written, oldest first."""
    return _many(
        connection,
        "state = 'claimed' AND route = 'dm' AND NOT EXISTS (SELECT 1 FROM dm_channel"
        " WHERE dm_channel.member_id = request.member_id) ORDER BY id LIMIT ?",
        (limit,),
    )


def owned(
    connection: sqlite3.Connection, guild_id: int, owner_id: int, *, limit: int
) -> tuple[Request, ...]:
    """What a coordinator owns and has not ended, oldest first."""
    return _many(
        connection,
        "guild_id = ? AND owner_id = ?"
        " AND state IN ('claimed', 'opening', 'needs_reconcile', 'active') ORDER BY id LIMIT ?",
        (guild_id, owner_id, limit),
    )


def unassigned(connection: sqlite3.Connection, guild_id: int, *, limit: int) -> tuple[Request, ...]:
    """The guild's conversations that nobody owns, oldest first."""
    return _many(
        connection,
        "guild_id = ? AND owner_id IS NULL"
        " AND state IN ('claimed', 'opening', 'needs_reconcile', 'active') ORDER BY id LIMIT ?",
        (guild_id, limit),
    )


def in_conversation(
    connection: sqlite3.Connection, guild_id: int, *, limit: int
) -> tuple[Request, ...]:
    """The guild's conversations under way, newest first."""
    return _many(
        connection,
        "guild_id = ? AND state IN ('claimed', 'opening', 'needs_reconcile', 'active')"
        " AND state = 'active' ORDER BY id DESC LIMIT ?",
        (guild_id, limit),
    )


def ended(connection: sqlite3.Connection, guild_id: int, *, limit: int) -> tuple[Request, ...]:
    """The guild's ended requests whose content is kept still, the last to end first."""
    return _many(
        connection,
        "guild_id = ? AND ended_at IS NOT NULL AND content = 'kept' ORDER BY ended_at DESC LIMIT ?",
        (guild_id, limit),
    )


def uncertain(connection: sqlite3.Connection, guild_id: int, *, limit: int) -> tuple[Request, ...]:
    """The guild's requests whose first message is in doubt, oldest first."""
    return _many(
        connection,
        "guild_id = ? AND state = 'needs_reconcile' ORDER BY id LIMIT ?",
        (guild_id, limit),
    )


def of_member(
    connection: sqlite3.Connection, member_id: int, *, guild_id: int | None, limit: int
) -> tuple[Request, ...]:
    """The member's requests, newest first: in one guild, or in all."""
    return _many(
        connection,
        "member_id = ? AND guild_id = coalesce(?, guild_id) ORDER BY id DESC LIMIT ?",
        (member_id, guild_id, limit),
    )


def counts(connection: sqlite3.Connection, guild_id: int | None = None) -> dict[str, int]:
    """How many requests are in each state, in one guild or in all."""
    rows = connection.execute(
        "SELECT state, sum(number) FROM request_count"
        " WHERE guild_id = coalesce(?, guild_id) GROUP BY state",
        (guild_id,),
    ).fetchall()
    return {state: int(number) for state, number in rows}


def history(connection: sqlite3.Connection, request_id: int) -> tuple[HistoryRow, ...]:
    """Every accepted event of a request, in order."""
    rows = connection.execute(
        "SELECT revision, event, state, actor_id, at, note FROM request_event"
        " WHERE request_id = ? ORDER BY revision",
        (request_id,),
    ).fetchall()
    return tuple(
        HistoryRow(revision=revision, event=event, state=state, actor_id=actor_id, at=at, note=note)
        for revision, event, state, actor_id, at, note in rows
    )


def _one(connection: sqlite3.Connection, where: str, values: tuple[Any, ...]) -> Request:
    found = _maybe(connection, where, values)
    if found is None:
        raise Refused("request_not_found")
    return found


def _maybe(connection: sqlite3.Connection, where: str, values: tuple[Any, ...]) -> Request | None:
    row = connection.execute(f"SELECT {_COLUMNS} FROM request WHERE {where}", values).fetchone()
    return None if row is None else _decode(row)


def _many(
    connection: sqlite3.Connection, where: str, values: tuple[Any, ...]
) -> tuple[Request, ...]:
    rows = connection.execute(f"SELECT {_COLUMNS} FROM request WHERE {where}", values).fetchall()
    return tuple(_decode(row) for row in rows)


def _encode(state: State) -> tuple[Any, ...]:
    return tuple(getattr(state, column, None) for column in _STATE_COLUMNS)


def _decode(row: tuple[Any, ...]) -> Request:
    return Request(
        id=row[0],
        reference=row[1],
        guild_id=row[2],
        member_id=row[3],
        topic=row[4],
        details=row[5],
        source_locale=row[6],
        route=Route(row[7]),
        reopens=row[8],
        created_at=row[9],
        revision=row[10],
        state=_decode_state(row[11], dict(zip(_STATE_COLUMNS, row[12:], strict=True))),
    )


def _decode_state(name: str, columns: dict[str, Any]) -> State:
    state = _STATES[name]
    return state(**{field: columns[field] for field in state.__dataclass_fields__})
