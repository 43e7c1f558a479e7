"""How soon what a member writes is at the desk, against a bot that only passes it on.

Both bots are processes of their own, each before a loopback Discord; timed is from the member's
message until the copy is in the other channel. In between, Steward's has put the message and its
copy on disk in one transaction, and the attempt to send it in another.
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
from sandbox.entities import Channel, Event
from sandbox.people import Person

ROUNDS = 150
WARM_UP = 20
TARGET = 1.4
SECONDS = 20
REST_SECONDS = 0.02


def run() -> Iterable[Figure]:
    """The ratio of medians, Steward's relay to the bare one."""
    return asyncio.run(_measure())


async def _measure() -> list[Figure]:
    async with contextlib.AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        ours, bare, keeping = [await stack.enter_async_context(running.place()) for _ in range(3)]
        await stack.enter_async_context(running.steward(ours, folder))
        await stack.enter_async_context(running.bare_bot(bare, folder, relays=True))
        await stack.enter_async_context(
            running.bare_bot(keeping, folder, relays=True, keeps_a_row=True)
        )
        member, thread = await asyncio.wait_for(_conversation(ours), SECONDS)
        lines = {
            "ours": _Line(ours, member, thread),
            "bare": _Line(bare, _member(bare, 0), bare.desk),
            "keeping": _Line(keeping, _member(keeping, 0), keeping.desk),
        }
        turns: dict[str, list[float]] = {name: [] for name in lines}
        for number in range(WARM_UP + ROUNDS):
            for name, line in lines.items():
                turns[name].append(await asyncio.wait_for(line.carry(number), SECONDS))
                await asyncio.sleep(REST_SECONDS)
    medians = {name: statistics.median(seconds[WARM_UP:]) for name, seconds in turns.items()}
    return [
        _figure("to one that keeps nothing", medians["ours"], medians["bare"]),
        _figure("to one that keeps a row", medians["ours"], medians["keeping"]),
    ]


def _figure(name: str, ours: float, other: float) -> Figure:
    return Figure(
        name=f"a message carried, {name}",
        value=ours / other,
        at_most=TARGET,
        note=f"{ours * 1e3:.2f} ms to {other * 1e3:.2f} ms",
    )


def _member(where: running.Place, number: int) -> Person:
    member = where.sandbox.world.add_user(f"member-{number}")
    where.sandbox.world.join(member, where.guild)
    return where.sandbox.person(member)


async def _conversation(where: running.Place) -> tuple[Person, Channel]:
    """A member whose request a coordinator has claimed, and the thread at the desk."""
    world = where.sandbox.world
    came: asyncio.Queue[Event] = asyncio.Queue()
    world.listeners.append(came.put_nowait)
    member = _member(where, 1)
    await member.command("help", where.general, {"topic": "Printer"}).first_answer()
    staff = world.add_user("Ben")
    world.join(staff, where.guild, roles=[where.coordinators])
    coordinator = where.sandbox.person(staff)
    while not (cards := coordinator.view(where.desk)):
        await came.get()
    await coordinator.click(cards[0], "Claim").first_answer()
    while not (threads := [one for one in world.channels.values() if one.parent_id is not None]):
        await came.get()
    while not coordinator.view(threads[0]):
        await came.get()
    await asyncio.sleep(1)  # the thread's history has been read, and the card drawn
    world.listeners.remove(came.put_nowait)
    return member, threads[0]


class _Line:
    """From a member's DM to a channel."""

    def __init__(self, where: running.Place, member: Person, channel: Channel) -> None:
        self._member = member
        self._came: asyncio.Queue[float] = asyncio.Queue()

        def hear(event: Event) -> None:
            if event.name == "MESSAGE_CREATE" and event.data["channel_id"] == str(channel.id):
                self._came.put_nowait(time.perf_counter())

        where.sandbox.world.listeners.append(hear)

    async def carry(self, number: int) -> float:
        """The member writes; the seconds until the copy is there."""
        began = time.perf_counter()
        self._member.say(f"message {number}")
        return await self._came.get() - began
