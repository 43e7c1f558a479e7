"""Who delivers: one process at a time, by a lease that it renews."""

import sqlite3
from dataclasses import dataclass

_FAR_LENGTHS = 3


class LeaseLost(Exception):
    """Another process delivers now: this one must not send anything more."""


class LeaseRanOut(Exception):
    """Our lease has run out, and nobody has taken it: nothing may be sent until it is renewed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuntimeLease:
    application_id: int
    owner: str
    lease_until: int
    connected: bool
    problem: str | None
    retry_at: int | None


def acquire(
    connection: sqlite3.Connection,
    application_id: int,
    owner: str,
    now: int,
    until: int,
    *,
    stood_still: int | None = None,
) -> RuntimeLease:
    """Take the lease if it is ours, free or has run out; answer who holds it now.

    A lease further ahead than three of ours has run out too, where the caller has watched it
    stand still (`stood_still` is the end that it watched). The clock was set back since its owner
    wrote it, and an owner that lives writes it anew within a second.

    Calls that the earlier owner had in flight are taken to have ended when its lease ran out: it
    may have begun none after that, and a process that died says nothing. One whose lease is far
    ahead may begin none after ours would end.
    """
    earlier = holder(connection, application_id)
    if earlier is not None and earlier.owner != owner and earlier.lease_until > now:
        is_far = earlier.lease_until > now + _FAR_LENGTHS * (until - now)
        if not is_far or earlier.lease_until != stood_still:
            return earlier
    connection.execute(
        "INSERT INTO runtime_lease (application_id, owner, lease_until, connected)"
        " VALUES (?, ?, ?, 0) ON CONFLICT (application_id) DO UPDATE SET owner = excluded.owner,"
        " lease_until = excluded.lease_until, connected = 0, problem = NULL, retry_at = NULL",
        (application_id, owner, until),
    )
    if earlier is not None and earlier.owner != owner:
        for table in ("delivery", "outbox_part"):
            connection.execute(
                f"UPDATE {table} SET in_flight = NULL, last_end_at = ?"
                " WHERE in_flight IS NOT NULL AND in_flight <> ?",
                (min(earlier.lease_until, until), owner),
            )
    taken = holder(connection, application_id)
    assert taken is not None
    return taken


def renew(connection: sqlite3.Connection, application_id: int, owner: str, until: int) -> None:
    """Keep the lease until `until`; raises `LeaseLost` when another process has taken it.

    One that has run out is ours until then: a clock that was set forward ends nothing.
    """
    cursor = connection.execute(
        "UPDATE runtime_lease SET lease_until = ? WHERE application_id = ? AND owner = ?",
        (until, application_id, owner),
    )
    if cursor.rowcount != 1:
        raise LeaseLost


def require(connection: sqlite3.Connection, application_id: int, owner: str, now: int) -> None:
    """Raise `LeaseLost` or `LeaseRanOut` unless this process may deliver at `now`."""
    row = connection.execute(
        "SELECT lease_until FROM runtime_lease WHERE application_id = ? AND owner = ?",
        (application_id, owner),
    ).fetchone()
    if row is None:
        raise LeaseLost
    if row[0] <= now:
        raise LeaseRanOut


def release(connection: sqlite3.Connection, application_id: int, owner: str, now: int) -> None:
    """Give the lease back: the next process need not wait for it to run out."""
    connection.execute(
        "UPDATE runtime_lease SET lease_until = min(lease_until, ?), connected = 0"
        " WHERE application_id = ? AND owner = ?",
        (now, application_id, owner),
    )


def say(
    connection: sqlite3.Connection,
    application_id: int,
    owner: str,
    *,
    connected: bool,
    problem: str | None = None,
    retry_at: int | None = None,
) -> None:
    """Note whether the owner's gateway is connected, and what keeps it from it."""
    connection.execute(
        "UPDATE runtime_lease SET connected = ?, problem = ?, retry_at = ?"
        " WHERE application_id = ? AND owner = ?",
        (int(connected), problem, retry_at, application_id, owner),
    )


def holder(connection: sqlite3.Connection, application_id: int | None) -> RuntimeLease | None:
    """Who holds, or last held, the lease; None asks for any application's."""
    row = connection.execute(
        "SELECT application_id, owner, lease_until, connected, problem, retry_at"
        " FROM runtime_lease WHERE application_id = coalesce(?, application_id)"
        " ORDER BY lease_until DESC LIMIT 1",
        (application_id,),
    ).fetchone()
    if row is None:
        return None
    return RuntimeLease(
        application_id=row[0],
        owner=row[1],
        lease_until=row[2],
        connected=bool(row[3]),
        problem=row[4],
        retry_at=row[5],
    )


def synced_commands(connection: sqlite3.Connection, application_id: int) -> str | None:
    """The hash of the commands that Discord was last told."""
    row = connection.execute(
        "SELECT payload_hash FROM command_sync WHERE application_id = ?", (application_id,)
    ).fetchone()
    return None if row is None else str(row[0])


def note_synced(
    connection: sqlite3.Connection, application_id: int, payload_hash: str, now: int
) -> None:
    """Discord has been told the commands with this hash."""
    connection.execute(
        "INSERT INTO command_sync (application_id, payload_hash, synced_at) VALUES (?, ?, ?)"
        " ON CONFLICT (application_id) DO UPDATE SET payload_hash = excluded.payload_hash,"
        " synced_at = excluded.synced_at",
        (application_id, payload_hash, now),
    )
