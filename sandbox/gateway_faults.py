"""What can go wrong with events on their way, asked for one at a time."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class GatewayFaults:
    """Counts of what is still to happen, by event name; `*` stands for any event.

    `lose` tells an event to nobody, `repeat` tells it twice, `drop_after` cuts every connection
    once it is told, and `malform` sends it as a frame that is not JSON.
    """

    _lose: Counter[str] = field(default_factory=Counter)
    _repeat: Counter[str] = field(default_factory=Counter)
    _drop_after: Counter[str] = field(default_factory=Counter)
    _malform: Counter[str] = field(default_factory=Counter)

    def lose(self, event: str = "*", *, times: int = 1) -> None:
        self._lose[event] += times

    def repeat(self, event: str = "*", *, times: int = 1) -> None:
        self._repeat[event] += times

    def drop_after(self, event: str = "*", *, times: int = 1) -> None:
        self._drop_after[event] += times

    def malform(self, event: str = "*", *, times: int = 1) -> None:
        self._malform[event] += times

    def clear(self) -> None:
        """Nothing more is to happen."""
        for each in (self._lose, self._repeat, self._drop_after, self._malform):
            each.clear()

    def loses(self, event: str) -> bool:
        return _take(self._lose, event)

    def repeats(self, event: str) -> bool:
        return _take(self._repeat, event)

    def drops_after(self, event: str) -> bool:
        return _take(self._drop_after, event)

    def malforms(self, event: str) -> bool:
        return _take(self._malform, event)


def _take(waiting: Counter[str], event: str) -> bool:
    for name in (event, "*"):
        if waiting[name] > 0:
            waiting[name] -= 1
            return True
    return False
