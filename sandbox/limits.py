"""Rate limits: generous for all, real where a test asks for them."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2s
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sandbox.truth import Exchange


GENEROUS = 10_000

_MAJOR = re.compile(r"/(channels|guilds|webhooks)/([^/]+)")


@dataclass(slots=True, kw_only=True)
class Window:
    """So many calls in so many milliseconds, counted from the first."""

    limit: int
    per_ms: int
    began: int = 0
    used: int = 0

    def spend(self, now: int) -> bool:
        """Count a call; whether it is one too many."""
        if now - self.began >= self.per_ms:
            self.began, self.used = now, 0
        if self.used >= self.limit:
            return True
        self.used += 1
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """What the headers say. `refused` is a call too many; times are seconds."""

    limit: int
    remaining: int
    reset_after: float
    reset: float
    bucket: str
    refused: bool = False
    everywhere: bool = False

    def headers(self) -> dict[str, str]:
        return {
            "X-RateLimit-Limit": str(self.limit),
            "X-RateLimit-Remaining": str(self.remaining),
            "X-RateLimit-Reset": f"{self.reset:.3f}",
            "X-RateLimit-Reset-After": f"{self.reset_after:.3f}",
            "X-RateLimit-Bucket": self.bucket,
        }


class Limits:
    """Limits by route and major parameter, and one for all; without any nobody is refused."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._limits: dict[str, tuple[int, int]] = {}
        self._windows: dict[tuple[str, str], Window] = {}
        self._global: Window | None = None

    def set(self, route: str, limit: int, per_ms: int) -> None:
        """Allow `limit` calls of this route in `per_ms` milliseconds.

        As at Discord, each channel, guild or webhook in the path has a limit of its own. The
        route `*` is the global limit, over all routes together.
        """
        if route == "*":
            self._global = Window(limit=limit, per_ms=per_ms, began=self._now())
        else:
            self._limits[route] = (limit, per_ms)

    def clear(self) -> None:
        """Refuse nobody any more."""
        self._limits.clear()
        self._windows.clear()
        self._global = None

    def spend(self, exchange: "Exchange") -> Allowance:
        """Count a call."""
        now = self._now()
        bucket = blake2s(exchange.route.encode(), digest_size=8).hexdigest()
        if self._global is not None and self._global.spend(now):
            return _allowance(self._global, now, bucket, refused=True, everywhere=True)
        limit = self._limits.get(exchange.route)
        if limit is None:
            idle = Window(limit=GENEROUS, per_ms=1000, began=now, used=1)
            return _allowance(idle, now, bucket)
        major = _MAJOR.search(exchange.path)
        key = (exchange.route, "" if major is None else major[2])
        window = self._windows.setdefault(key, Window(limit=limit[0], per_ms=limit[1], began=now))
        return _allowance(window, now, bucket, refused=window.spend(now))


def _allowance(
    window: Window, now: int, bucket: str, *, refused: bool = False, everywhere: bool = False
) -> Allowance:
    ends = window.began + window.per_ms
    return Allowance(
        limit=window.limit,
        remaining=window.limit - window.used,
        reset_after=max(0, ends - now) / 1000,
        reset=ends / 1000,
        bucket=bucket,
        refused=refused,
        everywhere=everywhere,
    )
