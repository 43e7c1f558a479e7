"""Rate limits: generous for all, real where a test asks for them."""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2s

from sandbox.truth import Exchange

GENEROUS = 10_000


@dataclass(slots=True, kw_only=True)
class Window:
    """So many calls in so many milliseconds, counted from the first."""

    limit: int
    per_ms: int
    began: int = 0
    used: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """What the headers say. `refused` is a call too many; times are seconds."""

    limit: int
    remaining: int
    reset_after: float
    reset: float
    bucket: str
    refused: bool = False

    def headers(self) -> dict[str, str]:
        return {
            "X-RateLimit-Limit": str(self.limit),
            "X-RateLimit-Remaining": str(self.remaining),
            "X-RateLimit-Reset": f"{self.reset:.3f}",
            "X-RateLimit-Reset-After": f"{self.reset_after:.3f}",
            "X-RateLimit-Bucket": self.bucket,
        }


class Limits:
    """Limits by route; a route without one is never refused."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._windows: dict[str, Window] = {}

    def set(self, route: str, limit: int, per_ms: int) -> None:
        """Allow `limit` calls of this route in `per_ms` milliseconds, wherever they go."""
        self._windows[route] = Window(limit=limit, per_ms=per_ms)

    def clear(self) -> None:
        self._windows.clear()

    def spend(self, exchange: Exchange) -> Allowance:
        """Count a call."""
        now = self._now()
        bucket = blake2s(exchange.route.encode(), digest_size=8).hexdigest()
        window = self._windows.get(exchange.route)
        if window is None:
            return Allowance(
                limit=GENEROUS,
                remaining=GENEROUS - 1,
                reset_after=1.0,
                reset=now / 1000 + 1,
                bucket=bucket,
            )
        if now - window.began >= window.per_ms:
            window.began, window.used = now, 0
        refused = window.used >= window.limit
        window.used += not refused
        left = max(0, window.began + window.per_ms - now)
        return Allowance(
            limit=window.limit,
            remaining=window.limit - window.used,
            reset_after=left / 1000,
            reset=(window.began + window.per_ms) / 1000,
            bucket=bucket,
            refused=refused,
        )
