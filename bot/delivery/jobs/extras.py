"""Messages that are one too many are deleted."""

import logging

from bot.clock import Clock
from bot.delivery import threads
from bot.delivery.flights import Flights
from bot.delivery.messenger import Messenger
from bot.delivery.sender import Rules
from domain.delivery import Done, Rejected
from storage import cards
from storage.cards import Extra
from storage.database import Database

log = logging.getLogger(__name__)

_BATCH = 100


class DeleteExtras:
    """Deleting is idempotent: a call whose outcome is unknown is repeated."""

    name = "delete_extras"

    def __init__(
        self,
        database: Database,
        messenger: Messenger,
        clock: Clock,
        flights: Flights,
        rules: Rules,
    ) -> None:
        self._database = database
        self._messenger = messenger
        self._clock = clock
        self._flights = flights
        self._rules = rules

    async def run(self, now: int) -> int | None:
        """Start the deletion of each that is due at `now`; answer when the next one is."""
        due, following = await self._database.read(
            lambda connection: (
                cards.extras_due(connection, now, limit=_BATCH),
                cards.next_extra(connection, now),
            )
        )
        for extra in due:

            async def delete(extra: Extra = extra) -> None:
                await self._delete(extra)

            self._flights.start(("extra", extra.message_id), delete)
        return following

    async def _delete(self, extra: Extra) -> None:
        outcome = await threads.delete_message(self._messenger, extra.channel_id, extra.message_id)
        now = self._clock.now()
        if isinstance(outcome, Done | Rejected):
            log.info("extra_deleted", extra={"sent_id": extra.message_id})
            await self._database.write(
                lambda connection: cards.extra_deleted(connection, extra.message_id, now)
            )
            return
        at = now + self._rules.wait(extra.tries + 1)
        problem = str(getattr(outcome, "problem", "unknown"))
        await self._database.write(
            lambda connection: cards.extra_wait(connection, extra.message_id, at, problem)
        )
