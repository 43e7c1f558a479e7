"""Calls under way: side by side across lanes, one at a time in each."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable

from bot.clock import Clock
from bot.delivery.sender import ApplicationRefused
from domain.delivery import backoff_ms
from storage.runtime import LeaseLost

log = logging.getLogger(__name__)


class Flights:
    """Tasks by lane (a channel, a card), at most `most` at once.

    A flight that raises is logged with its lane, and the lane rests with back-off; the others go
    on. What ends this process's right to send is kept in `ended` for the worker to raise.
    """

    def __init__(self, clock: Clock, wake: Callable[[], None], *, most: int = 16) -> None:
        self._clock = clock
        self._wake = wake
        self._most = most
        self._tasks: dict[Hashable, asyncio.Task[None]] = {}
        self._resting: dict[Hashable, tuple[int, int]] = {}
        self.ended: LeaseLost | ApplicationRefused | None = None

    def start(self, lane: Hashable, act: Callable[[], Awaitable[None]]) -> bool:
        """Start `act` in its lane; False where the lane is busy or rests, or all places are taken.

        The end of a flight wakes the worker, which then asks again.
        """
        until, _ = self._resting.get(lane, (0, 0))
        if lane in self._tasks or len(self._tasks) >= self._most or until > self._clock.now():
            return False
        self._tasks[lane] = asyncio.create_task(self._fly(lane, act), name=f"flight {lane}")
        return True

    def next_rested(self, now: int) -> int | None:
        """When the next lane that rests at `now` may be used again (UTC ms)."""
        return min((until for until, _ in self._resting.values() if until > now), default=None)

    async def _fly(self, lane: Hashable, act: Callable[[], Awaitable[None]]) -> None:
        try:
            await act()
            self._resting.pop(lane, None)
        except (LeaseLost, ApplicationRefused) as ended:
            self.ended = ended
        except Exception:
            _, tries = self._resting.get(lane, (0, 0))
            wait = backoff_ms(tries + 1, base_ms=1000, cap_ms=60_000, jitter=1.0)
            self._resting[lane] = (self._clock.now() + wait, tries + 1)
            log.exception("flight_failed", extra={"lane": str(lane), "tries": tries + 1})
        finally:
            del self._tasks[lane]
            self._wake()

    async def land(self, seconds: float | None = None) -> int:
        """Wait for the flights under way, at most `seconds`; answer how many are still up."""
        if not self._tasks:
            return 0
        _, up = await asyncio.wait(set(self._tasks.values()), timeout=seconds)
        return len(up)
