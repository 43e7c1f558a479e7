"""Time as a parameter: what needs the time of day is given a Clock."""

import time
from typing import Protocol


class Clock(Protocol):
    """Tells the time. The value may jump when the machine's clock is set."""

    def now(self) -> int:
        """Milliseconds since 1970-01-01 UTC."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> int:
        """Milliseconds since 1970-01-01 UTC."""
        return time.time_ns() // 1_000_000


class FakeClock:
    """A clock that stands still until it is told to move."""

    def __init__(self, now: int) -> None:
        self._now = now

    def now(self) -> int:
        """Milliseconds since 1970-01-01 UTC, as last set."""
        return self._now

    def advance(self, milliseconds: int) -> int:
        """Move forward, and answer the new time. ValueError if that would be backward."""
        if milliseconds < 0:
            raise ValueError("a clock advances by 0 ms or more")
        self._now += milliseconds
        return self._now

    def jump(self, milliseconds: int) -> int:
        """Be set forward or back, like a machine's clock, and answer the new time."""
        self._now += milliseconds
        return self._now
