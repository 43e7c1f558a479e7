"""How soon a person who asks for help is answered, against a command that only answers.

Both bots are processes of their own before a loopback Discord; timed is from the person's act until
Discord has the first answer. Between the two, Steward's has put a request on disk.
"""

import asyncio
import contextlib
import statistics
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from bench import running
from bench.figures import Figure
from sandbox.acts import Seen
from sandbox.entities import Event

ROUNDS = 150
WARM_UP = 20
TARGET = 1.4
CARD_SECONDS = 10
REST_SECONDS = 0.01


def run() -> Iterable[Figure]:
    """The ratio of medians, Steward's `/help topic` to the bare command."""
    return [asyncio.run(_measure())]


async def _measure() -> Figure:
    async with contextlib.AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        ours, bare = [await stack.enter_async_context(running.place()) for _ in range(2)]
        cards = _cards(ours)
        await stack.enter_async_context(running.steward(ours, folder))
        await stack.enter_async_context(running.bare_bot(bare, folder))
        turns: dict[str, list[float]] = {"ours": [], "bare": []}
        for number in range(WARM_UP + ROUNDS):
            turns["ours"].append(await _ask(ours, number))
            # The card at the desk takes no time from the next turn, nor does what is noted of it.
            await asyncio.wait_for(cards.get(), CARD_SECONDS)
            await asyncio.sleep(REST_SECONDS)
            turns["bare"].append(await _ask(bare, number))
    steward, least = (statistics.median(seconds[WARM_UP:]) for seconds in turns.values())
    return Figure(
        name="/help topic, to a command that only answers",
        value=steward / least,
        at_most=TARGET,
        note=f"{steward * 1e3:.2f} ms to {least * 1e3:.2f} ms",
    )


async def _ask(where: running.Place, number: int) -> float:
    """A new member asks; the seconds until they are answered."""
    member = where.sandbox.world.add_user(f"member-{number}")
    where.sandbox.world.join(member, where.guild)
    person = where.sandbox.person(member)
    began = time.perf_counter()
    first = await person.command("help", where.general, {"topic": "Printer"}).first_answer()
    seconds = time.perf_counter() - began
    if first.seen is not Seen.MESSAGE:
        raise RuntimeError(f"/help was answered with: {first.seen}")
    return seconds


def _cards(where: running.Place) -> asyncio.Queue[str]:
    """The ids of messages at the desk, as they come."""
    cards: asyncio.Queue[str] = asyncio.Queue()

    def hear(event: Event) -> None:
        if event.name == "MESSAGE_CREATE" and event.data["channel_id"] == str(where.desk.id):
            cards.put_nowait(event.data["id"])

    where.sandbox.world.listeners.append(hear)
    return cards
