"""Working the inbox: the first event of each lane whose channel has been read to its end."""

import logging

from bot.clock import Clock
from bot.delivery.flights import Flights
from bot.delivery.messenger import Messenger, Unreadable
from bot.delivery.sender import Rules
from bot.services import marking, relaying
from bot.services.access import Standing
from storage import inbox
from storage.database import Connection, Database
from storage.errors import StorageError
from storage.inbox import Event

log = logging.getLogger(__name__)

FAILED = "work_failed"
ROLES_UNKNOWN = "roles_unknown"
_BATCH = 100
_TRIES = 4


class WorkInbox:
    """In order in each lane; an event that has to wait holds up its lane alone."""

    name = "work_inbox"

    def __init__(
        self,
        database: Database,
        messenger: Messenger,
        clock: Clock,
        flights: Flights,
        rules: Rules,
        *,
        most_a_minute: int,
    ) -> None:
        self._database = database
        self._messenger = messenger
        self._clock = clock
        self._flights = flights
        self._rules = rules
        self._most_a_minute = most_a_minute

    async def run(self, now: int) -> int | None:
        """Start a step for each lane whose first event is due; answer when the next is."""
        due, following = await self._database.read(
            lambda connection: (
                inbox.due(connection, now, limit=_BATCH),
                inbox.next_due(connection, now),
            )
        )
        for event in due:

            async def step(event: Event = event) -> None:
                await self._work(event.id)

            self._flights.start(("inbox", event.channel_id, event.conversation_id), step)
        return following

    async def _work(self, event_id: str) -> None:
        need = await self._attempt(event_id, None)
        if need is None:
            return
        found = await self._messenger.roles(need.guild_id, need.author_id)
        if isinstance(found, Unreadable):
            await self._defer(event_id, found.problem)
        else:
            live = Standing(
                role_ids=found.role_ids or frozenset(),
                manages_guild=found.manages_guild if found.role_ids is not None else False,
            )
            if await self._attempt(event_id, live) is not None:
                await self._defer(event_id, ROLES_UNKNOWN)

    async def _attempt(
        self, event_id: str, standing: Standing | None
    ) -> relaying.NeedsRoles | None:
        def attempt(connection: Connection) -> relaying.NeedsRoles | None:
            event = inbox.find(connection, event_id)
            if event is None or event.state != "queued":
                return None
            return relaying.work(
                connection,
                event,
                self._clock.now(),
                standing=standing,
                most=self._most_a_minute,
            )

        try:
            return await self._database.write(attempt)
        except StorageError:
            raise
        except Exception:
            log.exception("event_failed", extra={"event_id": event_id})
            await self._defer(event_id, FAILED)
            return None

    async def _defer(self, event_id: str, problem: str) -> None:
        def defer(connection: Connection) -> None:
            event = inbox.find(connection, event_id)
            if event is None:
                return None
            if problem == event.problem == FAILED and event.tries >= _TRIES:
                # By our own fault: kept for a person, so that it holds up nothing any more.
                log.error("event_set_aside", extra={"event_id": event_id})
                inbox.set_aside(connection, event_id, problem)
                if event.kind == "message":
                    marking.not_carried(connection, event.position, self._clock.now())
                return None
            until = self._clock.now() + self._rules.wait(event.tries + 1)
            return inbox.defer(connection, event_id, problem, until)

        await self._database.write(defer)
