"""Reaching a member: their DM channel, or a private thread of their own, known before the send.

Opening a DM channel is idempotent and simply repeated. Starting a private thread is not: the call
is on disk before it leaves, and after an unknown outcome the parent's threads are searched for the
request's reference, which ends the thread's name. The lowest id is kept, others are deleted; none
found after the settle time means that there is none.
"""

import logging
from dataclasses import dataclass

from bot.clock import Clock
from bot.delivery import new_dms, threads
from bot.delivery.lease import Lease
from bot.delivery.messenger import DmOpened, Messenger, Unreadable
from bot.words.cards import thread_name
from domain.delivery import (
    NEW_DMS_PROBLEM,
    Done,
    NotDone,
    Outcome,
    Rejected,
    Timing,
    Unknown,
    absent_from,
)
from domain.requests import Request, Route, owner_of
from storage import channels, deliveries, desks, private_threads
from storage.database import Connection, Database
from storage.desks import Desk

log = logging.getLogger(__name__)

_BEHIND_MS = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """Finds, or makes, the channel in which a request's first message goes."""

    database: Database
    messenger: Messenger
    clock: Clock
    lease: Lease
    timing: Timing

    async def channel(self, request: Request) -> int | Outcome:
        """The channel's id; anything else says why there is none now."""
        if request.route is Route.THREAD:
            return await self._thread(request)
        return await self.dm(request.member_id, request_id=request.id)

    async def dm(self, member_id: int, *, request_id: int | None = None) -> int | Outcome:
        """The member's DM channel; anything else says why there is none now.

        After Discord has asked us to stop opening DMs, the earliest request knocks alone, less and
        less often, until one opens: the others keep their order behind it, and a word that belongs
        to no request knocks only when none of them waits.
        """
        known, pause, is_next = await self.database.read(
            lambda connection: (
                channels.dm_channel(connection, member_id),
                channels.pause(connection),
                deliveries.opening_new(connection) == 0
                if request_id is None
                else deliveries.is_next_new(connection, request_id),
            )
        )
        if known is not None:
            return known
        now = self.clock.now()
        if pause is not None and (now < pause.until or not is_next):
            return NotDone(
                problem=NEW_DMS_PROBLEM, retry_after_ms=max(pause.until - now, _BEHIND_MS)
            )
        answer = await self.messenger.open_dm(member_id)
        if not isinstance(answer, DmOpened):
            if request_id is None and isinstance(answer, NotDone) and answer.pauses_new_dms:
                return await self._paused(answer)
            return answer
        now = self.clock.now()

        def keep(connection: Connection) -> int:
            channels.put_dm_channel(connection, member_id, answer.channel_id, now)
            channels.advance_fence(connection, answer.channel_id, answer.newest_id)
            if channels.pause(connection) is not None:
                channels.resume_dms(connection)
                deliveries.hurry(connection, NEW_DMS_PROBLEM, now)
            return answer.channel_id

        return await self.database.write(keep)

    async def _paused(self, answer: NotDone) -> NotDone:
        """Keep the pause that Discord asks for; a request's first message keeps it by itself."""
        now = self.clock.now()
        until = await self.database.write(lambda connection: new_dms.pause(connection, answer, now))
        return NotDone(problem=answer.problem, retry_after_ms=until - now, pauses_new_dms=True)

    async def _thread(self, request: Request) -> int | Outcome:
        row, desk = await self.database.read(
            lambda connection: (
                private_threads.find(connection, request.id),
                desks.load(connection, request.guild_id),
            )
        )
        if row is not None and row.thread_id is not None:
            return await self._join(request, desk, row.thread_id)
        if row is not None and row.uncertain:
            found = await self.search(request, row)
            if found is not None:
                if not isinstance(found, int):
                    return found
                return await self._join(request, desk, found)
        parent_id = desk.help_channel_id
        if parent_id is None:
            return Rejected(problem="no_help_channel")
        outcome = await self._start(request, parent_id)
        if isinstance(outcome, Done) and outcome.message_id is not None:
            return await self._join(request, desk, outcome.message_id)
        return outcome

    async def _start(self, request: Request, parent_id: int) -> Outcome:
        def begin(connection: Connection) -> None:
            self.lease.require(connection, self.clock.now())
            private_threads.begin(connection, request.id, parent_id)

        await self.database.write(begin)
        outcome: Outcome = Unknown(problem="not_tried")
        # The bare reference, where Discord refuses the member's topic in a thread's name.
        for name in (thread_name(request, reference_last=True), request.reference):
            outcome = await self.messenger.start_private_thread(request.guild_id, parent_id, name)
            if not isinstance(outcome, Rejected) or outcome.problem == "unknown_channel":
                break
        now = self.clock.now()

        def end(connection: Connection) -> None:
            if isinstance(outcome, Done) and outcome.message_id is not None:
                private_threads.made(connection, request.id, outcome.message_id)
                channels.advance_fence(connection, outcome.message_id, outcome.message_id)
            elif isinstance(outcome, Unknown):
                private_threads.ended(connection, request.id, now)
            else:
                private_threads.forget(connection, request.id)

        await self.database.write(end)
        return outcome

    async def search(
        self, request: Request, row: private_threads.PrivateThread
    ) -> int | Outcome | None:
        """The thread that a call in doubt has made; None when it has certainly made none."""
        asked_at = self.clock.now()
        found = await self.messenger.private_threads(
            request.guild_id, row.parent_id, ending=request.reference
        )
        if isinstance(found, Unreadable):
            if found.outcome != Rejected(problem="unknown_channel"):
                return found.outcome
            # The channel is gone, and with it whatever thread there was.
            await self._forget(request)
            return None
        if found:
            return await self._keep_one(request, found)
        return await self._none_found(request, row, asked_at)

    async def _keep_one(self, request: Request, found: tuple[int, ...]) -> int | Outcome:
        """The lowest id is the request's thread; the others go before that is on disk."""
        thread_id, *extras = found
        for extra in extras:
            log.warning("extra_thread", extra={"request": request.id, "thread_id": extra})
            outcome = await self.messenger.delete_thread(extra)
            if isinstance(outcome, NotDone | Unknown):
                return NotDone(problem=outcome.problem)

        def keep(connection: Connection) -> int:
            private_threads.made(connection, request.id, thread_id)
            channels.advance_fence(connection, thread_id, thread_id)
            return thread_id

        return await self.database.write(keep)

    async def _none_found(
        self, request: Request, row: private_threads.PrivateThread, asked_at: int
    ) -> Outcome | None:
        # A process that died during the call could not say when it ended; its lease has run out
        # since, or this process would not be here.
        ended_at = row.last_end_at
        if ended_at is None:
            await self.database.write(
                lambda connection: private_threads.ended(connection, request.id, asked_at)
            )
            ended_at = asked_at
        settled_at = absent_from(ended_at, self.timing)
        if asked_at < settled_at:
            return NotDone(problem="thread_uncertain", retry_after_ms=settled_at - asked_at)
        await self._forget(request)
        return None

    async def _forget(self, request: Request) -> None:
        await self.database.write(lambda connection: private_threads.forget(connection, request.id))

    async def _join(self, request: Request, desk: Desk, thread_id: int) -> int | Outcome:
        """Make the member part of the thread, and their coordinator, unless members see the team.

        A coordinator whom Discord refuses is not waited for: the member has somebody to write to.
        """
        outcome = await threads.add_member(self.messenger, thread_id, request.member_id)
        if isinstance(outcome, Done):
            owner_id = owner_of(request.state)
            if desk.identity == "name" and owner_id is not None:
                joined = await threads.add_member(self.messenger, thread_id, owner_id)
                if isinstance(joined, NotDone | Unknown):
                    return NotDone(problem=joined.problem)
            return thread_id
        if isinstance(outcome, Rejected) and outcome.problem == "unknown_channel":
            # Somebody has deleted the thread: the next try starts another.
            await self._forget(request)
            return NotDone(problem="thread_deleted")
        return outcome
