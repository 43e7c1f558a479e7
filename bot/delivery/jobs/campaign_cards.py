"""Campaigns' cards: one message each, edited in place when what it shows has changed.

Posting goes through the outbox, since it is not idempotent; an edit is repeated when nobody knows
how it ended. Between two edits a card rests: when many enter at once, one edit shows them all.
"""

import logging
from dataclasses import dataclass

from bot.clock import Clock
from bot.delivery.first_messages import new_key
from bot.delivery.flights import Flights
from bot.delivery.messenger import Messenger
from bot.delivery.sender import Rules
from bot.services import campaign_cards as postings
from bot.words.showcase import campaign_card
from bot.words.values import Message
from domain.campaigns import Campaign, Closed
from domain.delivery import Done, NotDone, Outcome, Parked, Rejected
from storage import campaign_cards, campaigns, desks, entries, outbox
from storage.campaign_cards import CampaignCard
from storage.database import Connection, Database
from storage.errors import StorageError

log = logging.getLogger(__name__)

_BATCH = 100
_PARKED_MS = 300_000
_REST_MS = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What a card is to show, read in one transaction."""

    card: CampaignCard
    campaign: Campaign
    message: Message


class RefreshCampaignCards:
    """Each card in a lane of its own."""

    name = "refresh_campaign_cards"

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
        self._look_again = False

    def look_again(self) -> None:
        """Deletions may have gone untold: the next run edits each card, and so finds out."""
        self._look_again = True

    async def run(self, now: int) -> int | None:
        """Start the drawing of each card that is due at `now`; answer when the next one is."""
        if self._look_again:
            self._look_again = False
            await self._database.write(lambda connection: _redraw(connection, now))
        due, following = await self._database.read(
            lambda connection: (
                campaign_cards.due(connection, now, limit=_BATCH),
                campaign_cards.next_due(connection, now),
            )
        )
        for card in due:

            async def draw(card: CampaignCard = card) -> None:
                await self._or_rest(card)

            self._flights.start(("campaign_card", card.campaign_id), draw)
        return following

    async def _or_rest(self, card: CampaignCard) -> None:
        """Draw it; one on which that fails by our own fault rests, and keeps no other waiting."""
        try:
            await self._draw(card.campaign_id)
        except StorageError:
            raise
        except Exception:
            log.exception("campaign_card_failed", extra={"campaign": card.campaign_id})
            at = self._clock.now() + self._rules.wait(card.tries + 1)
            await self._database.write(
                lambda connection: campaign_cards.wait(
                    connection, card.campaign_id, at, "card_failed"
                )
            )

    async def _draw(self, campaign_id: int) -> None:
        view = await self._database.read(lambda connection: _view(connection, campaign_id))
        message_id = view.card.message_id
        if message_id is None:
            now = self._clock.now()
            await self._database.write(lambda connection: _post(connection, campaign_id, now))
            return
        digest = view.message.digest()
        if view.card.digest != digest and not await self._edit(view, message_id):
            return
        rest_until = self._clock.now() + _REST_MS

        def drawn(connection: Connection) -> None:
            """Keep what the card shows; what has changed since it was read is drawn next."""
            latest = _view(connection, campaign_id)
            stale = latest.message.digest() != digest
            campaign_cards.drawn(connection, view.card, digest, stale=stale, rest_until=rest_until)

        await self._database.write(drawn)

    async def _edit(self, view: View, message_id: int) -> bool:
        channel_id = view.card.channel_id or view.campaign.channel_id
        outcome = await self._messenger.edit(channel_id, message_id, view.message)
        if isinstance(outcome, Done) and outcome.message_id is not None:
            return True
        if isinstance(outcome, Done) or _is_gone(outcome):
            now = self._clock.now()
            await self._database.write(lambda c: campaign_cards.lost(c, view.card, now))
            return False
        await self._later(view.card, outcome)
        return False

    async def _later(self, card: CampaignCard, outcome: Outcome) -> None:
        asked_ms = outcome.retry_after_ms if isinstance(outcome, NotDone) else None
        wait = self._rules.wait(card.tries + 1, asked_ms)
        if isinstance(outcome, Parked | Rejected):
            wait = _PARKED_MS
        problem = str(getattr(outcome, "problem", "unknown"))
        log.info("campaign_card_waits", extra={"campaign": card.campaign_id, "problem": problem})
        at = self._clock.now() + wait
        await self._database.write(
            lambda connection: campaign_cards.wait(connection, card.campaign_id, at, problem)
        )


def _redraw(connection: Connection, now: int) -> None:
    for card in campaign_cards.shown(connection):
        campaign_cards.redraw(connection, card, now)


def _view(connection: Connection, campaign_id: int) -> View:
    card = campaign_cards.find(connection, campaign_id)
    assert card is not None
    campaign = campaigns.load(connection, campaign_id)
    locale = desks.load(connection, campaign.guild_id).locale
    message = campaign_card(locale, campaign, entries.counts(connection, campaign_id))
    return View(card=card, campaign=campaign, message=message)


def _post(connection: Connection, campaign_id: int, now: int) -> None:
    view = _view(connection, campaign_id)
    card, campaign = view.card, view.campaign
    if card.message_id is not None:
        return
    if card.posts > 0 and isinstance(campaign.state, Closed):
        # Somebody deleted the card of a campaign that is closed: nothing is left to show.
        campaign_cards.drawn(connection, card, "", stale=False, rest_until=now)
        return
    if postings.is_unnamed(connection, campaign_id, card.posts):
        campaign_cards.lost(connection, card, now)
        return
    outbox.plan(
        connection,
        outbox.NewPart(
            event=postings.event(campaign_id, card.posts),
            ordinal=0,
            guild_id=campaign.guild_id,
            destination=campaign.channel_id,
            kind=postings.KIND,
            payload=view.message.to_json(),
            delivery_key=new_key(),
        ),
        now,
    )
    campaign_cards.posting(connection, campaign_id, campaign.channel_id)


def _is_gone(outcome: Outcome) -> bool:
    """Whether the card's message, or its channel, is not there any more."""
    return isinstance(outcome, Rejected) and outcome.problem in (
        "unknown_channel",
        "unknown_message",
    )
