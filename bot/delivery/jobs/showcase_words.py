"""Telling authors and reviewers in their DM, through the outbox.

People whom we know are told at once. A DM of somebody new is opened one at a time, where the pace
for new DMs leaves room and no request waits for it: nobody depends on these words.
"""

import logging

from bot.clock import Clock
from bot.delivery import new_dms
from bot.delivery.flights import Flights
from bot.delivery.reaching import Reach
from bot.delivery.sender import Rules
from bot.services import telling
from domain.delivery import NotDone, Parked, Rejected
from storage import showcase_words
from storage.database import Connection, Database
from storage.showcase_words import Word

log = logging.getLogger(__name__)

_BATCH = 100
_BEHIND_MS = 5_000


class TellOfEntries:
    """Each person in a lane of their own; all who are new share one."""

    name = "tell_of_entries"

    def __init__(
        self,
        database: Database,
        clock: Clock,
        flights: Flights,
        reach: Reach,
        rules: Rules,
        new_dms_per_minute: int,
    ) -> None:
        self._database = database
        self._clock = clock
        self._flights = flights
        self._reach = reach
        self._rules = rules
        self._per_minute = new_dms_per_minute

    async def run(self, now: int) -> int | None:
        """Start telling who is due at `now`; answer when to look again."""
        known, new, following = await self._database.read(
            lambda connection: (
                showcase_words.due_known(connection, now, limit=_BATCH),
                showcase_words.due_new(connection, now, limit=1),
                showcase_words.next_due(connection, now),
            )
        )
        for person_id in dict.fromkeys(word.person_id for word in known):
            tries = max(word.tries for word in known if word.person_id == person_id)

            async def tell(person_id: int = person_id, tries: int = tries) -> None:
                await self._tell(person_id, tries)

            self._flights.start(("member", person_id), tell)
        if new:
            slot_at = await self._database.read(lambda c: self._slot(c, now))
            if slot_at > now:
                return slot_at if following is None else min(slot_at, following)
            self._flights.start(("member", "new to entries"), lambda: self._tell_new(new[0]))
        return following

    def _slot(self, connection: Connection, now: int) -> int:
        """When a new DM may be opened; requests go first."""
        slots, slot_at = new_dms.slots(connection, now, per_minute=self._per_minute)
        if slots > 0 and not new_dms.is_awaited(connection):
            return now
        return max(slot_at, now + _BEHIND_MS)

    async def _tell_new(self, word: Word) -> None:
        await self._tell(word.person_id, word.tries)

    async def _tell(self, person_id: int, tries: int) -> None:
        channel = await self._reach.dm(person_id)
        now = self._clock.now()
        if isinstance(channel, int):
            channel_id = channel
            await self._database.write(
                lambda connection: telling.plan_words(connection, person_id, channel_id, now)
            )
        elif isinstance(channel, Rejected | Parked):
            log.info("entry_words_untold", extra={"member": person_id, "problem": channel.problem})
            await self._database.write(lambda c: showcase_words.forget(c, person_id))
        else:
            asked_ms = channel.retry_after_ms if isinstance(channel, NotDone) else None
            at = now + self._rules.wait(tries + 1, asked_ms)
            await self._database.write(lambda c: showcase_words.wait(c, person_id, at))
