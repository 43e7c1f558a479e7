"""The help desk's use cases: ask, claim, give back, extend, withdraw. Each is one transaction."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.services import openings
from bot.services.access import Actor, require_coordinator
from bot.services.endings import say_ended
from bot.services.requests import RequestRules, apply
from domain.errors import Refused
from domain.requests import (
    Active,
    Claim,
    Claimed,
    End,
    Extend,
    NeedsReconcile,
    Queued,
    Release,
    Request,
    Resolved,
    Route,
    Unassign,
    Withdraw,
    Withdrawn,
)
from domain.text import tidy
from storage import cards, deliveries, desks, requests
from storage.database import Connection, Database

TOPIC_LIMIT = 100
DETAILS_LIMIT = 2000
_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
QUEUE_PAGE = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A member asks: what they typed, under the interaction that brought it."""

    interaction_id: int
    guild_id: int
    guild_name: str
    member_id: int
    member_name: str
    topic: str
    details: str
    locale: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """A member's receipt. `before` is how many wait before them (at most 100 are counted).

    `repeated` says that this very interaction had been answered before.
    """

    request: Request
    before: int | None
    repeated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuePage:
    """A page of what waits, oldest first; `after_id` asks for the next one, None at the end."""

    waiting: tuple[Request, ...]
    total: int
    next_after: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pressed:
    """The first message whose button a member pressed. Nobody presses what is not there."""

    delivery_key: str
    message_id: int


class HelpDesk:
    """Use cases over one ledger. `wake` tells the worker that there is something to do."""

    def __init__(self, database: Database, rules: RequestRules, wake: Callable[[], None]) -> None:
        self._database = database
        self._rules = rules
        self._wake = wake

    async def check_can_ask(self, guild_id: int, member_id: int, now: int) -> None:
        """Before a form is shown: raise what asking would be refused with.

        Raises `Refused`: `desk_not_ready`, `open_request_exists`, `cooldown`.
        """
        await self._database.read(
            lambda connection: self._check(connection, guild_id, member_id, now)
        )

    async def ask(self, ask: Ask, now: int) -> Receipt:
        """Queue a request; the same interaction again returns the first receipt.

        Raises `Refused`: `desk_not_ready`, `empty_topic`, `open_request_exists` (naming the
        reference of the open one), `cooldown` (with `until`, UTC ms).
        """
        references = new_references()

        def queue(connection: Connection) -> Receipt:
            earlier = requests.by_interaction(connection, ask.interaction_id)
            if earlier is not None:
                return self.given(connection, earlier)
            return self.queue_in(connection, ask, references, now)

        receipt = await self._database.write(queue)
        self._wake()
        return receipt

    async def open_for(self, ask: Ask, actor: Actor, now: int) -> Request:
        """A coordinator asks on behalf of a member, and claims it.

        Raises `Refused` as `ask` and `claim` do; with any of it nothing is asked.
        """
        references = new_references()

        def open_for(connection: Connection) -> Request:
            require_coordinator(desks.load(connection, ask.guild_id), actor)
            earlier = requests.by_interaction(connection, ask.interaction_id)
            if earlier is not None:
                return earlier
            request = self.queue_in(connection, ask, references, now).request
            _remember(connection, ask.guild_id, actor.member_id, actor.name)
            event = Claim(owner_id=actor.member_id, lease_until=now + self._rules.claim_lease_ms)
            return apply(connection, request, event, actor_id=actor.member_id, now=now)

        request = await self._database.write(open_for)
        self._wake()
        return request

    def queue_in(
        self,
        connection: Connection,
        ask: Ask,
        references: tuple[str, ...],
        now: int,
        *,
        reopens: Request | None = None,
        route: Route | None = None,
    ) -> Receipt:
        """Queue a request inside a transaction. Raises `Refused` as `ask` does.

        `route` None: as the desk has it.
        """
        topic = tidy(ask.topic, limit=TOPIC_LIMIT)
        desk = self._check(connection, ask.guild_id, ask.member_id, now)
        if not topic:
            raise Refused("empty_topic")
        request = requests.insert(
            connection,
            requests.NewRequest(
                references=references,
                interaction_id=ask.interaction_id,
                guild_id=ask.guild_id,
                member_id=ask.member_id,
                topic=topic,
                details=tidy(ask.details, limit=DETAILS_LIMIT, lines=True),
                source_locale=ask.locale,
                route=route or desk.route,
                created_at=now,
                reopens=None if reopens is None else reopens.id,
            ),
        )
        _remember(connection, ask.guild_id, ask.member_id, ask.member_name)
        cards.touch(connection, request.id, request.guild_id, now)
        return _receipt(connection, request)

    def given(self, connection: Connection, request: Request) -> Receipt:
        """The receipt of a request that this very interaction had asked for before."""
        return _receipt(connection, request, repeated=True)

    def _check(self, connection: Connection, guild_id: int, member_id: int, now: int) -> desks.Desk:
        desk = desks.load(connection, guild_id)
        still_open = requests.open_of_member(connection, guild_id, member_id)
        if len(still_open) >= self._rules.max_open_per_member:
            raise Refused("open_request_exists", reference=still_open[-1].reference)
        if self._rules.cooldown_ms:
            latest = requests.latest_ask(connection, guild_id, member_id)
            if latest is not None and latest + self._rules.cooldown_ms > now:
                raise Refused("cooldown", until=latest + self._rules.cooldown_ms)
        return desk

    async def claim(
        self,
        guild_id: int,
        request_id: int,
        actor: Actor,
        now: int,
        *,
        route: Route | None = None,
    ) -> Request:
        """Make the actor the owner of a queued request, and reach the member by `route` if given.

        Claiming what one owns already returns it as it stands. Raises `Refused`: `not_staff`,
        `request_not_found`, `request_not_available` (with `owner_name`), `own_request`,
        `no_help_channel` where a private thread has no place.
        """

        def claim(connection: Connection) -> Request:
            request = _at_desk(connection, guild_id, request_id, actor)
            if isinstance(request.state, Claimed) and request.state.owner_id == actor.member_id:
                return request
            if route is Route.THREAD:
                if desks.load(connection, guild_id).help_channel_id is None:
                    raise Refused("no_help_channel")
                request = replace(request, route=route)
            _remember(connection, guild_id, actor.member_id, actor.name)
            event = Claim(owner_id=actor.member_id, lease_until=now + self._rules.claim_lease_ms)
            return apply(connection, request, event, actor_id=actor.member_id, now=now)

        return await self._named(guild_id, claim)

    async def release(self, guild_id: int, request_id: int, actor: Actor, now: int) -> Request:
        """Give a claim back to the queue, or a conversation to whoever takes it.

        Raises `Refused`: `not_staff`, `claim_not_owned`, `active_request_not_owned`.
        """

        def release(connection: Connection) -> Request:
            request = _at_desk(connection, guild_id, request_id, actor)
            event: Release | Unassign = Release(owner_id=actor.member_id)
            if isinstance(request.state, Active):
                if request.state.owner_id != actor.member_id:
                    raise Refused("active_request_not_owned", owner_id=request.state.owner_id)
                event = Unassign(actor_id=actor.member_id)
            return apply(connection, request, event, actor_id=actor.member_id, now=now)

        return await self._named(guild_id, release)

    async def extend(self, guild_id: int, request_id: int, actor: Actor, now: int) -> Request:
        """Begin the claim's lease anew, where that makes it longer.

        Raises `Refused`: `not_staff`, `claim_not_owned`.
        """
        until = now + self._rules.claim_lease_ms

        def extend(connection: Connection) -> Request:
            request = _at_desk(connection, guild_id, request_id, actor)
            state = request.state
            # A second press in the same moment, or a setting made shorter since the claim.
            if (
                isinstance(state, Claimed)
                and state.owner_id == actor.member_id
                and until <= state.lease_until
            ):
                return request
            event = Extend(owner_id=actor.member_id, lease_until=until)
            return apply(connection, request, event, actor_id=actor.member_id, now=now)

        return await self._named(guild_id, extend)

    async def withdraw(self, request_id: int, member_id: int, now: int) -> Request:
        """The member takes the request back; doing so again returns it as it stands.

        Raises `Refused`: `request_not_found`, `request_not_available`.
        """

        def withdraw(connection: Connection) -> Request:
            request = requests.load(connection, request_id)
            if request.member_id != member_id:
                raise Refused("request_not_found")
            if isinstance(request.state, Withdrawn):
                return request
            event = Withdraw(member_id=member_id)
            after = apply(connection, request, event, actor_id=member_id, now=now)
            if isinstance(request.state, NeedsReconcile):
                deliveries.ask_nobody(connection, request.state.delivery_key, now)
            return after

        request = await self._database.write(withdraw)
        self._wake()
        return request

    async def end(
        self, request_id: int, member_id: int, now: int, *, pressed: Pressed | None = None
    ) -> Request:
        """The member ends the conversation; ending it again returns it as it stands.

        Where it is still in doubt whether the first message arrived, pressing its button settles
        that. Raises `Refused`: `request_not_found`, `active_request_not_owned`.
        """

        def end(connection: Connection) -> Request:
            request = requests.load(connection, request_id)
            if request.member_id != member_id:
                raise Refused("request_not_found")
            if isinstance(request.state, Resolved):
                return request
            if pressed is not None and _arrived(connection, request, pressed, now):
                request = requests.load(connection, request_id)
            event = End(member_id=member_id)
            after = apply(connection, request, event, actor_id=member_id, now=now)
            say_ended(connection, after, now, reopen_ms=self._rules.reopen_ms)
            return after

        request = await self._database.write(end)
        self._wake()
        return request

    async def queue(self, guild_id: int, actor: Actor, *, after_id: int = 0) -> QueuePage:
        """A page of what waits in the guild. Raises `Refused`: `not_staff`, `desk_not_ready`."""

        def page(connection: Connection) -> QueuePage:
            require_coordinator(desks.load(connection, guild_id), actor)
            found = requests.queue(connection, guild_id, limit=QUEUE_PAGE + 1, after_id=after_id)
            more = len(found) > QUEUE_PAGE
            return QueuePage(
                waiting=found[:QUEUE_PAGE],
                total=requests.counts(connection, guild_id).get("queued", 0),
                next_after=found[QUEUE_PAGE - 1].id if more else None,
            )

        return await self._database.read(page)

    async def find(self, guild_id: int, reference: str, actor: Actor) -> Request:
        """A guild's request by its reference, for staff.

        Raises `Refused`: `not_staff`, `desk_not_ready`, `request_not_found`.
        """

        def find(connection: Connection) -> Request:
            require_coordinator(desks.load(connection, guild_id), actor)
            return requests.by_reference(connection, guild_id, reference.strip())

        return await self._database.read(find)

    async def _named(self, guild_id: int, act: Callable[[Connection], Request]) -> Request:
        """Run `act`; a refusal that knows the owner's id is given the owner's name."""

        def named(connection: Connection) -> Request:
            try:
                return act(connection)
            except Refused as refusal:
                owner_id = refusal.details.get("owner_id")
                if isinstance(owner_id, int):
                    name = desks.name_of(connection, guild_id, owner_id)
                    raise Refused(
                        refusal.code, **{**refusal.details, "owner_name": name}
                    ) from refusal
                raise

        request = await self._database.write(named)
        self._wake()
        return request


def _arrived(connection: Connection, request: Request, pressed: Pressed, now: int) -> bool:
    """Whether the press settles a try that the request still waits for."""
    delivery = deliveries.find(connection, pressed.delivery_key)
    if delivery is None or delivery.request_id != request.id or delivery.status != "attempted":
        return False
    return openings.arrived(
        connection, delivery, pressed.message_id, actor_id=request.member_id, now=now
    )


def _at_desk(connection: Connection, guild_id: int, request_id: int, actor: Actor) -> Request:
    """A request of this very guild, for someone who is staff there now."""
    require_coordinator(desks.load(connection, guild_id), actor)
    request = requests.load(connection, request_id)
    if request.guild_id != guild_id:
        raise Refused("request_not_found")
    return request


def _receipt(connection: Connection, request: Request, *, repeated: bool = False) -> Receipt:
    waiting = isinstance(request.state, Queued)
    return Receipt(
        request=request,
        before=requests.place(connection, request) if waiting else None,
        repeated=repeated,
    )


def _remember(connection: Connection, guild_id: int, member_id: int, name: str) -> None:
    desks.remember_name(connection, guild_id, member_id, tidy(name, limit=32) or "?")


def new_references() -> tuple[str, ...]:
    """Candidates for what a new request is called."""
    return tuple("".join(secrets.choice(_ALPHABET) for _ in range(5)) for _ in range(5))
