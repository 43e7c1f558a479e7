"""What history costs: finding the next work among a million ended requests, against a thousand."""

import asyncio
import contextlib
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from bench import stories
from bench.figures import Figure
from storage import requests

SMALL = 1_000
LARGE = 1_000_000
LIVE = 64
"""Requests that still wait, and as many that are claimed, in either ledger."""

ROUNDS = 25
TARGET = 1.2


def run() -> Iterable[Figure]:
    """The ratio of times, large ledger to small, of each lookup that the worker makes all day."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        small, large = (
            stack.enter_context(contextlib.closing(_make(Path(folder, f"{ended}.db"), ended)))
            for ended in (SMALL, LARGE)
        )
        for name, action, repeats in (
            ("claim next", _claim_next, 40),
            ("find due leases", _due_leases, 40),
            ("find the next lease's end", requests.next_lease, 1_000),
        ):
            yield _compare(f"{name}, 10^6 ended to 10^3", action, repeats, small, large)


def _compare(
    name: str,
    action: Callable[[sqlite3.Connection], object],
    repeats: int,
    small: sqlite3.Connection,
    large: sqlite3.Connection,
) -> Figure:
    turns: dict[sqlite3.Connection, list[float]] = {small: [], large: []}
    for _ in range(ROUNDS):
        for connection, seconds in turns.items():
            began = time.perf_counter()
            for _ in range(repeats):
                action(connection)
            seconds.append((time.perf_counter() - began) / repeats)
    least, most = (statistics.median(seconds) for seconds in turns.values())
    return Figure(
        name=name,
        value=most / least,
        at_most=TARGET,
        note=f"{most * 1e6:.1f} us to {least * 1e6:.1f} us",
    )


def _claim_next(connection: sqlite3.Connection) -> None:
    """Claim the oldest of the queue, and give it back so that the next turn finds the same."""
    (first,) = requests.queue(connection, stories.GUILD, limit=1)
    connection.execute("BEGIN IMMEDIATE")
    stories.step(connection, first.id)
    stories.step(connection, first.id)
    connection.execute("COMMIT")


def _due_leases(connection: sqlite3.Connection) -> None:
    requests.due_leases(connection, stories.NOW + 1_000_000, limit=16)


def _make(path: Path, ended: int) -> sqlite3.Connection:
    """A ledger of `ended` withdrawn requests with their history, and behind them the live ones."""
    asyncio.run(stories.make(path, 0))
    connection = sqlite3.connect(path, isolation_level=None)
    # It is thrown away afterwards, and what is compared is the search and not the disk.
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("PRAGMA cache_size = -262144")
    connection.execute("BEGIN")
    connection.executemany(
        "INSERT INTO request (id, reference, interaction_id, guild_id, member_id, topic, details,"
        " source_locale, route, created_at, revision, state, attempts)"
        " VALUES (?1, 'E' || ?1, -?1, ?2, 10000 + ?1 % 50000, 'Ended', 'Long ago.', 'en', 'dm', ?3,"
        " 1, 'withdrawn', 0)",
        ((number, stories.GUILD, stories.NOW) for number in range(1, ended + 1)),
    )
    connection.execute(
        "INSERT INTO request_event (request_id, revision, event, state, actor_id, at)"
        " SELECT id, revision, 'withdraw', state, member_id, created_at FROM request"
    )
    for index in range(2 * LIVE):
        live = requests.insert(connection, stories.new_request(index))
        if index % 2:
            stories.step(connection, live.id)
    connection.execute("COMMIT")
    return connection
