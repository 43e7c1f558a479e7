"""A server with a showcase and the people in it, for the tests of its cogs."""

import zlib
from dataclasses import dataclass
from typing import Any

from bot.services.access import Actor
from bot.services.campaigns import NewCampaign
from bot.services.nominations import Nomination
from domain.campaigns import Campaign
from domain.entries import Entry
from storage import entries
from tests.cogs.conftest import Scene
from tests.cogs.people import press, submit

DAY = 24 * 3_600_000


@dataclass
class Fairground:
    """One open campaign; `rex` and `rita` review, and the scene's owner organizes."""

    scene: Scene
    campaign: Campaign
    reviewers: Any
    rex: Any
    rita: Any

    @classmethod
    async def begin(cls, scene: Scene) -> "Fairground":
        role = scene.guild.create_role("Reviewers")
        await scene.set_up(reviewers=role)
        rex, rita = (
            scene.guild.add_member(scene.env.create_user(name), roles=[role])
            for name in ("rex", "rita")
        )
        made = cls(scene, await opened(scene, "Kites"), role, rex, rita)
        await scene.env.settle()
        return made

    async def nominate(self, who: Any, title: str = "Red kite", **changes: Any) -> Entry:
        """Enter something as that person."""
        given: dict[str, Any] = {
            "source": f"i:{who.id}",
            "guild_id": self.scene.guild.id,
            "campaign_id": self.campaign.id,
            "author_id": who.id,
            "author_name": who.name,
            "title": title,
            "url": "https://example.org/kite",
            "why": "It flies.",
            "locale": "en-GB",
        }
        services = self.scene.bot.services
        nomination = Nomination(**given | changes)
        return (await services.nominations.submit(nomination, self.scene.clock.now())).entry

    async def take(self, who: Any) -> Any:
        """`Review next` on the campaign's card."""
        return await press(self.scene, who, f"review:{self.campaign.id}")

    async def send(self, who: Any, button: str, **typed: str) -> Any:
        """Send a decision's form in."""
        return await submit(self.scene, who, button, typed)

    async def entry(self, entry_id: int = 1) -> Entry:
        return await self.scene.database.read(lambda c: entries.load(c, entry_id))

    async def state(self, entry_id: int = 1) -> str:
        return (await self.entry(entry_id)).state_name


async def opened(scene: Scene, name: str) -> Campaign:
    """A campaign for 50 until tomorrow."""
    organizer = Actor(
        member_id=scene.owner.id, name="olga", role_ids=frozenset(), manages_guild=True
    )
    new = NewCampaign(
        interaction_id=zlib.crc32(name.encode()),
        guild_id=scene.guild.id,
        channel_id=scene.general.id,
        name=name,
        text="Show us what you made.",
        capacity=50,
        closes_at=scene.clock.now() + DAY,
    )
    return await scene.bot.services.campaigns.create(new, organizer, scene.clock.now())


def button(card: Any, label: str) -> str:
    """The custom id of the button with that label."""
    message = card.response
    assert message is not None, "nothing was answered"
    rows = [one for row in message.components for one in row["components"]]
    return str({one["label"]: one["custom_id"] for one in rows}[label])
