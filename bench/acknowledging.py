"""How soon a person who asks for help is answered, against a command that only answers.

The bots are processes of their own, each before a loopback Discord; timed is from the person's act
until Discord has the first answer. In between, Steward's has put a request on disk, with its place
in the queue, its history and its card to come. So it is also held against the bare command with one
row on disk: the difference between the two bare ones is what the disk and the way to it take, and
it alone can be more than the first target allows.
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
    """The ratios of medians, Steward's `/help topic` to the bare commands."""
    return asyncio.run(_measure())


async def _measure() -> list[Figure]:
    async with contextlib.AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        ours, bare, keeping = [await stack.enter_async_context(running.place()) for _ in range(3)]
        cards = _cards(ours)
        await stack.enter_async_context(running.steward(ours, folder))
        await stack.enter_async_context(running.bare_bot(bare, folder))
        await stack.enter_async_context(running.bare_bot(keeping, folder, keeps_a_row=True))
        turns: dict[str, list[float]] = {"ours": [], "bare": [], "keeping": []}
        for number in range(WARM_UP + ROUNDS):
            turns["ours"].append(await _ask(ours, number))
            # The card at the desk takes no time from the next turn, nor does what is noted of it.
            await asyncio.wait_for(cards.get(), CARD_SECONDS)
            await asyncio.sleep(REST_SECONDS)
            turns["bare"].append(await _ask(bare, number))
            await asyncio.sleep(REST_SECONDS)
            turns["keeping"].append(await _ask(keeping, number))
            await asyncio.sleep(REST_SECONDS)
    medians = {name: statistics.median(seconds[WARM_UP:]) for name, seconds in turns.items()}
    return [
        _figure("to a command that only answers", medians["ours"], medians["bare"]),
        _figure("to one that keeps a row too", medians["ours"], medians["keeping"]),
    ]


def _figure(name: str, ours: float, other: float) -> Figure:
    return Figure(
        name=f"/help topic, {name}",
        value=ours / other,
        at_most=TARGET,
        note=f"{ours * 1e3:.2f} ms to {other * 1e3:.2f} ms",
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
