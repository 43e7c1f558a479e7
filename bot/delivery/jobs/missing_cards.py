"""Cards that somebody deleted while no gateway session was there to say so.

A card that nobody sees is a request that nobody finds. So after every new session each desk's
channel is read once, from its oldest open card on, and what it doesn't show is posted again. An
answer that can't be had is asked for again with back-off; one that is refused is left to the card's
next edit, which meets the same refusal and says so.
"""

import logging

from bot.clock import Clock
from bot.delivery.flights import Flights
from bot.delivery.messenger import Messenger, Unreadable
from bot.delivery.sender import Rules
from domain.delivery import Parked, Rejected
from storage import cards
from storage.cards import Card
from storage.database import Connection, Database

log = logging.getLogger(__name__)


class FindMissingCards:
    """Looks once in every channel with open cards after each `look_again`."""

    name = "find_missing_cards"

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
        self._wanted = False
        self._channels: dict[int, tuple[int, int]] = {}  # to when (UTC ms), and tries so far

    def look_again(self) -> None:
        """Deletions may have gone untold: look everywhere on the next run."""
        self._wanted = True

    async def run(self, now: int) -> int | None:
        """Start a look in each channel that is due at `now`; answer when the next one is."""
        if self._wanted:
            self._wanted = False
            for channel_id in await self._database.read(cards.channels_of_open):
                self._channels[channel_id] = (now, 0)
        following = None
        for channel_id, (at, _) in self._channels.items():
            if at > now:
                following = at if following is None else min(at, following)
                continue

            async def look(channel_id: int = channel_id) -> None:
                await self._look(channel_id)

            self._flights.start(("cards", channel_id), look)
        return following

    async def _look(self, channel_id: int) -> None:
        due = self._channels.get(channel_id)
        shown = await self._database.read(lambda connection: cards.open_in(connection, channel_id))
        if due is None or not shown:
            self._channels.pop(channel_id, None)
            return
        history = await self._messenger.history(channel_id, after=_oldest(shown) - 1)
        now = self._clock.now()
        if isinstance(history, Unreadable):
            if history.problem == "history_too_long":
                await self._database.write(lambda connection: cards.redraw(connection, shown, now))
            elif not isinstance(history.outcome, Rejected | Parked):
                _, tries = due
                wait = self._rules.wait(tries + 1)
                self._channels[channel_id] = (now + wait, tries + 1)
                return
        else:
            there = {seen.message_id for seen in history.messages}
            missing = [card for card in shown if card.message_id not in there]
            if missing:
                await self._post_again(missing, now)
        if self._channels.get(channel_id) == due:  # else a newer session asks again
            del self._channels[channel_id]

    async def _post_again(self, missing: list[Card], now: int) -> None:
        def lost(connection: Connection) -> None:
            for card in missing:
                cards.lost(connection, card, now)

        for card in missing:
            log.info("card_missing", extra={"request": card.request_id})
        await self._database.write(lost)


def _oldest(shown: tuple[Card, ...]) -> int:
    return min(card.message_id for card in shown if card.message_id is not None)
