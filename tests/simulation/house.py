"""A Steward process in the simulation: the real services and worker over a real SQLite file.

The ledger is driven without threads, so that a seed always plays the same. A kill can come at any
commit, before or after it, and at any call to Discord.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from bot.delivery.assembly import DeliveryRules, assemble
from bot.delivery.jobs.files import FileRules, Files
from bot.delivery.lease import Lease
from bot.delivery.sender import Rules
from bot.delivery.spool import Spool
from bot.services.campaigns import Campaigns
from bot.services.choosing import Choosing
from bot.services.doubts import Doubts
from bot.services.helpdesk import HelpDesk
from bot.services.intake import Intake
from bot.services.nominations import Nominations
from bot.services.offering import Offering
from bot.services.reopening import Reopening
from bot.services.replying import Replying
from bot.services.requests import RequestRules
from bot.services.reviews import Reviews
from domain.delivery import Timing
from storage.migrate import load
from storage.runtime import LeaseLost
from tests.simulation.simulated_discord import Discord, Killed

T = TypeVar("T")
LEASE_MS = 60_000
RULES = DeliveryRules(
    sending=Rules(
        timing=Timing(nonce_window_ms=60_000, settle_ms=30_000),
        backoff_ms=2_000,
        backoff_cap_ms=300_000,
    ),
    requests=RequestRules(),
    files=FileRules(most_bytes=25 * 1024 * 1024, spool_bytes=1024 * 1024 * 1024),
    new_dms_per_minute=5,
    tick_ms=5_000,
)


class Ledger:
    """`Database` without threads: one connection, a transaction a write."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.execute("PRAGMA synchronous = OFF")
        self._connection.execute("PRAGMA foreign_keys = ON")
        self.failed = asyncio.Event()
        self.dead = False
        self.commits = 0
        self.at_commit: Callable[[int], str | None] = lambda _: None

    async def write(self, fn: Callable[[sqlite3.Connection], T]) -> T:
        await asyncio.sleep(0)
        if self.dead:
            raise Killed
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            value = fn(self._connection)
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self.commits += 1
        fate = self.at_commit(self.commits)
        if fate == "before":
            self._connection.execute("ROLLBACK")
            self.dead = True
            raise Killed
        self._connection.execute("COMMIT")
        if fate == "after":
            self.dead = True
            raise Killed
        return value

    async def read(self, fn: Callable[[sqlite3.Connection], T]) -> T:
        await asyncio.sleep(0)
        if self.dead:
            raise Killed
        return fn(self._connection)

    def look(self, fn: Callable[[sqlite3.Connection], T]) -> T:
        """Read as an onlooker, dead or alive."""
        return fn(self._connection)

    def close(self) -> None:
        self.dead = True
        self._connection.close()


def create(path: Path, migrations: Path) -> None:
    """A new ledger file with the real schema."""
    with sqlite3.connect(path) as connection:
        for migration in load(migrations):
            connection.executescript(migration.sql)
    connection.close()


class House:
    """One process, from its start to its end."""

    def __init__(self, path: Path, discord: Discord, owner: str) -> None:
        self.discord = discord
        self.ledger = Ledger(path)
        self._clock = discord.time.clock
        self._woken = asyncio.Event()
        self._lease = Lease(
            self.ledger,  # type: ignore[arg-type]
            self._clock,
            application_id=1,
            owner=owner,
            lease_ms=LEASE_MS,
        )
        self.helpdesk = HelpDesk(self.ledger, RULES.requests, self._woken.set)  # type: ignore[arg-type]
        self.doubts = Doubts(self.ledger, self._woken.set)  # type: ignore[arg-type]
        self.choosing = Choosing(self.ledger, self._woken.set)  # type: ignore[arg-type]
        self.replying = Replying(self.ledger, self._woken.set)  # type: ignore[arg-type]
        self.offering = Offering(self.ledger, self._woken.set)  # type: ignore[arg-type]
        self.reopening = Reopening(
            self.ledger,  # type: ignore[arg-type]
            self.helpdesk,
            RULES.requests.reopen_ms,
            self._woken.set,
        )
        self.intake = Intake(
            self.ledger,  # type: ignore[arg-type]
            self._woken.set,
            RULES.requests.dm_messages_per_minute,
        )
        self.campaigns = Campaigns(self.ledger, self._woken.set)  # type: ignore[arg-type]
        self.nominations = Nominations(self.ledger, self._woken.set)  # type: ignore[arg-type]
        self.reviews = Reviews(self.ledger, RULES.showcase, self._woken.set)  # type: ignore[arg-type]
        self.told: list[tuple[object, ...]] = []
        self._delivery = assemble(
            self.ledger,  # type: ignore[arg-type]
            discord,
            self._clock,
            self._lease,
            replace(RULES, files=discord.cdn.rules or RULES.files),
            self._woken,
            lambda *said: self.told.append(said),
            self.intake,
            files=Files(
                spool=Spool.beside(path), downloader=discord.cdn, apart=discord.cdn.at_once
            ),
        )
        self.receipts = self._delivery.receipts
        self.typing = self._delivery.typing
        self._tasks: set[asyncio.Task[Any]] = set()
        self._renew_at = 0
        self.holds_lease = False

    @property
    def dead(self) -> bool:
        return self.ledger.dead

    def spawn(self, act: Coroutine[Any, Any, Any]) -> None:
        """Do something as this process, beside the worker."""
        task = asyncio.create_task(act)
        self._tasks.add(task)

    async def step(self) -> int:
        """What the process does now; answer when it looks again."""
        now = self._clock.now()
        try:
            if not self.holds_lease:
                self.holds_lease = (await self._lease.acquire()).owner == self._lease.owner
                self._renew_at = now + LEASE_MS // 3
                if not self.holds_lease:
                    return now + 1000
            if now >= self._renew_at:
                await self._lease.renew()
                self._renew_at = now + LEASE_MS // 3
            return min(await self._delivery.worker.step(now), self._renew_at)
        except (Killed, LeaseLost):
            self.ledger.dead = True
            return now

    def woken(self) -> bool:
        """Whether there is new work since this was last asked."""
        was = self._woken.is_set()
        self._woken.clear()
        return was

    async def kill(self) -> None:
        """End everything that this process was doing; nothing of it runs any more."""
        self.ledger.dead = True
        mine = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in mine:
            task.cancel()
        await asyncio.gather(*mine, return_exceptions=True)
        self.ledger.close()
