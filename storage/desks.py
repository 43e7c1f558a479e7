"""Desks: what `/desk setup` has settled for a guild, and what its people are called."""

import sqlite3
from dataclasses import dataclass

from domain.errors import Refused
from domain.requests import Route

_COLUMNS = (
    "guild_id, guild_name, channel_id, help_channel_id, coordinator_role_id, reviewer_role_id,"
    " organizer_role_id, route, identity, timezone, locale, problem, set_up_by, set_up_at"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """A guild's desk. `identity` is what members see of staff: `name` or `team`."""

    guild_id: int
    guild_name: str
    channel_id: int
    help_channel_id: int | None
    coordinator_role_id: int
    reviewer_role_id: int | None
    organizer_role_id: int | None
    route: Route
    identity: str
    timezone: str
    locale: str
    problem: str | None
    set_up_by: int
    set_up_at: int


def put(connection: sqlite3.Connection, desk: Desk) -> None:
    """Set the guild's desk up, or anew."""
    names = _COLUMNS.split(", ")
    connection.execute(
        f"INSERT INTO desk ({_COLUMNS}) VALUES ({', '.join('?' * len(names))})"
        " ON CONFLICT (guild_id) DO UPDATE SET "
        + ", ".join(f"{name} = excluded.{name}" for name in names[1:])
        + ", problem_told = 0",
        tuple(getattr(desk, name) for name in names),
    )


def find(connection: sqlite3.Connection, guild_id: int) -> Desk | None:
    """The guild's desk, or None before its first set-up."""
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM desk WHERE guild_id = ?", (guild_id,)
    ).fetchone()
    if row is None:
        return None
    fields = dict(zip(_COLUMNS.split(", "), row, strict=True))
    return Desk(**{**fields, "route": Route(fields["route"])})


def load(connection: sqlite3.Connection, guild_id: int) -> Desk:
    """The guild's desk; raises `Refused("desk_not_ready")` before its first set-up."""
    desk = find(connection, guild_id)
    if desk is None:
        raise Refused("desk_not_ready")
    return desk


def guilds(connection: sqlite3.Connection) -> tuple[int, ...]:
    """Every guild that has a desk."""
    return tuple(row[0] for row in connection.execute("SELECT guild_id FROM desk").fetchall())


def note_problem(connection: sqlite3.Connection, guild_id: int, problem: str) -> None:
    """Something of the desk is missing. A new problem is to be told; one that is known is not."""
    connection.execute(
        "UPDATE desk SET problem = ?, problem_told = 0"
        " WHERE guild_id = ? AND coalesce(problem, '') <> ?",
        (problem, guild_id, problem),
    )


def has_problem(connection: sqlite3.Connection, problem: str) -> bool:
    """Whether any desk has that problem."""
    found = connection.execute("SELECT 1 FROM desk WHERE problem = ? LIMIT 1", (problem,))
    return found.fetchone() is not None


def forget_problem(connection: sqlite3.Connection, problem: str) -> None:
    """That problem is over, at every desk."""
    connection.execute("UPDATE desk SET problem = NULL WHERE problem = ?", (problem,))


def untold(connection: sqlite3.Connection) -> tuple[Desk, ...]:
    """Desks with a problem that their organizer has not been told."""
    rows = connection.execute(
        "SELECT guild_id FROM desk WHERE problem IS NOT NULL AND problem_told = 0"
    ).fetchall()
    return tuple(load(connection, row[0]) for row in rows)


def told(connection: sqlite3.Connection, desk: Desk) -> None:
    """The desk's problem is told, or can't be."""
    connection.execute(
        "UPDATE desk SET problem_told = 1 WHERE guild_id = ? AND problem = ?",
        (desk.guild_id, desk.problem),
    )


def remember_name(connection: sqlite3.Connection, guild_id: int, member_id: int, name: str) -> None:
    """Keep what a person is called in the guild."""
    connection.execute(
        "INSERT INTO person (guild_id, member_id, name) VALUES (?, ?, ?)"
        " ON CONFLICT (guild_id, member_id) DO UPDATE SET name = excluded.name"
        " WHERE name <> excluded.name",
        (guild_id, member_id, name),
    )


def name_of(connection: sqlite3.Connection, guild_id: int, member_id: int) -> str | None:
    """What the person was last called in the guild, if we have met."""
    row = connection.execute(
        "SELECT name FROM person WHERE guild_id = ? AND member_id = ?", (guild_id, member_id)
    ).fetchone()
    return None if row is None else str(row[0])
