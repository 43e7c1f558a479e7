"""Telling whoever set a desk up, once, that something of it is missing."""

import logging

from bot.clock import Clock
from bot.delivery.first_messages import new_key
from bot.delivery.flights import Flights
from bot.delivery.reaching import Reach
from bot.delivery.sender import Rules
from bot.words.notices import desk_problem
from domain.delivery import NotDone, Parked, Rejected
from storage import desks, outbox
from storage.database import Connection, Database
from storage.desks import Desk

log = logging.getLogger(__name__)


class TellProblems:
    """One word a problem, through the outbox, into the organizer's DM."""

    name = "tell_problems"

    def __init__(
        self, database: Database, clock: Clock, flights: Flights, reach: Reach, rules: Rules
    ) -> None:
        self._database = database
        self._clock = clock
        self._flights = flights
        self._reach = reach
        self._rules = rules
        self._tries: dict[int, tuple[int, int]] = {}

    async def run(self, now: int) -> int | None:
        """Start the telling of each problem that nobody has been told."""
        following = None
        for desk in await self._database.read(desks.untold):
            at, _ = self._tries.get(desk.guild_id, (0, 0))
            if at > now:
                following = at if following is None else min(at, following)
                continue

            async def tell(desk: Desk = desk) -> None:
                await self._tell(desk)

            self._flights.start(("member", desk.set_up_by), tell)
        return following

    async def _tell(self, desk: Desk) -> None:
        channel = await self._reach.dm(desk.set_up_by)
        if isinstance(channel, int):
            channel_id = channel

            def plan(connection: Connection) -> None:
                desks.told(connection, desk)
                outbox.plan(
                    connection,
                    outbox.NewPart(
                        event=f"desk:{desk.guild_id}:{desk.set_up_at}:{desk.problem}",
                        ordinal=0,
                        guild_id=desk.guild_id,
                        destination=channel_id,
                        kind="desk_problem",
                        payload=desk_problem(
                            desk.guild_name, desk.problem or "", locale=desk.locale
                        ).to_json(),
                        delivery_key=new_key(),
                    ),
                    self._clock.now(),
                )

            await self._database.write(plan)
            self._tries.pop(desk.guild_id, None)
        elif isinstance(channel, Rejected | Parked):
            log.warning("desk_problem_untold", extra={"guild": desk.guild_id})
            await self._database.write(lambda connection: desks.told(connection, desk))
        else:
            _, tries = self._tries.get(desk.guild_id, (0, 0))
            asked_ms = channel.retry_after_ms if isinstance(channel, NotDone) else None
            wait = self._rules.wait(tries + 1, asked_ms)
            self._tries[desk.guild_id] = (self._clock.now() + wait, tries + 1)
