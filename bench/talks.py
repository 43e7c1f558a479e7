"""Five hundred conversations at once, five messages each: time and memory a message stay flat.

All are open before the first message. Then all speak at once, members and coordinators in turns,
five times; a turn ends when every copy of it is there. Its time is the processor's that Steward
used, which other programs on the machine disturb least; memory is what the process has in memory
then. The last turn is held against the first: both are the members'.
"""

import asyncio
import contextlib
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bench import running
from bench.figures import Figure
from sandbox.entities import Channel, Event, Role
from sandbox.people import Person

TALKS = 500
TURNS = 5
AT_ONCE = 16
SECONDS = 300
SLOWER, LARGER = 1.4, 1.15
# More conversations begin at once than in life.
SETTINGS = {"STEWARD_DELIVERY__NEW_DMS_PER_MINUTE": "6000"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What a turn took until all its copies were there, and the memory in use then.

    `seconds` are the processor's, `waited` those on the wall.
    """

    seconds: float
    waited: float
    kib: int

    def __str__(self) -> str:
        a_message, waited = self.seconds / TALKS * 1e3, self.waited / TALKS * 1e3
        return f"{a_message:.2f} ms ({waited:.2f} ms on the wall)"


def run() -> Iterable[Figure]:
    """The last turn to the first, in time and in memory."""
    first, *_, last = asyncio.run(asyncio.wait_for(_measure(), SECONDS))
    yield Figure(
        name=f"a message, {TALKS} conversations at once, last fifth to first",
        value=last.seconds / first.seconds,
        at_most=SLOWER,
        note=f"{last} to {first}",
    )
    yield Figure(
        name="memory after the last fifth, to after the first",
        value=last.kib / first.kib,
        at_most=LARGER,
        note=f"{last.kib / 1024:.1f} MiB to {first.kib / 1024:.1f} MiB",
    )


async def _measure() -> list[Turn]:
    async with contextlib.AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        where = await stack.enter_async_context(running.place())
        pid = await stack.enter_async_context(running.steward(where, folder, SETTINGS))
        town = _Town(where)
        await town.open()
        turns = []
        for number in range(TURNS):
            before, began = running.cpu_seconds(pid), time.perf_counter()
            await town.turn(number)
            turns.append(
                Turn(
                    seconds=running.cpu_seconds(pid) - before,
                    waited=time.perf_counter() - began,
                    kib=running.resident_kib(pid),
                )
            )
        return turns


class _Town:
    """Members, one coordinator, and how many messages Steward has written in each channel."""

    def __init__(self, where: running.Place) -> None:
        self._where = where
        self._written: Counter[int] = Counter()
        self._news = asyncio.Event()
        self._coordinator = self._person("Ben", where.coordinators)
        self._members = [self._person(f"member-{number}") for number in range(TALKS)]
        self._threads: list[Channel] = []
        where.sandbox.world.listeners.append(self._hear)

    def _person(self, name: str, *roles: Role) -> Person:
        world = self._where.sandbox.world
        person = world.add_user(name)
        world.join(person, self._where.guild, roles=roles)
        return self._where.sandbox.person(person)

    def _hear(self, event: Event) -> None:
        bot = str(self._where.sandbox.world.bot.id)
        if event.name == "MESSAGE_CREATE" and event.data["author"]["id"] == bot:
            self._written[int(event.data["channel_id"])] += 1
            self._news.set()

    async def _until(self, channels: Iterable[Channel], number: int) -> None:
        """Wait until Steward has written as many messages in each of them."""
        wanted = [channel.id for channel in channels]
        while any(self._written[one] < number for one in wanted):
            self._news.clear()
            await self._news.wait()

    async def open(self) -> None:
        """All conversations, with all that is said at their beginnings."""
        places = asyncio.Semaphore(AT_ONCE)
        where = self._where

        async def ask(member: Person) -> None:
            async with places:
                await member.command("help", where.general, {"topic": "Printer"}).first_answer()

        await asyncio.gather(*map(ask, self._members))
        await self._until([where.desk], TALKS)

        async def claim(number: int) -> None:
            async with places:
                card = self._coordinator.view(where.desk)[number]
                await self._coordinator.click(card, "Claim").first_answer()

        await asyncio.gather(*map(claim, range(TALKS)))
        await self._until([member.dm for member in self._members], 1)
        channels = where.sandbox.world.channels
        while len(where.guild.threads) < TALKS:
            self._news.clear()
            await self._news.wait()
        self._threads = [channels[thread_id] for thread_id in sorted(where.guild.threads)]
        await self._until(self._threads, 1)
        await asyncio.sleep(2)  # the threads' histories have been read, and the cards drawn
        self._written.clear()

    async def turn(self, number: int) -> None:
        """All members write, or the coordinator in all threads; back when all is there."""
        each = number // 2 + 1
        if number % 2:
            for thread in self._threads:
                self._coordinator.say(f"turn {number}", thread)
            await self._until([member.dm for member in self._members], each)
        else:
            for member in self._members:
                member.say(f"turn {number}")
            await self._until(self._threads, each)
