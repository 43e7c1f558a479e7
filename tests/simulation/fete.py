"""A campaign in the simulation: its card, its people, and their DMs."""

from pathlib import Path
from typing import Any, Self

from bot.services.access import Actor
from bot.services.campaigns import NewCampaign
from bot.services.nominations import Nomination
from bot.services.reviews import Held
from bot.words.values import Message
from domain.campaigns import Campaign
from domain.entries import Entry
from domain.requests import Route
from storage import campaigns, entries
from tests.simulation.house import House, create
from tests.simulation.simulated_discord import Posted
from tests.simulation.story import GUILD, Story

CHANNEL = 700
MINUTE, HOUR = 60_000, 3_600_000
OLGA = Actor(member_id=910, name="Olga", role_ids=frozenset(), manages_guild=True)
REX = Actor(member_id=911, name="Rex", role_ids=frozenset(), manages_guild=True)


class Fete(Story):
    """One open campaign; nothing goes wrong by itself."""

    campaign: Campaign

    @classmethod
    async def begin(
        cls, path: Path, migrations: Path, *, trouble: float = 0.0, seed: int = 1
    ) -> Self:
        create(path, migrations)
        fete = cls(path, seed, trouble=0.0, route=Route.DM)
        await fete._set_up()
        fete.campaign = await fete.open()
        await fete.run(1000)
        return fete

    async def open(self, **changes: Any) -> Campaign:
        """A campaign for 50, until a day from now."""
        self.discord.next_id += 1
        terms: dict[str, Any] = {
            "interaction_id": self.discord.next_id,
            "guild_id": GUILD,
            "channel_id": CHANNEL,
            "name": "Kites",
            "text": "Show us your kite.",
            "capacity": 50,
            "closes_at": self.clock.now() + 24 * HOUR,
        }
        new = NewCampaign(**terms | changes)
        return await self.living.campaigns.create(new, OLGA, self.clock.now())

    @property
    def living(self) -> House:
        assert self.house is not None
        return self.house

    async def run(self, milliseconds: int) -> None:
        """Let that much time pass, with whatever is due in it."""
        await self._run_until(self.clock.now() + milliseconds)

    async def nominate(self, author_id: int, *, locale: str = "en") -> Entry:
        """Enter something as that person."""
        self.discord.next_id += 1
        nomination = Nomination(
            source=f"i:{self.discord.next_id}",
            guild_id=GUILD,
            campaign_id=self.campaign.id,
            author_id=author_id,
            author_name=f"Author {author_id}",
            title=f"Kite {author_id}",
            url="https://example.org/kite",
            why="",
            locale=locale,
        )
        return (await self.living.nominations.submit(nomination, self.clock.now())).entry

    async def held(self) -> Held:
        """The next entry, in Rex's hands."""
        held = await self.living.reviews.claim_next(GUILD, None, REX, self.clock.now())
        assert held is not None
        return held

    async def approve(self, held: Held) -> Entry:
        return await self.living.reviews.complete(
            GUILD, held.tokens["approve"], "A fine kite.", REX, self.clock.now()
        )

    async def send_back(self, held: Held) -> Entry:
        return await self.living.reviews.send_back(
            GUILD, held.tokens["send_back"], "Which wind?", REX, self.clock.now()
        )

    def cards(self, channel_id: int = CHANNEL) -> list[Posted]:
        """The cards that people can see in a channel."""
        return self.discord.of(channel_id)

    def card(self) -> Message:
        """What the one card shows."""
        (posted,) = self.cards()
        return posted.shown

    def field(self, name: str) -> str:
        """What a field of the card says."""
        return {field.name: field.value for field in self.card().fields}[name]

    def dms(self, member_id: int) -> list[Message]:
        """What somebody has read in their DM."""
        channel_id = self.discord.dm_channels.get(member_id, 0)
        return [posted.shown for posted in self.discord.of(channel_id)]

    def state(self) -> str:
        found = self.living.ledger.look(lambda c: campaigns.load(c, self.campaign.id))
        return found.state_name

    def entry(self, entry_id: int) -> Entry:
        return self.living.ledger.look(lambda c: entries.load(c, entry_id))
