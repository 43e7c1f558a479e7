"""Telling who wrote in a direct message that nobody listens to what to do, and erasing the text.

Which servers somebody is in, Discord tells of one server at a time. So those are asked first in
which we have met them, and no more than a few.
"""

from bot.clock import Clock
from bot.delivery.flights import Flights
from bot.delivery.messenger import Messenger, Unreadable
from bot.delivery.sender import Rules
from bot.services import offering
from domain.delivery import NotDone, Unknown
from storage import offers
from storage.database import Connection, Database
from storage.offers import Offer

_BATCH = 50
_MOST_ASKED = 25
_ENOUGH = 6
"""One more than there are buttons: then the words say that there are more."""


class OfferHelp:
    """One word an offer, in a lane of its channel's own."""

    name = "offer_help"

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

    async def run(self, now: int) -> int | None:
        """Erase what is over, and start telling who waits; answer when the next one is due."""
        over, due, following = await self._database.read(
            lambda connection: (
                offers.expired(connection, now, limit=_BATCH),
                offers.due(connection, now, limit=_BATCH),
                offers.next_due(connection, now),
            )
        )
        if over:
            await self._database.write(lambda connection: _erase(connection, now))
        for offer in due:

            async def tell(offer: Offer = offer) -> None:
                await self._tell(offer)

            self._flights.start(("offer", offer.channel_id), tell)
        return following

    async def _tell(self, offer: Offer) -> None:
        now = self._clock.now()
        if await self._database.write(lambda c: offering.tell_waiting(c, offer, now)):
            return
        ways = await self._ways(offer.member_id)
        now = self._clock.now()
        if ways is None:
            until = now + self._rules.wait(offer.tries + 1)
            await self._database.write(lambda c: offers.later(c, offer, until))
        else:
            await self._database.write(lambda c: offering.tell_ways(c, offer, ways, now))

    async def _ways(self, member_id: int) -> list[int] | None:
        """Guilds with a desk that the member is in; None where Discord does not say just now."""
        asked = await self._database.read(
            lambda c: offers.candidates(c, member_id, limit=_MOST_ASKED)
        )
        found: list[int] = []
        for guild_id in asked:
            roles = await self._messenger.roles(guild_id, member_id)
            if isinstance(roles, Unreadable):
                if isinstance(roles.outcome, NotDone | Unknown):
                    return None
            elif roles.role_ids is not None:
                found.append(guild_id)
                if len(found) == _ENOUGH:
                    break
        return found


def _erase(connection: Connection, now: int) -> None:
    for channel_id in offers.expired(connection, now, limit=_BATCH):
        offers.erase(connection, channel_id)
