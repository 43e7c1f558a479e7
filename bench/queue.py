"""What a long queue costs: a coordinator's look at it and the next claim, 10,000 open against 100.

Through the service and the ledger as the bot runs them, each claim on disk before it is answered.
"""

import asyncio
import contextlib
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

from bench import stories
from bench.figures import Figure
from bot.services.access import Actor
from bot.services.helpdesk import HelpDesk
from bot.services.requests import RequestRules
from storage.database import Database

SMALL = 100
LARGE = 10_000
ROUNDS = 60
LOOKS = 10
"""Pages read in one round, timed together: one alone is about as short as the noise."""
TARGET = 1.5

_ACTOR = Actor(
    member_id=stories.COORDINATOR,
    name="Coordinator",
    role_ids=frozenset({stories.COORDINATOR_ROLE}),
)

_Turn = Callable[[HelpDesk], Awaitable[float]]


def run() -> Iterable[Figure]:
    """The ratio of medians, long queue to short, for the first page and for claiming the next."""
    return asyncio.run(_measure())


async def _measure() -> list[Figure]:
    async with contextlib.AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        small, large = [
            await _open(stack, folder / f"{waiting}.db", waiting) for waiting in (SMALL, LARGE)
        ]
        return [
            await _compare("queue's first page", _first_page, small, large),
            await _compare("claim the next", _claim_next, small, large),
        ]


async def _open(stack: contextlib.AsyncExitStack, path: Path, waiting: int) -> HelpDesk:
    await stories.make(path, waiting)
    database = await stack.enter_async_context(await Database.open(path))
    return HelpDesk(database, RequestRules(), lambda: None)


async def _compare(name: str, turn: _Turn, small: HelpDesk, large: HelpDesk) -> Figure:
    turns: dict[HelpDesk, list[float]] = {small: [], large: []}
    for _ in range(ROUNDS):
        for desk, seconds in turns.items():
            seconds.append(await turn(desk))
    least, most = (statistics.median(seconds) for seconds in turns.values())
    return Figure(
        name=f"{name}, {LARGE:,} open to {SMALL}",
        value=most / least,
        at_most=TARGET,
        note=f"{most * 1e6:,.0f} us to {least * 1e6:,.0f} us",
    )


async def _first_page(desk: HelpDesk) -> float:
    began = time.perf_counter()
    for _ in range(LOOKS):
        await desk.queue(stories.GUILD, _ACTOR)
    return (time.perf_counter() - began) / LOOKS


async def _claim_next(desk: HelpDesk) -> float:
    """Claim the oldest; it is given back, untimed, so that the next turn finds the same queue."""
    first = (await desk.queue(stories.GUILD, _ACTOR)).waiting[0]
    began = time.perf_counter()
    await desk.claim(stories.GUILD, first.id, _ACTOR, stories.NOW)
    seconds = time.perf_counter() - began
    await desk.release(stories.GUILD, first.id, _ACTOR, stories.NOW)
    return seconds
