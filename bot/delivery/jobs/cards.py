"""Requests' cards at the desk, and the thread that an active request gets from its card.

A card is one message, edited in place when what it shows has changed. Editing, starting a thread
from a message and adding a person to it are idempotent: when nobody knows how a call ended, it is
repeated. Posting is not, so a card's first message goes through the outbox.
"""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.clock import Clock
from bot.delivery import threads
from bot.delivery.first_messages import new_key
from bot.delivery.flights import Flights
from bot.delivery.messenger import Messenger
from bot.delivery.sender import Rules
from bot.services import endings, listening
from bot.services.parts import card_event, is_unnamed
from bot.services.refusals import last_refusal
from bot.services.requests import RequestRules
from bot.words.cards import Earlier, request_card, thread_intro, thread_name
from bot.words.values import Message
from domain.delivery import Done, NotDone, Outcome, Parked, Rejected
from domain.requests import TERMINAL, NeedsReconcile, Request, owner_of
from storage import cards, conversations, deliveries, desks, outbox, requests
from storage.cards import Card
from storage.database import Connection, Database
from storage.desks import Desk
from storage.errors import StorageError

log = logging.getLogger(__name__)

_BATCH = 100
_PARKED_MS = 300_000


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What a card is to show, read in one transaction."""

    card: Card
    desk: Desk
    request: Request
    owner_name: str | None
    message: Message
    thread_id: int | None


class RefreshCards:
    """Each posted card in a lane of its own."""

    name = "refresh_cards"

    def __init__(
        self,
        database: Database,
        messenger: Messenger,
        clock: Clock,
        flights: Flights,
        rules: Rules,
        request_rules: RequestRules,
    ) -> None:
        self._database = database
        self._messenger = messenger
        self._clock = clock
        self._flights = flights
        self._rules = rules
        self._request_rules = request_rules

    async def run(self, now: int) -> int | None:
        """Start the drawing of each card that is due at `now`; answer when the next one is.

        Cards that are not posted yet share a flight, and go to the outbox in the order in which
        they are due.
        """
        due, following = await self._database.read(
            lambda connection: (
                cards.due(connection, now, limit=_BATCH),
                cards.next_due(connection, now),
            )
        )
        unposted = [card for card in due if card.message_id is None]

        async def post() -> None:
            for card in unposted:
                await self._or_rest(card, self._plan_post)

        if unposted:
            self._flights.start(("cards", "unposted"), post)
        for card in due:

            async def draw(card: Card = card) -> None:
                await self._or_rest(card, self._draw)

            if card.message_id is not None:
                self._flights.start(("card", card.request_id), draw)
        return following

    async def _or_rest(self, card: Card, act: Callable[[int], Awaitable[None]]) -> None:
        """Do `act`; a card on which it fails by our own fault rests, and keeps no other waiting."""
        try:
            await act(card.request_id)
        except StorageError:
            raise
        except Exception:
            log.exception("card_failed", extra={"request": card.request_id})
            at = self._clock.now() + self._rules.wait(card.tries + 1)
            await self._database.write(
                lambda connection: cards.wait(connection, card.request_id, at, "card_failed")
            )

    async def _plan_post(self, request_id: int) -> None:
        await self._database.write(lambda connection: self._post(connection, request_id))

    def _view(self, connection: Connection, request_id: int) -> View:
        card = cards.find(connection, request_id)
        assert card is not None
        request = requests.load(connection, request_id)
        desk = desks.load(connection, request.guild_id)
        owner_id = owner_of(request.state)
        owner_name = None
        if owner_id is not None:
            owner_name = desks.name_of(connection, request.guild_id, owner_id)
        conversation = conversations.find(connection, request_id)
        return View(
            card=card,
            desk=desk,
            request=request,
            owner_name=owner_name,
            message=request_card(
                request,
                locale=desk.locale,
                owner_name=owner_name,
                max_attempts=self._request_rules.max_attempts,
                needs_person=self._needs_person(connection, request),
                never_known=deliveries.given_up(connection, request_id),
                refused=last_refusal(connection, request_id),
                earlier=_earlier(connection, request),
            ),
            thread_id=None if conversation is None else conversation.thread_id,
        )

    def _needs_person(self, connection: Connection, request: Request) -> bool:
        if not isinstance(request.state, NeedsReconcile):
            return False
        delivery = deliveries.find(connection, request.state.delivery_key)
        return delivery is not None and delivery.person_at is not None

    async def _draw(self, request_id: int) -> None:
        view = await self._database.read(lambda connection: self._view(connection, request_id))
        if view.card.message_id is None:
            return
        if view.card.digest != view.message.digest() and not await self._edit(
            view, view.card.message_id
        ):
            return
        if _wants_thread(view) and not await self._thread(view, view.card.message_id):
            return
        await self._database.write(lambda connection: self._drawn(connection, view))

    def _drawn(self, connection: Connection, view: View) -> None:
        """Keep what the card shows; what has changed since the view was read is drawn next."""
        drawn = view.message.digest()
        latest = self._view(connection, view.card.request_id)
        stale = latest.message.digest() != drawn or _wants_thread(latest)
        cards.drawn(connection, view.card, drawn, stale=stale)

    def _post(self, connection: Connection, request_id: int) -> None:
        view = self._view(connection, request_id)
        if view.card.message_id is not None:
            return
        if view.card.posts > 0 and type(view.request.state) in TERMINAL:
            # Somebody deleted the card of a request that has ended: nothing is left to show.
            cards.drawn(connection, view.card, "", stale=False)
            return
        event = card_event(request_id, view.card.posts)
        if any(is_unnamed(part) for part in outbox.of_event(connection, event)):
            cards.lost(connection, view.card, self._clock.now())
            return
        outbox.plan(
            connection,
            outbox.NewPart(
                event=event,
                ordinal=0,
                guild_id=view.request.guild_id,
                destination=view.desk.channel_id,
                kind="card",
                payload=view.message.to_json(),
                delivery_key=new_key(),
            ),
            self._clock.now(),
        )
        cards.posting(connection, request_id, view.desk.channel_id)

    async def _edit(self, view: View, message_id: int) -> bool:
        channel_id = view.card.channel_id or view.desk.channel_id
        outcome = await self._messenger.edit(channel_id, message_id, view.message)
        if isinstance(outcome, Done) and outcome.message_id is not None:
            return True
        if isinstance(outcome, Done) or _is_gone(outcome):
            await self._lost(view.card)
            return False
        await self._later(view.card, outcome)
        return False

    async def _thread(self, view: View, message_id: int) -> bool:
        thread_id = view.thread_id
        outcome: Outcome = Done()
        if thread_id is None:
            thread_id = message_id
            outcome = await self._start_thread(view, message_id)
        if _is_gone(outcome):
            await self._lost(view.card)
            return False
        owner_id = owner_of(view.request.state)
        if isinstance(outcome, Done) and owner_id is not None:
            outcome = await threads.add_member(self._messenger, thread_id, owner_id)
            if isinstance(
                outcome, Rejected
            ):  # the owner has left: the thread is there all the same
                outcome = Done()
        if not isinstance(outcome, Done):
            await self._later(view.card, outcome)
            return False
        await self._database.write(
            lambda connection: self._thread_made(connection, view, thread_id)
        )
        return True

    async def _start_thread(self, view: View, message_id: int) -> Outcome:
        """Start the thread, under the bare reference where Discord refuses the topic in its name.

        A server's word filter reads the names of threads too, and a member chose the topic.
        """
        channel_id = view.card.channel_id or view.desk.channel_id
        outcome: Outcome = Done()
        for name in (thread_name(view.request), view.request.reference):
            outcome = await self._messenger.start_thread(
                view.request.guild_id, channel_id, message_id, name
            )
            if not isinstance(outcome, Rejected) or _is_gone(outcome):
                break
        return outcome

    def _thread_made(self, connection: Connection, view: View, thread_id: int) -> None:
        now = self._clock.now()
        request = requests.load(connection, view.request.id)
        cards.thread_done(connection, request.id, "made")
        conversations.put_thread(connection, request.id, thread_id)
        conversation = conversations.find(connection, request.id)
        assert conversation is not None
        listening.thread_made(connection, request, conversation.id, thread_id, now)
        if type(request.state) in TERMINAL:  # while the call was under way
            endings.close_thread(connection, request, thread_id, now)
            return
        outbox.plan(
            connection,
            outbox.NewPart(
                event=f"thread:{request.id}:{thread_id}",
                ordinal=0,
                guild_id=request.guild_id,
                destination=thread_id,
                kind=listening.INTRO,
                payload=thread_intro(
                    request, locale=view.desk.locale, owner_name=view.owner_name
                ).to_json(),
                delivery_key=new_key(),
            ),
            now,
        )

    async def _lost(self, card: Card) -> None:
        now = self._clock.now()
        await self._database.write(lambda connection: cards.lost(connection, card, now))

    async def _later(self, card: Card, outcome: Outcome) -> None:
        asked_ms = outcome.retry_after_ms if isinstance(outcome, NotDone) else None
        wait = self._rules.wait(card.tries + 1, asked_ms)
        if isinstance(outcome, Parked | Rejected):
            wait = _PARKED_MS
        problem = str(getattr(outcome, "problem", "unknown"))
        log.info("card_waits", extra={"request": card.request_id, "problem": problem})
        at = self._clock.now() + wait

        def later(connection: Connection) -> None:
            cards.wait(connection, card.request_id, at, problem)
            if isinstance(outcome, Parked | Rejected):
                desks.note_problem(connection, card.guild_id, problem)

        await self._database.write(later)


def _earlier(connection: Connection, request: Request) -> Earlier | None:
    if request.reopens is None:
        return None
    reopened = requests.load(connection, request.reopens)
    return Earlier(reference=reopened.reference, owner_id=owner_of(reopened.state))


def _wants_thread(view: View) -> bool:
    """Whether a thread is to be made. A request that has ended needs none any more."""
    return view.card.thread == "wanted" and type(view.request.state) not in TERMINAL


def _is_gone(outcome: Outcome) -> bool:
    """Whether the card's message, or its channel, is not there any more."""
    return isinstance(outcome, Rejected) and outcome.problem in (
        "unknown_channel",
        "unknown_message",
    )
