"""Calls under way: side by side across lanes, one at a time in each."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable

from bot.clock import Clock
from bot.delivery.sender import ApplicationRefused, Stranded
from domain.delivery import backoff_ms
from storage.runtime import LeaseLost, LeaseRanOut

log = logging.getLogger(__name__)

_REST_CAP_MS = 60_000
_FORGOTTEN_MS = 600_000
"""A lane that has not flown for so long after its rest has nothing more to fly."""


class Flights:
    """Tasks by lane (a channel, a card), at most `most` at once.

    A flight that raises is logged with its lane, and the lane rests with back-off; the others go
    on. So does one that meets a lease of ours that has run out and is not renewed yet. What ends
    this process's right to send is kept in `ended` for the worker to raise.
    """

    def __init__(self, clock: Clock, wake: Callable[[], None], *, most: int = 16) -> None:
        self._clock = clock
        self._wake = wake
        self._most = most
        self._tasks: dict[Hashable, asyncio.Task[None]] = {}
        self._following: dict[Hashable, list[Callable[[], Awaitable[None]]]] = {}
        self._resting: dict[Hashable, tuple[int, int]] = {}
        self._closed = False
        self._beside: list[Flights] = []
        self.ended: LeaseLost | ApplicationRefused | Stranded | None = None

    def beside(self, *, most: int) -> "Flights":
        """Flights of less weight, with places of their own: they take none of these.

        They land and rest with these. Nothing that they do ends this process's right to send.
        """
        made = Flights(self._clock, self._wake, most=most)
        self._beside.append(made)
        return made

    def start(self, lane: Hashable, act: Callable[[], Awaitable[None]]) -> bool:
        """Start `act` in its lane; False where the lane is busy or rests, or all places are taken.

        The end of a flight wakes the worker, which then asks again.
        """
        until, _ = self._resting.get(lane, (0, 0))
        # A rest that is longer than any was begun before the clock was set back: it is over.
        rests = 0 < until - self._clock.now() <= _REST_CAP_MS
        if lane in self._tasks or len(self._tasks) >= self._most or rests:
            return False
        self._launch(lane, act)
        return True

    def is_free(self, lane: Hashable) -> bool:
        """Whether `start` would start something in the lane now. Any thread may ask."""
        return not (
            self._closed
            or lane in self._tasks
            or lane in self._resting
            or len(self._tasks) >= self._most
        )

    def follow(self, lane: Hashable, act: Callable[[], Awaitable[None]]) -> None:
        """Start `act`, which is on disk already: now, or when the flight in its lane has ended."""
        if lane in self._tasks:
            self._following.setdefault(lane, []).append(act)
        else:
            self._launch(lane, act)

    def close(self) -> None:
        """Begin nothing more at once: the process is about to end."""
        self._closed = True

    def _launch(self, lane: Hashable, act: Callable[[], Awaitable[None]]) -> None:
        self._tasks[lane] = asyncio.create_task(self._fly(lane, act), name=f"flight {lane}")

    def next_rested(self, now: int) -> int | None:
        """When the next lane that rests at `now` may be used again (UTC ms)."""
        rests = [until for until, _ in self._resting.values() if until > now]
        rests += [rest for one in self._beside if (rest := one.next_rested(now)) is not None]
        return min(rests, default=None)

    async def _fly(self, lane: Hashable, act: Callable[[], Awaitable[None]]) -> None:
        try:
            await act()
            self._resting.pop(lane, None)
        except (LeaseLost, ApplicationRefused, Stranded) as ended:
            self.ended = ended
        except LeaseRanOut:
            log.warning("lease_ran_out", extra={"lane": str(lane), "tries": self._rest(lane)})
        except Exception:
            log.exception("flight_failed", extra={"lane": str(lane), "tries": self._rest(lane)})
        finally:
            del self._tasks[lane]
            if waiting := self._following.pop(lane, None):
                self._launch(lane, waiting.pop(0))
                self._following.update({lane: waiting} if waiting else {})
            self._wake()

    def _rest(self, lane: Hashable) -> int:
        """Let the lane rest; answer how often it has failed in a row."""
        now = self._clock.now()
        tries = self._resting.get(lane, (0, 0))[1] + 1
        self._resting = {
            one: rest for one, rest in self._resting.items() if rest[0] > now - _FORGOTTEN_MS
        }
        wait = backoff_ms(tries, base_ms=1000, cap_ms=_REST_CAP_MS, jitter=1.0)
        self._resting[lane] = (now + wait, tries)
        return tries

    async def cancel(self) -> None:
        """End the flights under way, and wait for their end: for what may simply begin anew."""
        tasks = set(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def land(self, seconds: float | None = None) -> int:
        """Wait for the flights under way, at most `seconds`; answer how many are still up."""
        loop = asyncio.get_running_loop()
        end = None if seconds is None else loop.time() + seconds
        while up := self.up():
            left = None if end is None else max(0.0, end - loop.time())
            _, late = await asyncio.wait(up, timeout=left)
            if late:
                return len(late)
        return 0

    def up(self) -> set[asyncio.Task[None]]:
        """The flights under way, those beside these too."""
        return set(self._tasks.values()).union(*(one.up() for one in self._beside))
