"""Ending a conversation and handing it on. Each use case is one transaction."""

from collections.abc import Callable

from bot.services.access import Actor, is_coordinator, is_organizer, require_coordinator
from bot.services.endings import say_ended
from bot.services.requests import apply
from domain.errors import Refused
from domain.requests import Active, HandOver, Request, Resolve, Take
from domain.text import tidy
from storage import cards, desks, requests
from storage.database import Connection, Database

RESOLUTION_LIMIT = 1000


class Conversations:
    """Use cases over one ledger. `wake` tells the worker that there is something to do."""

    def __init__(self, database: Database, wake: Callable[[], None], *, reopen_ms: int = 0) -> None:
        self._database = database
        self._wake = wake
        self._reopen_ms = reopen_ms

    async def check_may_end(self, guild_id: int, request_id: int, actor: Actor) -> Request:
        """Before a form is shown: the request, if the actor owns its conversation.

        Raises `Refused`: `not_staff`, `request_not_found`, `request_not_available`,
        `active_request_not_owned`.
        """
        return await self._database.read(
            lambda connection: _owned(connection, guild_id, request_id, actor)
        )

    async def check_may_hand_over(self, guild_id: int, request_id: int, actor: Actor) -> Request:
        """The same for handing on, which an organizer may do too."""

        def check(connection: Connection) -> Request:
            desk = desks.load(connection, guild_id)
            if is_organizer(desk, actor):
                return _active(connection, guild_id, request_id, actor)[0]
            return _owned(connection, guild_id, request_id, actor)

        return await self._database.read(check)

    async def resolve(
        self, guild_id: int, request_id: int, actor: Actor, resolution: str, now: int
    ) -> Request:
        """End the conversation with words that the member reads.

        Raises `Refused`: `not_staff`, `request_not_available`, `active_request_not_owned`,
        `empty_resolution`.
        """
        text = tidy(resolution, limit=RESOLUTION_LIMIT, lines=True)

        def resolve(connection: Connection) -> Request:
            request = _owned(connection, guild_id, request_id, actor)
            if not text:
                raise Refused("empty_resolution")
            event = Resolve(owner_id=actor.member_id, resolution=text)
            after = apply(connection, request, event, actor_id=actor.member_id, now=now)
            say_ended(connection, after, now, reopen_ms=self._reopen_ms)
            return after

        return await self._run(guild_id, resolve)

    async def hand_over(
        self, guild_id: int, request_id: int, actor: Actor, to: Actor, now: int
    ) -> Request:
        """Make another coordinator the owner. `to` is that person with their live roles.

        Raises `Refused`: `not_staff`, `request_not_available`, `active_request_not_owned`,
        `target_not_staff`, `own_request`.
        """

        def hand_over(connection: Connection) -> Request:
            request, _ = _active(connection, guild_id, request_id, actor)
            desk = desks.load(connection, guild_id)
            if not is_coordinator(desk, to.role_ids):
                raise Refused("target_not_staff", role_id=desk.coordinator_role_id)
            event = HandOver(
                actor_id=actor.member_id,
                actor_is_organizer=is_organizer(desk, actor),
                to=to.member_id,
            )
            after = apply(connection, request, event, actor_id=actor.member_id, now=now)
            _joined(connection, after, to)
            return after

        return await self._run(guild_id, hand_over)

    async def take(self, guild_id: int, request_id: int, actor: Actor, now: int) -> Request:
        """Own a conversation that nobody owns.

        Raises `Refused`: `not_staff`, `request_not_available`, `own_request`.
        """

        def take(connection: Connection) -> Request:
            request = _at_desk(connection, guild_id, request_id, actor)
            event = Take(owner_id=actor.member_id)
            after = apply(connection, request, event, actor_id=actor.member_id, now=now)
            _joined(connection, after, actor)
            return after

        return await self._run(guild_id, take)

    async def _run(self, guild_id: int, act: Callable[[Connection], Request]) -> Request:
        def named(connection: Connection) -> Request:
            try:
                return act(connection)
            except Refused as refusal:
                raise with_owner_name(connection, guild_id, refusal) from refusal

        request = await self._database.write(named)
        self._wake()
        return request


def with_owner_name(connection: Connection, guild_id: int, refusal: Refused) -> Refused:
    """The refusal, with what its owner is called where it names one."""
    owner_id = refusal.details.get("owner_id")
    if not isinstance(owner_id, int):
        return refusal
    name = desks.name_of(connection, guild_id, owner_id)
    return Refused(refusal.code, **{**refusal.details, "owner_name": name})


def _joined(connection: Connection, request: Request, owner: Actor) -> None:
    """The new owner is known by name, and gets into the thread."""
    desks.remember_name(
        connection, request.guild_id, owner.member_id, tidy(owner.name, limit=32) or "?"
    )
    cards.rejoin_thread(connection, request.id)


def _at_desk(connection: Connection, guild_id: int, request_id: int, actor: Actor) -> Request:
    require_coordinator(desks.load(connection, guild_id), actor)
    request = requests.load(connection, request_id)
    if request.guild_id != guild_id:
        raise Refused("request_not_found")
    return request


def _owned(connection: Connection, guild_id: int, request_id: int, actor: Actor) -> Request:
    request, state = _active(connection, guild_id, request_id, actor)
    if state.owner_id != actor.member_id:
        refused = Refused("active_request_not_owned", owner_id=state.owner_id)
        raise with_owner_name(connection, guild_id, refused)
    return request


def _active(
    connection: Connection, guild_id: int, request_id: int, actor: Actor
) -> tuple[Request, Active]:
    request = _at_desk(connection, guild_id, request_id, actor)
    if not isinstance(request.state, Active):
        raise Refused("request_not_available")
    return request, request.state
