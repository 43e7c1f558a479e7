"""The delivery ledger as a `Book`: a request's first message, and what its outcome does to it."""

import logging
import secrets
from dataclasses import dataclass

from bot.delivery import new_dms
from bot.delivery.lease import Lease
from bot.delivery.sender import Attempt, Doubt, Rules
from bot.services import openings
from bot.services.openings import in_doubt, is_opening, waits_for
from bot.services.requests import RequestRules, apply
from bot.words.cards import first_message
from bot.words.values import Message
from domain.delivery import Done, NotDone, Outcome, Parked, Rejected, Unknown
from domain.requests import (
    Claimed,
    DeliveryDeferred,
    DeliveryFailed,
    NeedsReconcile,
    Opening,
    ReconciledAbsent,
    Request,
    StartOpen,
)
from storage import cards, channels, conversations, deliveries, desks, requests
from storage.database import Connection
from storage.deliveries import Delivery

log = logging.getLogger(__name__)

_OWNER_UNKNOWN_TRIES = 3


def new_key() -> str:
    """A delivery key: 20 random characters, never used before or again."""
    return secrets.token_urlsafe(15)


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstMessages:
    """Every function runs inside a transaction; see `bot.delivery.sender.Book`.

    `owner_is_live` says, for a try that may turn out absent, that its owner was asked for just now
    and is still staff: only then does the next try begin by itself. None: Discord could not say,
    and an absence is concluded later.
    """

    lease: Lease
    rules: Rules
    requests: RequestRules
    owner_is_live: bool | None = False

    def start(self, connection: Connection, request: Request, key: str, now: int) -> None:
        """Begin to open a claimed request: from here on its key is on disk."""
        assert isinstance(request.state, Claimed)
        event = StartOpen(
            owner_id=request.state.owner_id,
            delivery_key=key,
            lease_until=now + self.requests.opening_lease_ms,
        )
        apply(connection, request, event, actor_id=None, now=now)
        deliveries.plan(
            connection,
            delivery_key=key,
            request_id=request.id,
            conversation_id=new_key(),
            now=now,
        )

    def begin(self, connection: Connection, key: str, now: int) -> Attempt | None:
        self.lease.require(connection, now)
        delivery = deliveries.find(connection, key)
        if delivery is None or delivery.status != "attempted" or delivery.in_flight:
            return None
        if delivery.person_at is not None:
            return None
        request = requests.load(connection, delivery.request_id)
        channel_id = delivery.channel_id
        if not waits_for(request, key) or channel_id is None:
            return None
        fence = channels.fence(connection, channel_id) or 0
        deliveries.begin(
            connection,
            delivery,
            owner=self.lease.owner,
            channel_id=channel_id,
            fence=fence,
            now=now,
        )
        return Attempt(
            key=key,
            channel_id=channel_id,
            message=self._message(connection, request, key),
            first_try_at=delivery.first_try_at or now if delivery.uncertain else now,
            tries=delivery.tries + 1,
            doubtful=delivery.uncertain,
        )

    def _message(self, connection: Connection, request: Request, key: str) -> Message:
        desk = desks.load(connection, request.guild_id)
        assert isinstance(request.state, Opening | NeedsReconcile)
        owner_name = None
        if desk.identity == "name":
            owner_name = desks.name_of(connection, request.guild_id, request.state.owner_id)
        return first_message(
            request,
            locale=request.source_locale,
            delivery_key=key,
            guild_name=desk.guild_name,
            owner_name=owner_name,
        )

    def settle(self, connection: Connection, attempt: Attempt, outcome: Outcome, now: int) -> None:
        delivery = deliveries.find(connection, attempt.key)
        assert delivery is not None
        if isinstance(outcome, Done):
            return self.arrived(connection, attempt.key, outcome.message_id, now)
        if delivery.status != "attempted" or delivery.in_flight != self.lease.owner:
            # Settled meanwhile by the echo, or the next owner of the lease has taken it over.
            return None
        return self._not_arrived(
            connection, delivery, outcome, now, doubtful=attempt.doubtful, called=True
        )

    def let_go(self, connection: Connection, key: str, problem: str, now: int) -> None:
        delivery = deliveries.find(connection, key)
        if delivery is None or delivery.in_flight != self.lease.owner:
            return
        deliveries.wait(
            connection,
            key,
            uncertain=True,
            next_at=now + self.rules.wait(delivery.tries),
            problem=problem,
            now=now,
            unreadable=delivery.unreadable,
        )

    def unreached(self, connection: Connection, key: str, outcome: Outcome, now: int) -> None:
        """The DM channel itself could not be opened: nothing was posted under the key."""
        delivery = deliveries.find(connection, key)
        if delivery is None or delivery.status != "attempted" or delivery.in_flight:
            return
        if isinstance(outcome, Unknown):  # opening a channel is idempotent: simply repeated
            outcome = NotDone(problem=outcome.problem)
        self._not_arrived(
            connection, delivery, outcome, now, doubtful=delivery.uncertain, called=False
        )

    def _not_arrived(
        self,
        connection: Connection,
        delivery: Delivery,
        outcome: Outcome,
        now: int,
        *,
        doubtful: bool,
        called: bool,
    ) -> None:
        key = delivery.delivery_key
        request = requests.load(connection, delivery.request_id)
        if isinstance(outcome, Rejected | Parked) and not doubtful:
            # A DM has no permission that somebody could grant: parked is refused, here.
            deliveries.finish(connection, key, "rejected", now, problem=outcome.problem)
            if delivery.channel_id is not None and outcome.problem == "unknown_channel":
                channels.forget_dm_channel(connection, delivery.channel_id)
            if is_opening(request, key):
                failed = DeliveryFailed(delivery_key=key, definitive=True, reason=outcome.problem)
                apply(connection, request, failed, actor_id=None, now=now)
            elif waits_for(request, key):
                # The call outlasted the opening's lease; its answer says that there is no message.
                absent = ReconciledAbsent(delivery_key=key, problem=outcome.problem)
                apply(connection, request, absent, actor_id=None, now=now, note=outcome.problem)
            return
        problem = getattr(outcome, "problem", None)
        asked_ms = outcome.retry_after_ms if isinstance(outcome, NotDone) else None
        next_at = now + self.rules.wait(max(delivery.tries, 1), asked_ms)
        if isinstance(outcome, NotDone) and outcome.pauses_new_dms:
            next_at = new_dms.pause(connection, outcome, now)
        deliveries.wait(
            connection,
            key,
            uncertain=doubtful or isinstance(outcome, Unknown),
            next_at=next_at,
            problem=problem,
            now=now,
            ended=called,
            unreadable=delivery.unreadable,
        )
        if is_opening(request, key):
            if isinstance(outcome, Unknown) or doubtful:
                in_doubt(connection, request, key, problem or "unknown", now)
            else:
                deferred = DeliveryDeferred(
                    delivery_key=key, lease_until=next_at + self.requests.opening_lease_ms
                )
                apply(connection, request, deferred, actor_id=None, now=now, note=problem)

    def arrived(self, connection: Connection, key: str, message_id: int | None, now: int) -> None:
        """The message is there. A second one, or one that nobody waits for, is an extra."""
        delivery = deliveries.find(connection, key)
        assert delivery is not None
        channel_id = delivery.channel_id
        assert channel_id is not None
        if message_id is not None:
            channels.advance_fence(connection, channel_id, message_id)
        if delivery.status == "attempted":
            if openings.arrived(connection, delivery, message_id, actor_id=None, now=now):
                return
        elif message_id == delivery.message_id:
            return
        elif message_id is not None and self._is_first_seen(connection, delivery):
            deliveries.name(connection, key, message_id)
            return
        if message_id is not None:
            cards.note_extra(connection, message_id, channel_id, key, now)
            if deliveries.known_after_all(connection, key):
                request = requests.load(connection, delivery.request_id)
                cards.touch(connection, request.id, request.guild_id, now)

    @staticmethod
    def _is_first_seen(connection: Connection, delivery: Delivery) -> bool:
        """Whether the conversation began without anybody having seen its first message.

        A person has said that it arrived; only now does Discord show it.
        """
        if delivery.status != "sent" or delivery.message_id is not None:
            return False
        conversation = conversations.find(connection, delivery.request_id)
        return conversation is not None and conversation.id == delivery.conversation_id

    def absent(self, connection: Connection, key: str, now: int) -> None:
        """No message: the request waits again, or its owner's next try begins by itself."""
        delivery = deliveries.find(connection, key)
        if delivery is None or delivery.status != "attempted" or delivery.in_flight:
            return
        request = requests.load(connection, delivery.request_id)
        if self.owner_is_live is None and waits_for(request, key):
            deliveries.wait(
                connection,
                key,
                uncertain=delivery.uncertain,
                next_at=now + self.rules.wait(_OWNER_UNKNOWN_TRIES),
                problem=delivery.problem,
                now=now,
                ended=False,
            )
            return
        openings.absent(
            connection,
            delivery,
            self.requests,
            actor_id=None,
            claim_again=bool(self.owner_is_live),
            now=now,
        )

    def never_began(self, connection: Connection, key: str, now: int) -> None:
        """The request no longer opens, and this try has certainly posted nothing: it is absent."""
        delivery = deliveries.find(connection, key)
        # Another flight may have begun it since: then it is in doubt, and history decides.
        if delivery is not None and not delivery.uncertain:
            self.absent(connection, key, now)

    def look_again(
        self, connection: Connection, key: str, at: int, problem: str | None, now: int
    ) -> None:
        delivery = deliveries.find(connection, key)
        if delivery is None or delivery.in_flight:
            return
        unreadable = 0 if problem is None else delivery.unreadable + 1
        request = requests.load(connection, delivery.request_id)
        needs_person = unreadable >= self.requests.max_unreadable
        if needs_person and not waits_for(request, key):
            self._give_up(connection, request, key, now)
            return
        deliveries.wait(
            connection,
            key,
            uncertain=True,
            next_at=at,
            problem=problem,
            now=now,
            ended=False,
            unreadable=unreadable,
            person_at=now if needs_person else None,
        )
        if needs_person:
            log.warning("first_message_needs_person", extra={"key": key, "problem": problem})
            in_doubt(connection, request, key, problem or "unreadable", now)
            cards.touch(connection, request.id, request.guild_id, now)

    @staticmethod
    def _give_up(connection: Connection, request: Request, key: str, now: int) -> None:
        """The request has ended, and Discord lets nobody see whether its message arrived.

        Nobody waits for the answer, and no person is asked. Should the message show itself after
        all, it is one too many.
        """
        log.warning("outcome_never_known", extra={"key": key, "request": request.id})
        deliveries.finish(connection, key, "absent", now, problem=deliveries.NEVER_KNOWN)
        cards.touch(connection, request.id, request.guild_id, now)

    def is_named(self, connection: Connection, message_id: int) -> bool:
        return deliveries.is_named(connection, message_id)

    def doubt(self, connection: Connection, delivery: Delivery) -> Doubt | None:
        """What there is to reconcile about a try in doubt; None where a call is under way."""
        if delivery.channel_id is None or delivery.first_try_at is None:
            return None
        request = requests.load(connection, delivery.request_id)
        return Doubt(
            key=delivery.delivery_key,
            channel_id=delivery.channel_id,
            fence=delivery.fence or 0,
            first_try_at=delivery.first_try_at,
            last_end_at=delivery.last_end_at or delivery.first_try_at,
            unreadable=delivery.unreadable,
            marks=frozenset({f"end:{request.id}:{delivery.delivery_key}"}),
            wanted=waits_for(request, delivery.delivery_key),
        )

    @staticmethod
    def owner(connection: Connection, delivery: Delivery) -> tuple[int, int, int] | None:
        """Guild, owner and coordinator role of a try that its request still waits for."""
        request = requests.load(connection, delivery.request_id)
        if not waits_for(request, delivery.delivery_key):
            return None
        assert isinstance(request.state, Opening | NeedsReconcile)
        desk = desks.load(connection, request.guild_id)
        return request.guild_id, request.state.owner_id, desk.coordinator_role_id
