"""What waits in the outbox is changed, taken out or sent elsewhere, by compare-and-set."""

import sqlite3
from typing import Final

from storage.outbox import COLUMNS, Part, decode, find_by_id

EDIT: Final = "edit"
DELETE: Final = "delete"
MARK: Final = "mark"
"""Kinds of what is done to a message that is there. `MARK` edits it too; one that isn't there yet
never comes."""


REMOVED, TAKEN_IN, TARGET_GONE = "removed", "taken_in", "target_gone"
UNNEEDED = frozenset({REMOVED, TAKEN_IN, TARGET_GONE})
"""Why a part was taken out that nobody has refused."""


def change_of(connection: sqlite3.Connection, target_part: int) -> Part | None:
    """The edit or deletion that waits for what that part sends."""
    row = connection.execute(
        f"SELECT {COLUMNS} FROM outbox_part WHERE target_part = ? AND state = 'pending'"
        " AND target_part IS NOT NULL",
        (target_part,),
    ).fetchone()
    return None if row is None else decode(row)


def live_of_event(connection: sqlite3.Connection, event: str) -> tuple[Part, ...]:
    """An event's messages that are there or will be, in order: not dropped, and not deleted."""
    columns = ", ".join(f"part.{name}" for name in COLUMNS.split(", "))
    rows = connection.execute(
        f"SELECT {columns} FROM outbox_part AS part WHERE part.event = ?"
        " AND part.state <> 'dropped' AND NOT EXISTS (SELECT 1 FROM outbox_part AS change"
        " WHERE change.target_part = part.id AND change.kind = 'delete'"
        " AND change.state <> 'dropped') ORDER BY part.ordinal",
        (event,),
    ).fetchall()
    return tuple(decode(row) for row in rows)


def next_ordinal(connection: sqlite3.Connection, event: str) -> int:
    """The ordinal of an event's next part."""
    row = connection.execute(
        "SELECT coalesce(max(ordinal) + 1, 0) FROM outbox_part WHERE event = ?", (event,)
    ).fetchone()
    return int(row[0])


def revise(connection: sqlite3.Connection, part: Part, payload: str, kind: str) -> bool:
    """Let a part say something else; False when it has left, or changed, since it was read."""
    cursor = connection.execute(
        "UPDATE outbox_part SET payload = ?, kind = ?, revision = revision + 1"
        " WHERE id = ? AND revision = ? AND state = 'pending' AND in_flight IS NULL"
        " AND uncertain = 0",
        (payload, kind, part.id, part.revision),
    )
    return cursor.rowcount == 1


def remove(connection: sqlite3.Connection, part: Part, problem: str) -> bool:
    """Take a part out; False when it has left, or changed, since it was read.

    Its revision goes on, so that no stale hand brings it back.
    """
    cursor = connection.execute(
        "UPDATE outbox_part SET state = 'dropped', payload = NULL, problem = ?, parked = 0,"
        " revision = revision + 1"
        " WHERE id = ? AND revision = ? AND state = 'pending' AND in_flight IS NULL"
        " AND uncertain = 0",
        (problem, part.id, part.revision),
    )
    return cursor.rowcount == 1


def take_in(connection: sqlite3.Connection, part_id: int) -> bool:
    """A part has certainly no message: what waits to change that is done to the part itself.

    So it leaves as it is wanted now, or not at all. False where nothing of the kind waits.
    """
    part, change = find_by_id(connection, part_id), change_of(connection, part_id)
    if part is None or change is None or change.payload is None:
        return False
    if change.kind == EDIT:
        taken = revise(connection, part, change.payload, part.kind)
    else:
        taken = remove(connection, part, REMOVED)
    if taken:
        remove(connection, change, TAKEN_IN)
    return taken


def park(connection: sqlite3.Connection, destination: int, until: int) -> None:
    """The channel is gone, and another will take its place: what waits for it waits on."""
    connection.execute(
        "UPDATE outbox_part SET parked = 1, next_at = max(next_at, ?)"
        " WHERE destination = ? AND state = 'pending' AND in_flight IS NULL",
        (until, destination),
    )


def waiting_for(connection: sqlite3.Connection, destination: int) -> tuple[Part, ...]:
    """The parts that wait to go to a channel, and are not on their way, in order."""
    rows = connection.execute(
        f"SELECT {COLUMNS} FROM outbox_part WHERE destination = ? AND state = 'pending'"
        " AND in_flight IS NULL ORDER BY id",
        (destination,),
    ).fetchall()
    return tuple(decode(row) for row in rows)


def divert(connection: sqlite3.Connection, destination: int, instead: int) -> None:
    """What is on its way to a channel holds its place in another one's queue from now on."""
    connection.execute(
        "UPDATE outbox_part SET destination = ? WHERE destination = ? AND state = 'pending'"
        " AND in_flight IS NOT NULL",
        (instead, destination),
    )


def tried(connection: sqlite3.Connection, part: Part, now: int) -> None:
    """Count a try of a change that can be repeated."""
    connection.execute(
        "UPDATE outbox_part SET attempts = attempts + 1, fence = coalesce(fence, 0),"
        " first_try_at = coalesce(first_try_at, ?) WHERE id = ? AND state = 'pending'",
        (now, part.id),
    )


def redirect(connection: sqlite3.Connection, part: Part, destination: int, now: int) -> None:
    """The part's channel is gone, and with it whatever was posted there: it goes to another."""
    connection.execute(
        "UPDATE outbox_part SET destination = ?, parked = 0, in_flight = NULL, uncertain = 0,"
        " person_at = NULL, next_at = ?"
        " WHERE id = ? AND state = 'pending'",
        (destination, now, part.id),
    )
