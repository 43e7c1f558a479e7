"""One attempt is one HTTP request: the library's inner retries are cut off here.

discord.py repeats a 5xx up to five times and waits a 429 out. Such a repeat can leave long after
the nonce window, and what it returns blurs what the first one did. A trace on aiohttp, called in
the task that carries the call's context variable, ends the library's loop after the first answer
and keeps that answer: status, code and body. It is complete before the library sleeps on
`X-RateLimit-Remaining: 0`, so a receipt is never withheld by our own side.

Calls of others (interaction answers, the log-in) carry no `Call` and pass untouched.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from types import SimpleNamespace
from typing import Any

import aiohttp

from domain.delivery import Answered, NoAnswer

_DAY_MS = 86_400_000

_current: ContextVar["Call | None"] = ContextVar("steward_call", default=None)


class _CutOff(Exception):
    """Raised in the library's request loop to end it."""


class Call:
    """One HTTP request to Discord and what came back."""

    def __init__(self, *, not_after: int | None = None) -> None:
        self._not_after = not_after
        self._problem = "no_answer"
        self._started = False
        self._left = False
        self._too_late = False
        self._response: tuple[int, dict[str, str], bytes] | None = None
        self._received = asyncio.Event()

    async def run(self, act: Callable[[], Awaitable[Any]], *, to_its_end: bool = False) -> None:
        """Carry the call out; return once its answer is in, or it has failed.

        `to_its_end` waits until the library has made its objects of the answer too.

        The library's part goes on by itself in a task of its own: cancelling it could leave its
        global rate limit locked for good. Whoever waits here may be cancelled; the call is not.
        """
        task = asyncio.create_task(self._act(act))
        _alive.add(task)
        task.add_done_callback(_alive.discard)
        received = asyncio.create_task(self._received.wait())
        try:
            await asyncio.wait(
                {task} if to_its_end else {task, received}, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            received.cancel()
        if task.done():
            self._problem = task.result()

    async def _act(self, act: Callable[[], Awaitable[Any]]) -> str:
        _current.set(self)
        try:
            await act()
        except _CutOff:
            return "cut_off"
        except Exception as error:  # noqa: BLE001 - any failure of the library is an outcome here
            return type(error).__name__
        return "no_request"

    @property
    def body(self) -> dict[str, Any] | None:
        """The JSON object of a success, or None when there was none that can be read."""
        if self._response is None or not 200 <= self._response[0] < 300:
            return None
        return _json_object(self._response[2])

    @property
    def succeeded(self) -> bool:
        """Whether Discord answered with a success, whatever its body."""
        return self._response is not None and 200 <= self._response[0] < 300

    @property
    def answer(self) -> Answered | NoAnswer:
        """What came back, for `domain.delivery.classify`."""
        if self._response is None:
            problem = "too_late" if self._too_late else self._problem
            return NoAnswer(left=self._left, problem=problem)
        status, headers, body = self._response
        data = _json_object(body) or {}
        code = data.get("code")
        return Answered(
            status=status,
            code=code if isinstance(code, int) else None,
            retry_after_ms=_retry_after(headers, data),
        )

    def about_to_start(self) -> None:
        """Refuse a second request, and one that is too late: it might double a message."""
        if self._started:
            raise _CutOff
        if self._not_after is not None and time.time_ns() // 1_000_000 >= self._not_after:
            self._too_late = True
            raise _CutOff
        self._started = True

    def leaving(self) -> None:
        self._left = True

    async def answered(self, response: aiohttp.ClientResponse) -> None:
        body = await response.read()
        headers = {name.lower(): value for name, value in response.headers.items()}
        self._response = (response.status, headers, body)
        self._received.set()
        if response.status == 429 or response.status >= 500:
            raise _CutOff


_alive: set[asyncio.Task[str]] = set()


async def finish_calls(seconds: float) -> int:
    """Wait up to `seconds` for the calls under way; answer how many are still not done."""
    if not _alive:
        return 0
    _, pending = await asyncio.wait(set(_alive), timeout=seconds)
    return len(pending)


def trace() -> aiohttp.TraceConfig:
    """The trace for `discord.Client(http_trace=...)`."""

    async def start(_s: aiohttp.ClientSession, _c: SimpleNamespace, _p: object) -> None:
        if (call := _current.get()) is not None:
            call.about_to_start()

    async def leaving(_s: aiohttp.ClientSession, _c: SimpleNamespace, _p: object) -> None:
        if (call := _current.get()) is not None:
            call.leaving()

    async def end(
        _s: aiohttp.ClientSession, _c: SimpleNamespace, params: aiohttp.TraceRequestEndParams
    ) -> None:
        if (call := _current.get()) is not None:
            await call.answered(params.response)

    config = aiohttp.TraceConfig()
    config.on_request_start.append(start)
    config.on_request_headers_sent.append(leaving)
    config.on_request_end.append(end)
    return config


def _json_object(body: bytes) -> dict[str, Any] | None:
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def _retry_after(headers: dict[str, str], data: dict[str, Any]) -> int | None:
    """Discord's `retry_after` (seconds, in the body or the header) in milliseconds.

    A day at most: a number beyond all measure, from whatever stands between, must not be kept.
    """
    value = data.get("retry_after", headers.get("retry-after"))
    try:
        return None if value is None else max(0, min(int(float(value) * 1000), _DAY_MS))
    except (TypeError, ValueError, OverflowError):
        return None
