"""Faults of the REST side, on demand: what goes wrong, on which route, how often.

A route is named by its method and template, e.g. `POST /channels/{channel_id}/messages`; `*` in
it stands for anything. `before` means that the effect does not happen, `after` that it has.
"""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from fnmatch import fnmatchcase

from sandbox.truth import Exchange

REMEMBERED = 10_000


class Kind(StrEnum):
    REFUSE = "refuse"
    CLOSE_BEFORE = "close_before"
    CLOSE_AFTER = "close_after"
    STATUS_BEFORE = "status_before"
    STATUS_AFTER = "status_after"
    RATELIMIT = "ratelimit"
    DELAY = "delay"
    HANG_BEFORE = "hang_before"
    HANG_AFTER = "hang_after"
    HOLD_BEFORE = "hold_before"
    HOLD_AFTER = "hold_after"
    ERROR = "error"
    CUT_BODY = "cut_body"
    HTML = "html"
    BROKEN_JSON = "broken_json"
    REMAINING_ZERO = "remaining_zero"
    SLOW = "slow"
    LENGTH_BELOW = "length_below"
    LENGTH_ABOVE = "length_above"
    NO_LENGTH = "no_length"
    WRONG_TYPE = "wrong_type"


@dataclass(slots=True, kw_only=True, eq=False)
class Fault:
    """One thing that goes wrong. Which fields matter depends on `kind`.

    `seconds` is how long a delay or a hang lasts (a hang then ends by closing), after how long a
    rate limit says to come back, and over how long a slow file is spread. `times` counts down to 0;
    None never does. `probability` is drawn from a generator seeded with `seed`. A hold sets
    `reached` and withholds the answer until `release()`, or `abandon()`, which closes without an
    answer and, held before, without an effect.
    """

    route: str
    kind: Kind
    times: int | None = 1
    when: Callable[[Exchange], bool] | None = None
    probability: float = 1.0
    seed: int = 0
    status: int = 502
    code: int | None = None
    seconds: float = 1.0
    everywhere: bool = False
    via: bool = True
    number: int = 0
    hits: int = 0
    abandoned: bool = False
    reached: asyncio.Event = field(default_factory=asyncio.Event)
    released: asyncio.Event = field(default_factory=asyncio.Event)
    _random: random.Random = field(default_factory=random.Random)

    def __post_init__(self) -> None:
        self._random.seed(self.seed)

    def strikes(self, exchange: Exchange) -> bool:
        """Whether it goes wrong this time; counts it when it does."""
        if self.times == 0 or not fnmatchcase(exchange.route, self.route):
            return False
        if self.when is not None and not self.when(exchange):
            return False
        if self.probability < 1 and self._random.random() >= self.probability:
            return False
        if self.times is not None:
            self.times -= 1
        self.hits += 1
        self.reached.set()
        return True

    def release(self) -> None:
        """Let what is held go on."""
        self.released.set()

    def abandon(self) -> None:
        """Close what is held without an answer."""
        self.abandoned = True
        self.released.set()


class Faults:
    """Those that are armed, in the order in which they were added; the first that fits strikes."""

    def __init__(self) -> None:
        self._armed: list[Fault] = []
        self._numbered: dict[int, Fault] = {}
        self._count = 0
        self._over = asyncio.Event()

    def add(
        self,
        route: str,
        kind: Kind | str,
        *,
        times: int | None = 1,
        when: Callable[[Exchange], bool] | None = None,
        probability: float = 1.0,
        seed: int = 0,
        status: int = 502,
        code: int | None = None,
        seconds: float = 1.0,
        everywhere: bool = False,
        via: bool = True,
    ) -> Fault:
        """Arm a fault. Raises ValueError for an unknown kind, and for an error without a code."""
        if kind == Kind.ERROR and code is None:
            raise ValueError("an error needs the code that is answered")
        made = Fault(
            route=route,
            kind=Kind(kind),
            times=times,
            when=when,
            probability=probability,
            seed=seed,
            status=status,
            code=code,
            seconds=seconds,
            everywhere=everywhere,
            via=via,
        )
        self._count += 1
        made.number = self._count
        self._armed.append(made)
        self._numbered[made.number] = made
        self._numbered.pop(made.number - REMEMBERED, None)
        return made

    def remove(self, fault: Fault) -> None:
        """Disarm it, and let go what it holds."""
        if fault in self._armed:
            self._armed.remove(fault)
        fault.release()

    def clear(self) -> None:
        """Disarm all."""
        for each in list(self._armed):
            self.remove(each)

    def get(self, number: int) -> Fault:
        """The fault of that number, spent or not. Raises KeyError, also for one long past."""
        return self._numbered[number]

    def armed(self) -> list[Fault]:
        """Those that may still strike."""
        return list(self._armed)

    def strike(self, exchange: Exchange) -> Fault | None:
        """The fault that this request meets, if any; spent ones are disarmed."""
        for each in self._armed:
            if each.strikes(exchange):
                if each.times == 0:
                    self._armed.remove(each)
                return each
        return None

    async def wait(self, fault: Fault) -> bool:
        """Hold or hang as the fault says; whether to go on afterwards. Ends when all is over."""
        holding = fault.kind in (Kind.HOLD_BEFORE, Kind.HOLD_AFTER)
        waiting = {
            asyncio.ensure_future(fault.released.wait()),
            asyncio.ensure_future(self._over.wait()),
        }
        try:
            await asyncio.wait(
                waiting,
                timeout=None if holding else fault.seconds,
                return_when=asyncio.FIRST_COMPLETED,
            )
        finally:
            for each in waiting:
                each.cancel()
        return holding and fault.released.is_set() and not fault.abandoned

    def close(self) -> None:
        """Nothing is held any more, now or later."""
        self._over.set()
