"""What Steward holds in memory while nothing happens, against the least that discord.py can be.

Resident memory as Linux counts it, of processes that are connected and left alone.
"""

import asyncio
import contextlib
import statistics
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from bench import running
from bench.figures import Figure

STARTS = 3
TARGET = 1.25
SETTLE_SECONDS = 2
LONGEST_SECONDS = 15


def run() -> Iterable[Figure]:
    """The ratio of medians over a few starts, Steward to the bare client; on Linux alone."""
    if not sys.platform.startswith("linux"):
        print("not Linux: memory is left out")
        return
    starts = [asyncio.run(_start()) for _ in range(STARTS)]
    steward, bare = (statistics.median(kib) for kib in zip(*starts, strict=True))
    yield Figure(
        name="idle memory, to a bare client",
        value=steward / bare,
        at_most=TARGET,
        note=f"{steward / 1024:.1f} MiB to {bare / 1024:.1f} MiB",
    )


async def _start() -> tuple[int, int]:
    async with contextlib.AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        ours, bare = [await stack.enter_async_context(running.place()) for _ in range(2)]
        steward_pid = await stack.enter_async_context(running.steward(ours, folder))
        bare_pid = await stack.enter_async_context(running.bare_bot(bare, folder))
        return await _settled(steward_pid), await _settled(bare_pid)


async def _settled(pid: int) -> int:
    """The resident KiB once it has stayed the same for a while."""
    seen = running.resident_kib(pid)
    since = 0
    for _ in range(LONGEST_SECONDS):
        await asyncio.sleep(1)
        now = running.resident_kib(pid)
        since = since + 1 if now == seen else 0
        seen = now
        if since >= SETTLE_SECONDS:
            break
    return seen
