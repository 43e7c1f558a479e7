"""Opening members' DMs: paced starts, attempts, and the reconciling of those in doubt.

A claimed request begins to open when there is a slot: at most `new_dms_per_minute` members whom
we have never written to are tried in a minute, known DM channels at once. Until then the claim is
extended, so that waiting for a slot never costs a coordinator their claim. After Discord has asked
us to stop opening DMs, one request at a time tries again, in the order in which they were asked.
"""

import logging
from dataclasses import replace

from bot.clock import Clock
from bot.delivery import new_dms
from bot.delivery.first_messages import FirstMessages, new_key
from bot.delivery.flights import Flights
from bot.delivery.jobs.leases import Tell
from bot.delivery.messenger import Messenger, Roles
from bot.delivery.reaching import Reach
from bot.delivery.sender import Doubt, Sender
from bot.services.requests import apply
from domain.delivery import NotDone, Unknown
from domain.requests import Claimed, Extend, Request, Route
from storage import channels, deliveries, requests
from storage.database import Connection, Database
from storage.deliveries import Delivery

log = logging.getLogger(__name__)

Lane = tuple[str, int]

_BATCH = 100


class StartOpening:
    """Claimed requests begin to open, as slots come free."""

    name = "start_opening"

    def __init__(
        self, database: Database, first: FirstMessages, *, new_dms_per_minute: int
    ) -> None:
        self._database = database
        self._first = first
        self._per_minute = new_dms_per_minute

    async def run(self, now: int) -> int | None:
        """Start what has a slot at `now`; answer when to look again."""
        waiting = await self._database.read(
            lambda connection: requests.claimed(connection, limit=1)
        )
        if not waiting:
            return None
        return await self._database.write(lambda connection: self._start(connection, now))

    def _start(self, connection: Connection, now: int) -> int | None:
        slots, slot_at = new_dms.slots(connection, now, per_minute=self._per_minute)
        following: int | None = None
        known = requests.claimed_known(connection, limit=_BATCH)
        new = requests.claimed_new(connection, limit=min(slots, _BATCH) + 1)
        for request in (*known, *new[:slots]):
            self._first.start(connection, request, new_key(), now)
        if len(known) == _BATCH:
            following = now
        elif len(new) > slots:
            following = slot_at
        half = self._first.requests.claim_lease_ms // 2
        ending = requests.claims_ending(connection, now + half, limit=_BATCH)
        for request_id, _ in ending:
            self._hold(connection, requests.load(connection, request_id), now)
        if len(ending) == _BATCH:
            following = now
        return following

    def _hold(self, connection: Connection, request: Request, now: int) -> None:
        assert isinstance(request.state, Claimed)
        lease_ms = self._first.requests.claim_lease_ms
        event = Extend(owner_id=request.state.owner_id, lease_until=now + lease_ms)
        apply(connection, request, event, actor_id=None, now=now)


class OpenDms:
    """Tries under way: each takes its next step in the lane of its member's DM."""

    name = "open_dms"

    def __init__(
        self,
        database: Database,
        messenger: Messenger,
        clock: Clock,
        flights: Flights,
        sender: Sender,
        first: FirstMessages,
        reach: Reach,
        tell: Tell,
    ) -> None:
        self._database = database
        self._tell = tell
        self._reach = reach
        self._messenger = messenger
        self._clock = clock
        self._flights = flights
        self._sender = sender
        self._first = first

    async def run(self, now: int) -> int | None:
        """Start a step for each try that is due at `now`; answer when the next one is."""

        def look(connection: Connection) -> tuple[list[tuple[Delivery, Lane]], int | None]:
            due = [
                (delivery, self._lane(connection, delivery))
                for delivery in deliveries.due(connection, now, limit=_BATCH)
            ]
            return due, deliveries.next_due(connection, now)

        due, following = await self._database.read(look)
        for delivery, lane in due:

            async def step(delivery: Delivery = delivery, lane: Lane = lane) -> None:
                await self._step(delivery, lane)

            self._flights.start(lane, step)
        return following

    @staticmethod
    def _lane(connection: Connection, delivery: Delivery) -> Lane:
        """The channel where it is known: all that goes there shares one lane."""
        request = requests.load(connection, delivery.request_id)
        channel_id = delivery.channel_id
        if channel_id is None and request.route is Route.DM:
            channel_id = channels.dm_channel(connection, request.member_id)
        if channel_id is not None:
            return ("channel", channel_id)
        return ("member" if request.route is Route.DM else "request", request.member_id)

    async def _step(self, delivery: Delivery, lane: Lane) -> None:
        key = delivery.delivery_key
        if delivery.uncertain:
            await self._settle_doubt(delivery)
            return
        request = await self._database.read(
            lambda connection: self._opening_request(connection, key)
        )
        if request is None:
            first = await self._with_owner(delivery)
            await self._database.write(
                lambda connection: first.never_began(connection, key, self._clock.now())
            )
            return
        channel = await self._reach.channel(request)
        if isinstance(channel, int):
            await self._database.write(lambda connection: deliveries.aim(connection, key, channel))
            if lane[0] == "member":
                # The DM is known only now, and another flight may be in its lane: this one's next
                # step, due at once, waits for its turn there.
                return
            await self._sender.deliver(self._first, key)
            await self._say_if_refused(key)
            return
        log.info("not_reached", extra={"key": key, "problem": getattr(channel, "problem", None)})
        await self._database.write(
            lambda connection: self._first.unreached(connection, key, channel, self._clock.now())
        )

        await self._say_if_refused(key)

    async def _say_if_refused(self, key: str) -> None:
        """Tell those who wait that the member can't be reached."""
        delivery = await self._database.read(lambda connection: deliveries.find(connection, key))
        if delivery is not None and delivery.status == "rejected":
            self._tell("request_unreached", delivery.request_id)

    async def _settle_doubt(self, delivery: Delivery) -> None:
        def look(connection: Connection) -> Doubt | None:
            # As it is now: a call with its key may have ended since it was found due.
            fresh = deliveries.find(connection, delivery.delivery_key)
            if fresh is None or not fresh.uncertain or fresh.in_flight:
                return None
            if fresh.person_at is not None:
                return None
            return self._first.doubt(connection, fresh)

        doubt = await self._database.read(look)
        if doubt is not None:
            await self._sender.reconcile(await self._with_owner(delivery), doubt)

    async def _with_owner(self, delivery: Delivery) -> FirstMessages:
        """The book, knowing whether the request's owner is still staff."""
        owner = await self._database.read(
            lambda connection: self._first.owner(connection, delivery)
        )
        live = False if owner is None else await self._is_live(*owner)
        return replace(self._first, owner_is_live=live)

    async def _is_live(self, guild_id: int, owner_id: int, role_id: int) -> bool | None:
        """Whether the owner still holds the coordinator role; None: Discord can't say just now."""
        roles = await self._messenger.roles(guild_id, owner_id)
        if isinstance(roles, Roles):
            return roles.role_ids is not None and role_id in roles.role_ids
        return None if isinstance(roles.outcome, NotDone | Unknown) else False

    def _opening_request(self, connection: Connection, key: str) -> Request | None:
        """The request that waits for this try to be made; None when it no longer does."""
        delivery = deliveries.find(connection, key)
        if delivery is None or delivery.status != "attempted" or delivery.uncertain:
            return None
        request = requests.load(connection, delivery.request_id)
        return request if request.state_name == "opening" else None
