"""Real transitions through the ledger, against the same statements in a bare sqlite3 loop.

The loop is what group commit has to beat: it replays the statements from a tape, with no domain, no
event loop and no second thread, and commits each transition by itself. Both run at synchronous
FULL, in turns, and the median of the turns counts. Then once more on a slow disk.
"""

import asyncio
import contextlib
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, cast

from bench import stories
from bench.figures import Figure
from storage.database import Database

Tape = list[list[tuple[str, tuple[Any, ...]]]]

ROUNDS = 5
STEPS = 384
"""Transitions in one turn, shared by the tasks; but each does `STEPS_EACH` at least."""
STEPS_EACH = 8

TARGETS = {1: 0.5, 16: 1.5, 128: 2.2}
SLOW_TARGETS = {1: 0.9, 16: 9.0, 128: 25.0}
SLOW_FSYNC_US = 2_000


class _Recorder:
    """Stands in for a connection and keeps what is executed."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.statements: list[tuple[str, tuple[Any, ...]]] = []

    def execute(self, sql: str, parameters: tuple[Any, ...] = ()) -> sqlite3.Cursor:
        self.statements.append((sql, parameters))
        return self._connection.execute(sql, parameters)


def run() -> Iterable[Figure]:
    """As fast as the disk is, and with 2 ms more for each sync where a C compiler is at hand."""
    yield from asyncio.run(measure("", TARGETS))
    yield from _on_a_slow_disk()


async def measure(suffix: str, targets: dict[int, float]) -> list[Figure]:
    """The ratio of the loop's seconds a transition to ours, for each number of tasks."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "source.db")
        ids = await stories.make(source, max(targets))
        tape = _record(Path(shutil.copy(source, Path(folder, "tape.db"))), ids)
        loop = _connect(Path(shutil.copy(source, Path(folder, "loop.db"))))
        database = await Database.open(source)
        bare: list[float] = []
        ours: dict[int, list[float]] = {tasks: [] for tasks in targets}
        with contextlib.closing(loop):
            async with database:
                for turn in range(ROUNDS):
                    bare.append(_replay(loop, tape[turn * STEPS : (turn + 1) * STEPS]))
                    for tasks in targets:
                        ours[tasks].append(await _work(database, ids, tasks))
    return [
        Figure(
            name=f"transitions, {tasks} {'task' if tasks == 1 else 'tasks'}{suffix}",
            value=statistics.median(bare) / statistics.median(ours[tasks]),
            at_least=target,
            note=f"{_rate(ours[tasks])} a second, bare loop {_rate(bare)}",
        )
        for tasks, target in targets.items()
    ]


async def _work(database: Database, ids: list[int], tasks: int) -> float:
    each = max(STEPS // tasks, STEPS_EACH)

    async def task(request_id: int) -> None:
        for _ in range(each):
            await database.write(partial(stories.step, request_id=request_id))

    began = time.perf_counter()
    await asyncio.gather(*(task(request_id) for request_id in ids[:tasks]))
    return (time.perf_counter() - began) / (tasks * each)


def _record(path: Path, ids: list[int]) -> Tape:
    tape = []
    with contextlib.closing(_connect(path)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        for number in range(ROUNDS * STEPS):
            recorder = _Recorder(connection)
            stories.step(cast("sqlite3.Connection", recorder), ids[number % len(ids)])
            tape.append(recorder.statements)
    return tape


def _replay(connection: sqlite3.Connection, tape: Tape) -> float:
    began = time.perf_counter()
    for statements in tape:
        connection.execute("BEGIN IMMEDIATE")
        for sql, parameters in statements:
            connection.execute(sql, parameters).fetchone()
        connection.execute("COMMIT")
    return (time.perf_counter() - began) / len(tape)


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL").fetchone()
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def _rate(turns: list[float]) -> str:
    return f"{1 / statistics.median(turns):,.0f}"


def _on_a_slow_disk() -> Iterable[Figure]:
    compiler = shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        print("no C compiler, or not Linux: the slow disk is left out")
        return
    with tempfile.TemporaryDirectory() as folder:
        shim = Path(folder, "fsync_delay.so")
        source = Path(__file__).with_name("fsync_delay.c")
        build = [compiler, "-shared", "-fPIC", "-O2", "-o", str(shim), str(source), "-ldl"]
        subprocess.run(build, check=True)  # noqa: S603  our own source
        answer = subprocess.run(
            [sys.executable, "-m", "bench.ledger"],
            env={**os.environ, "LD_PRELOAD": str(shim), "FSYNC_DELAY_US": str(SLOW_FSYNC_US)},
            stdout=subprocess.PIPE,
            check=True,
            timeout=120,
        )
    for figure in json.loads(answer.stdout):
        yield Figure(**figure)


if __name__ == "__main__":
    slow = asyncio.run(measure(f", fsync + {SLOW_FSYNC_US / 1000:g} ms", SLOW_TARGETS))
    print(json.dumps([asdict(figure) for figure in slow]))
