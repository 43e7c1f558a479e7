"""Private threads in which no conversation began, though their request is over: they are closed.

The thread was there before its first message was refused, or before anybody knew; then the member
withdrew, or the desk dropped the request. Its row says that it is there, or may be, and stays until
Discord has archived and locked the thread, or has shown that there is none.
"""

import logging

from bot.clock import Clock
from bot.delivery import threads
from bot.delivery.flights import Flights
from bot.delivery.messenger import Messenger
from bot.delivery.reaching import Reach
from bot.delivery.sender import Rules
from domain.delivery import Done, NotDone, Outcome, Parked, Rejected, backoff_ms
from storage import private_threads, requests
from storage.database import Database
from storage.private_threads import PrivateThread

log = logging.getLogger(__name__)

_PARKED_MS = 300_000
_REST_CAP_MS = 3_600_000


class CloseLeftThreads:
    """Closing is idempotent: a call whose outcome is unknown is repeated."""

    name = "close_left_threads"

    def __init__(
        self,
        database: Database,
        messenger: Messenger,
        clock: Clock,
        flights: Flights,
        reach: Reach,
        rules: Rules,
    ) -> None:
        self._database = database
        self._messenger = messenger
        self._clock = clock
        self._flights = flights
        self._reach = reach
        self._rules = rules
        self._resting: dict[int, tuple[int, int]] = {}

    async def run(self, now: int) -> int | None:
        """Start the closing of each that has not just failed; answer when to try those again."""
        left = await self._database.read(private_threads.left_behind)
        ids = {thread.request_id for thread in left}
        self._resting = {one: rest for one, rest in self._resting.items() if one in ids}
        following = None
        for thread in left:
            at, _ = self._resting.get(thread.request_id, (0, 0))
            if now < at <= now + _REST_CAP_MS:  # longer: the clock was set back meanwhile
                following = at if following is None else min(at, following)
                continue

            async def close(thread: PrivateThread = thread) -> None:
                await self._close(thread)

            self._flights.start(("left_thread", thread.request_id), close)
        return following

    async def _close(self, thread: PrivateThread) -> None:
        thread_id = thread.thread_id
        if thread_id is None:
            request = await self._database.read(
                lambda connection: requests.load(connection, thread.request_id)
            )
            found = await self._reach.search(request, thread)
            if found is None:
                return
            if not isinstance(found, int):
                self._rest(thread.request_id, found)
                return
            thread_id = found
        outcome = await threads.close(self._messenger, thread_id)
        if not isinstance(outcome, Done | Rejected):
            self._rest(thread.request_id, outcome)
            return
        # Refused for good: it is gone, or nothing that we do will ever close it.
        log.info(
            "left_thread_closed" if isinstance(outcome, Done) else "left_thread_refused",
            extra={
                "request": thread.request_id,
                "thread_id": thread_id,
                "problem": getattr(outcome, "problem", None),
            },
        )
        await self._database.write(
            lambda connection: private_threads.forget(connection, thread.request_id)
        )

    def _rest(self, request_id: int, outcome: Outcome) -> None:
        """Try again later; where a permission is missing, less and less often."""
        _, tries = self._resting.get(request_id, (0, 0))
        asked_ms = outcome.retry_after_ms if isinstance(outcome, NotDone) else None
        wait = self._rules.wait(tries + 1, asked_ms)
        if isinstance(outcome, Parked | Rejected):
            wait = backoff_ms(tries + 1, base_ms=_PARKED_MS, cap_ms=_REST_CAP_MS, jitter=1.0)
        problem = str(getattr(outcome, "problem", "unknown"))
        log.info("left_thread_waits", extra={"request": request_id, "problem": problem})
        self._resting[request_id] = (self._clock.now() + min(wait, _REST_CAP_MS), tries + 1)
