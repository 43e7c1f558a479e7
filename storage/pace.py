"""How much of what a member writes is carried in a minute."""

import sqlite3
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Minute:
    """A minute that began then (UTC ms), and how many messages were carried in it.

    `told`: the member knows that more than that waits.
    """

    member_id: int
    began_at: int
    number: int
    told: bool


def find(connection: sqlite3.Connection, member_id: int) -> Minute | None:
    """The member's latest minute, over or not."""
    row = connection.execute(
        "SELECT began_at, number, told FROM dm_pace WHERE member_id = ?", (member_id,)
    ).fetchone()
    if row is None:
        return None
    return Minute(member_id=member_id, began_at=row[0], number=row[1], told=bool(row[2]))


def put(connection: sqlite3.Connection, minute: Minute) -> None:
    """Keep the member's minute in place of the one before."""
    connection.execute(
        "INSERT INTO dm_pace (member_id, began_at, number, told) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (member_id) DO UPDATE SET began_at = excluded.began_at,"
        " number = excluded.number, told = excluded.told",
        (minute.member_id, minute.began_at, minute.number, minute.told),
    )
