"""Where Discord can't say whether a first message arrived, a person does."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.services import openings
from bot.services.access import Actor, require_coordinator
from bot.services.requests import RequestRules, apply
from domain.errors import Refused
from domain.requests import Drop, NeedsReconcile, Request
from storage import deliveries, desks, requests
from storage.database import Connection, Database
from storage.deliveries import Delivery


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncertain:
    """A first message in doubt; `needs_person` once Discord's history could not be read."""

    request: Request
    problem: str | None
    since: int
    needs_person: bool


class Reconciling:
    """Use cases over one ledger. `wake` tells the worker that there is something to do."""

    def __init__(self, database: Database, rules: RequestRules, wake: Callable[[], None]) -> None:
        self._database = database
        self._rules = rules
        self._wake = wake

    async def waiting(self, guild_id: int, actor: Actor) -> tuple[Uncertain, ...]:
        """First messages in doubt in the guild, oldest first, at most 25.

        Raises `Refused`: `not_staff`, `desk_not_ready`.
        """

        def waiting(connection: Connection) -> tuple[Uncertain, ...]:
            require_coordinator(desks.load(connection, guild_id), actor)
            found = []
            for request in requests.uncertain(connection, guild_id, limit=25):
                assert isinstance(request.state, NeedsReconcile)
                delivery = deliveries.find(connection, request.state.delivery_key)
                assert delivery is not None
                found.append(
                    Uncertain(
                        request=request,
                        problem=delivery.problem or request.state.reason,
                        since=delivery.first_try_at or request.created_at,
                        needs_person=delivery.person_at is not None,
                    )
                )
            return tuple(found)

        return await self._database.read(waiting)

    async def arrived(self, guild_id: int, request_id: int, actor: Actor, now: int) -> Request:
        """The person says that the message is there: the conversation begins.

        Raises `Refused`: `not_staff`, `request_not_found`, `request_not_available`, and
        `still_checking` while Steward can still find out by itself.
        """

        def decide(connection: Connection, delivery: Delivery) -> None:
            openings.arrived(connection, delivery, None, actor_id=actor.member_id, now=now)

        return await self._decide(guild_id, request_id, actor, decide)

    async def absent(self, guild_id: int, request_id: int, actor: Actor, now: int) -> Request:
        """The person says that there is no message: the request waits again. Raises as above."""

        def decide(connection: Connection, delivery: Delivery) -> None:
            openings.absent(
                connection,
                delivery,
                self._rules,
                actor_id=actor.member_id,
                claim_again=False,
                now=now,
            )

        return await self._decide(guild_id, request_id, actor, decide)

    async def drop(
        self, guild_id: int, request_id: int, actor: Actor, reason: str, now: int
    ) -> Request:
        """The person ends the request without an answer. Raises as above."""

        def decide(connection: Connection, delivery: Delivery) -> None:
            request = requests.load(connection, request_id)
            event = Drop(staff_id=actor.member_id, reason=reason)
            apply(connection, request, event, actor_id=actor.member_id, now=now)
            deliveries.finish(connection, delivery.delivery_key, "absent", now, problem="dropped")

        return await self._decide(guild_id, request_id, actor, decide)

    async def _decide(
        self,
        guild_id: int,
        request_id: int,
        actor: Actor,
        decide: Callable[[Connection, Delivery], None],
    ) -> Request:
        def run(connection: Connection) -> Request:
            require_coordinator(desks.load(connection, guild_id), actor)
            request = requests.load(connection, request_id)
            if request.guild_id != guild_id:
                raise Refused("request_not_found")
            if not isinstance(request.state, NeedsReconcile):
                raise Refused("request_not_available", reference=request.reference)
            delivery = deliveries.find(connection, request.state.delivery_key)
            assert delivery is not None
            if delivery.person_at is None:
                raise Refused("still_checking", reference=request.reference)
            desks.remember_name(connection, guild_id, actor.member_id, actor.name)
            decide(connection, delivery)
            return requests.load(connection, request_id)

        request = await self._database.write(run)
        self._wake()
        return request
