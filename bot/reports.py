"""What the command line tells its operator: `status`, `backup`."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.settings import Settings
from storage import cards, deliveries, inbox, outbox, requests, runtime
from storage.database import Connection, Database
from storage.errors import StorageError

Printer = Callable[[str], None]

REQUEST_STATES = (
    "queued",
    "claimed",
    "opening",
    "needs_reconcile",
    "active",
    "resolved",
    "withdrawn",
    "dropped",
)
PART_STATES = ("pending", "sent", "dropped")


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """The ledger's counts, and who delivers."""

    requests: dict[str, int]
    parts: dict[str, int]
    uncertain: int
    extras: int
    waiting: int
    set_aside: int
    lease: runtime.RuntimeLease | None


async def status(settings: Settings, say: Printer, *, as_json: bool) -> None:
    """Print the counts by state, uncertain sends, extra messages seen, and who holds the lease.

    Works beside a running bot: it only reads. Raises `StorageError`.
    """
    database = await Database.open(settings.storage.path, read_only=True)
    try:
        found = await database.read(_status)
    finally:
        await database.close()
    now = time.time_ns() // 1_000_000
    if as_json:
        say(json.dumps(_as_json(found, now)))
        return
    for line in _as_lines(found, now):
        say(line)


def _status(connection: Connection) -> Status:
    found = requests.counts(connection)
    parts = outbox.counts(connection)
    return Status(
        requests={state: found.get(state, 0) for state in REQUEST_STATES},
        parts={state: parts.get(state, 0) for state in PART_STATES},
        uncertain=deliveries.uncertain_count(connection),
        extras=cards.extras_seen(connection),
        waiting=inbox.waiting(connection),
        set_aside=inbox.aside(connection),
        lease=runtime.holder(connection, None),
    )


def _as_json(found: Status, now: int) -> dict[str, Any]:
    lease = found.lease
    return {
        "requests": found.requests,
        "entries": {},
        "parts": found.parts,
        "uncertain": found.uncertain,
        "extras": found.extras,
        "inbox": {"waiting": found.waiting, "set_aside": found.set_aside},
        "lease": None
        if lease is None
        else {
            "owner": lease.owner,
            "lease_until": lease.lease_until,
            "held": lease.lease_until > now,
            "connected": lease.connected and lease.lease_until > now,
            "problem": lease.problem,
        },
    }


def _as_lines(found: Status, now: int) -> list[str]:
    lines = ["requests   " + _counts(found.requests), "parts      " + _counts(found.parts)]
    lines.append(f"uncertain  {found.uncertain}")
    lines.append(f"extras     {found.extras}")
    lines.append(f"inbox      {found.waiting} waiting, {found.set_aside} set aside")
    lease = found.lease
    if lease is None:
        lines.append("delivers   nobody yet")
    elif lease.lease_until <= now:
        lines.append(f"delivers   nobody since {_time(lease.lease_until)} ({lease.owner})")
    else:
        how = "connected" if lease.connected else "not connected"
        lines.append(f"delivers   {lease.owner}, {how}, until {_time(lease.lease_until)}")
        if lease.problem:
            lines.append(f"problem    {lease.problem}")
    return lines


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{number} {state}" for state, number in counts.items() if number) or "none"


def _time(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="seconds")


async def backup(settings: Settings, target: Path, say: Printer) -> None:
    """Copy the database to `target` while it is in use.

    Raises `StorageError`, also where `target` exists: a backup replaces nothing.
    """
    database = await Database.open(settings.storage.path, read_only=True)
    try:
        await database.backup(target)
    except FileExistsError as error:
        raise StorageError(f"{target} exists already: a backup replaces nothing.") from error
    finally:
        await database.close()
    say(f"{target}: a consistent copy of {settings.storage.path}")
