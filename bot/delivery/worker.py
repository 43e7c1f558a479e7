"""The worker: does all that is due, and sleeps until the next thing is or new work wakes it."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Protocol

from bot.clock import Clock
from bot.delivery.flights import Flights
from domain.delivery import backoff_ms
from storage.database import Database

log = logging.getLogger(__name__)

_REST_CAP_MS = 60_000


class Job(Protocol):
    """One kind of work."""

    name: str

    async def run(self, now: int) -> int | None:
        """Do or start what is due at `now` (UTC ms); answer when to run again, None: when woken."""


class Worker:
    """Runs the jobs one after the other, again and again.

    A job that fails is logged by its name and rests with back-off; the others go on. Losing the
    right, or the ability, to deliver ends the worker: `step` raises `LeaseLost`,
    `ApplicationRefused` or `Stranded`.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        flights: Flights,
        jobs: Sequence[Job],
        *,
        tick_ms: int,
        woken: asyncio.Event,
    ) -> None:
        self._database = database
        self._clock = clock
        self._flights = flights
        self._jobs = jobs
        self._tick_ms = tick_ms
        self._woken = woken
        self._resting: dict[str, tuple[int, int]] = {}
        self._stopping = False

    async def step(self, now: int) -> int:
        """Do all that is due at `now`, and answer when the next thing is, within a tick.

        Calls to Discord that are due have been started when it returns; `land` waits for them.
        """
        self._raise_if_ended()
        following = [now + self._tick_ms]
        for job in self._jobs:
            until, _ = self._resting.get(job.name, (0, 0))
            if now < until <= now + _REST_CAP_MS:  # longer: the clock was set back meanwhile
                following.append(until)
                continue
            due = await self._run(job, now)
            if due is not None:
                following.append(due)
        rested = self._flights.next_rested(now)
        if rested is not None:
            following.append(rested)
        return min(following)

    async def _run(self, job: Job, now: int) -> int | None:
        try:
            due = await job.run(now)
        except Exception:
            if self._database.failed.is_set():
                raise
            _, tries = self._resting.get(job.name, (0, 0))
            until = now + backoff_ms(tries + 1, base_ms=500, cap_ms=_REST_CAP_MS, jitter=1.0)
            self._resting[job.name] = (until, tries + 1)
            log.exception("job_failed", extra={"job": job.name, "tries": tries + 1})
            return until
        self._resting.pop(job.name, None)
        return due

    def _raise_if_ended(self) -> None:
        if self._flights.ended is not None:
            raise self._flights.ended

    async def run(self) -> None:
        """Step until `stop`; raises what ends this process's right, or ability, to deliver."""
        while not self._stopping:
            self._woken.clear()
            following = await self.step(self._clock.now())
            left_ms = max(0, following - self._clock.now())
            try:
                await asyncio.wait_for(self._woken.wait(), timeout=left_ms / 1000)
            except TimeoutError:
                continue

    async def land(self, seconds: float | None = None) -> int:
        """Wait for the calls under way, at most `seconds`; answer how many are still up."""
        return await self._flights.land(seconds)

    def stop(self) -> None:
        """Start nothing more; `run` returns."""
        self._flights.close()
        self._stopping = True
        self._woken.set()
