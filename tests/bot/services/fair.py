"""A guild with a showcase on a real ledger, and the people in it."""

from dataclasses import dataclass, field
from typing import Any

from bot.services.access import Actor
from bot.services.buttons import Confirmations
from bot.services.campaigns import Campaigns, NewCampaign
from bot.services.nominations import Nomination, Nominations, Receipt
from bot.services.reviews import Held, Reviews
from bot.services.showcase import ShowcaseRules
from domain.campaigns import Campaign
from domain.entries import Entry
from domain.errors import Refused
from domain.requests import Route
from storage import desks, entries
from storage.database import Database

GUILD, CHANNEL, ORGANIZERS, REVIEWERS = 70, 71, 601, 602
NOW = 1_767_225_600_000
HOUR = 3_600_000
LEASE = ShowcaseRules().review_lease_ms
ORGANIZER = Actor(member_id=900, name="Olga", role_ids=frozenset({ORGANIZERS}))
MEMBER = Actor(member_id=1, name="Ada", role_ids=frozenset())
LINK = "https://example.org/kite"


def reviewer(number: int = 0) -> Actor:
    """One of the reviewers."""
    return Actor(member_id=800 + number, name=f"Rex {number}", role_ids=frozenset({REVIEWERS}))


@dataclass
class Fair:
    """The services over one ledger, with the clock in `now`."""

    database: Database
    now: int = NOW
    woken: int = 0
    interactions: int = field(default=5000)

    def __post_init__(self) -> None:
        self.campaigns = Campaigns(self.database, self._wake)
        self.nominations = Nominations(self.database, self._wake)
        self.reviews = Reviews(self.database, ShowcaseRules(), self._wake)
        self.confirmations = Confirmations(self.database)

    def _wake(self) -> None:
        self.woken += 1

    async def begin(self, guild_id: int = GUILD) -> None:
        """Set the guild's desk up."""
        desk = desks.Desk(
            guild_id=guild_id,
            guild_name="Harbour",
            channel_id=60,
            help_channel_id=None,
            coordinator_role_id=600,
            reviewer_role_id=REVIEWERS,
            organizer_role_id=ORGANIZERS,
            route=Route.DM,
            identity="name",
            timezone="UTC",
            locale="en",
            problem=None,
            set_up_by=900,
            set_up_at=NOW,
        )
        await self.database.write(lambda connection: desks.put(connection, desk))

    def interaction(self) -> int:
        self.interactions += 1
        return self.interactions

    async def open(self, name: str = "Kites", **changes: Any) -> Campaign:
        """An open campaign with room for 50 until tomorrow."""
        terms: dict[str, Any] = {
            "interaction_id": self.interaction(),
            "guild_id": GUILD,
            "channel_id": CHANNEL,
            "name": name,
            "text": "Show us your kite.",
            "capacity": 50,
            "closes_at": self.now + 24 * HOUR,
        }
        return await self.campaigns.create(NewCampaign(**terms | changes), ORGANIZER, self.now)

    async def nominate(self, campaign: Campaign, author_id: int, **changes: Any) -> Receipt:
        """Enter something as that person."""
        given: dict[str, Any] = {
            "source": f"i:{self.interaction()}",
            "guild_id": campaign.guild_id,
            "campaign_id": campaign.id,
            "author_id": author_id,
            "author_name": f"Author {author_id}",
            "title": f"Kite {author_id}",
            "url": LINK,
            "why": "It flies.",
            "locale": "en-GB",
        }
        return await self.nominations.submit(Nomination(**given | changes), self.now)

    async def held(self, who: Actor | None = None) -> Held:
        """The next entry in a reviewer's hands."""
        held = await self.reviews.claim_next(GUILD, None, who or reviewer(), self.now)
        assert held is not None
        return held

    async def approve(self, held: Held, who: Actor | None = None, summary: str = "Good.") -> Entry:
        """Press `Approve` on that card."""
        button = held.tokens["approve"]
        return await self.reviews.complete(GUILD, button, summary, who or reviewer(), self.now)

    async def counts(self, campaign: Campaign) -> dict[str, int]:
        """How many entries are in each state, by the ledger's own count, without the zeros."""
        counted = await self.database.read(lambda c: entries.counts(c, campaign.id))
        return {state: number for state, number in counted.items() if number}

    async def entry(self, entry_id: int) -> Entry:
        return await self.database.read(lambda c: entries.load(c, entry_id))


def code(outcome: object) -> str | None:
    """The code of a refusal that `gather` has caught; None for an answer."""
    if isinstance(outcome, Refused):
        return outcome.code
    assert not isinstance(outcome, BaseException), outcome
    return None
