"""Discord's ids: a time in milliseconds and a count, ever rising."""

from collections.abc import Callable

DISCORD_EPOCH_MS = 1_420_070_400_000


class Snowflakes:
    """Makes ids that strictly rise, also when the clock stands still or goes back."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._last = 0

    def next(self) -> int:
        """An id whose time is now, and above every id made before."""
        self._last = max((self._now() - DISCORD_EPOCH_MS) << 22, self._last + 1)
        return self._last


def at_ms(snowflake: int) -> int:
    """The time in an id, in milliseconds UTC."""
    return (snowflake >> 22) + DISCORD_EPOCH_MS
