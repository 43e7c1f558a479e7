"""Effects of the outbox that can be repeated: edits, deletions, a thread archived and locked.

Nothing about them is ever in doubt: when nobody knows how a call ended, it is made again. What a
part says may change while a call is under way; then its revision differs, and it is made anew.
"""

import logging

from bot.clock import Clock
from bot.delivery import threads
from bot.delivery.messenger import Messenger
from bot.delivery.parts import Parts
from bot.services.endings import LOCK
from bot.words.values import message_from_json
from domain.delivery import Done, NotDone, Outcome
from storage import outbox, outbox_changes
from storage.database import Connection, Database
from storage.outbox import Part

log = logging.getLogger(__name__)

_TARGET_MS = 1000
_ARCHIVED = "thread_archived"


def is_change(part: Part) -> bool:
    """Whether the part is an effect that can be repeated, and no message of its own."""
    return part.target_part is not None or part.kind == LOCK


class Changes:
    """Makes them, one call a step."""

    def __init__(
        self, database: Database, messenger: Messenger, clock: Clock, parts: Parts
    ) -> None:
        self._database = database
        self._messenger = messenger
        self._clock = clock
        self._parts = parts

    async def make(self, part: Part) -> None:
        """Make the change, and write down how it ended."""
        message_id = None
        if part.target_part is not None:
            message_id = await self._target(part, part.target_part)
            if message_id is None:
                return
        outcome = await self._call(part, message_id)
        if isinstance(outcome, NotDone) and outcome.problem == _ARCHIVED:
            outcome = await self._wake(part)
        now = self._clock.now()
        await self._database.write(
            lambda connection: self._parts.changed(connection, part, outcome, now)
        )

    async def _target(self, part: Part, target_id: int) -> int | None:
        """The message that is to change; None, and the part given up, where there is none."""
        now = self._clock.now()

        def find(connection: Connection) -> int | None:
            self._parts.lease.require(connection, now)
            target = outbox.find_by_id(connection, target_id)
            if target is not None and target.message_id is not None:
                return target.message_id
            if target is None or target.state != "pending":
                outbox_changes.remove(connection, part, outbox_changes.TARGET_GONE)
            else:  # it has been sent elsewhere meanwhile, and is on its way there
                outbox.wait(
                    connection,
                    part.delivery_key,
                    uncertain=False,
                    next_at=now + _TARGET_MS,
                    problem="target_waits",
                    now=now,
                    ended=False,
                )
            return None

        return await self._database.write(find)

    async def _call(self, part: Part, message_id: int | None) -> Outcome:
        if message_id is None:
            return await threads.close(self._messenger, part.destination)
        if part.kind == outbox_changes.DELETE:
            return await self._messenger.delete(part.destination, message_id)
        message = message_from_json(part.payload or "")
        return await self._messenger.edit(part.destination, message_id, message)

    async def _wake(self, part: Part) -> Outcome:
        """The thread is archived: it is opened again, and the change made by the next step."""
        outcome = await self._messenger.edit_thread(part.destination, archived=False)
        if isinstance(outcome, Done):
            return NotDone(problem=_ARCHIVED, retry_after_ms=0)
        return outcome
