"""Opening members' DMs: paced starts, attempts, and the reconciling of those in doubt.

A claimed request begins to open when there is a slot: at most `new_dms_per_minute` members whom
we have never written to are tried in a minute, known DM channels at once. Until then the claim is
extended, so that waiting for a slot never costs a coordinator their claim. After Discord has asked
us to stop opening DMs, one request at a time tries again, in the order in which they were asked.
"""

import logging

from bot.clock import Clock
from bot.delivery.first_messages import FirstMessages, new_key
from bot.delivery.flights import Flights
from bot.delivery.messenger import DmOpened, Messenger
from bot.delivery.sender import Sender
from bot.services.requests import apply
from domain.requests import Claimed, Extend, Request
from storage import channels, deliveries, requests
from storage.database import Connection, Database
from storage.deliveries import Delivery

log = logging.getLogger(__name__)

_BATCH = 100
_MINUTE = 60_000


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
        slots, slot_at = self._slots(connection, now)
        following: int | None = None
        for request in requests.claimed(connection, limit=_BATCH):
            known = channels.dm_channel(connection, request.member_id) is not None
            if not known and slots == 0:
                self._hold(connection, request, now)
                following = slot_at
                continue
            if not known:
                slots -= 1
            self._first.start(connection, request, new_key(), now)
        return following

    def _slots(self, connection: Connection, now: int) -> tuple[int, int]:
        """How many new DMs may be opened now, and when there may be one more."""
        opening = deliveries.opening_new(connection)
        pause = channels.pause(connection)
        if pause is not None:
            ready = now >= pause.until and opening == 0
            return int(ready), max(pause.until, now + 1000)
        opened = channels.dms_opened_since(connection, now - _MINUTE)
        slot_at = opened[0] + _MINUTE if opened else now + 1000
        return max(0, self._per_minute - len(opened) - opening), slot_at

    def _hold(self, connection: Connection, request: Request, now: int) -> None:
        assert isinstance(request.state, Claimed)
        lease_ms = self._first.requests.claim_lease_ms
        if request.state.lease_until - now > lease_ms // 2:
            return
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
    ) -> None:
        self._database = database
        self._messenger = messenger
        self._clock = clock
        self._flights = flights
        self._sender = sender
        self._first = first

    async def run(self, now: int) -> int | None:
        """Start a step for each try that is due at `now`; answer when the next one is."""

        def look(
            connection: Connection,
        ) -> tuple[list[tuple[Delivery, int, int | None]], int | None]:
            due = []
            for delivery in deliveries.due(connection, now, limit=_BATCH):
                member_id = requests.load(connection, delivery.request_id).member_id
                due.append((delivery, member_id, channels.dm_channel(connection, member_id)))
            return due, deliveries.next_due(connection, now)

        due, following = await self._database.read(look)
        for delivery, member_id, channel_id in due:
            lane = ("member", member_id) if channel_id is None else ("channel", channel_id)

            async def step(delivery: Delivery = delivery, member_id: int = member_id) -> None:
                await self._step(delivery, member_id)

            self._flights.start(lane, step)
        return following

    async def _step(self, delivery: Delivery, member_id: int) -> None:
        key = delivery.delivery_key
        if delivery.uncertain:
            doubt = await self._database.read(
                lambda connection: self._first.doubt(connection, delivery)
            )
            if doubt is not None:
                await self._sender.reconcile(self._first, doubt)
            return
        if await self._database.read(lambda connection: self._given_up(connection, key)):
            await self._database.write(
                lambda connection: self._first.absent(connection, key, self._clock.now())
            )
            return
        if await self._reach(key, member_id):
            await self._sender.deliver(self._first, key)

    def _given_up(self, connection: Connection, key: str) -> bool:
        """Whether a try that certainly posted nothing is no longer `opening`: it is absent."""
        delivery = deliveries.find(connection, key)
        if delivery is None or delivery.status != "attempted" or delivery.uncertain:
            return False
        return requests.load(connection, delivery.request_id).state_name != "opening"

    async def _reach(self, key: str, member_id: int) -> bool:
        """Make sure that the member's DM channel is known; False when it could not be opened."""
        known = await self._database.read(
            lambda connection: channels.dm_channel(connection, member_id)
        )
        if known is not None:
            return True
        answer = await self._messenger.open_dm(member_id)
        now = self._clock.now()
        if isinstance(answer, DmOpened):
            opened = answer

            def keep(connection: Connection) -> None:
                channels.put_dm_channel(connection, member_id, opened.channel_id, now)
                channels.advance_fence(connection, opened.channel_id, opened.newest_id)
                channels.resume_dms(connection)

            await self._database.write(keep)
            return True
        outcome = answer
        log.info(
            "dm_not_opened",
            extra={"key": key, "problem": getattr(outcome, "problem", None)},
        )
        await self._database.write(
            lambda connection: self._first.unreached(connection, key, outcome, now)
        )
        return False
