"""Every row of the table of transitions, reached through what people do and Discord answers."""

from typing import Any

from domain.requests import EVENT_NAMES, STATE_NAMES, TABLE
from sandbox.people import Person
from tests.journeys.town import MESSAGES, Process, Town

READ = "GET /channels/{channel_id}/messages"
SETTINGS = {
    "DELIVERY__NONCE_WINDOW_SECONDS": "15",
    "DELIVERY__MAX_UNREADABLE": "1",
    "REQUESTS__OPENING_LEASE_SECONDS": "2",
}


class Story:
    """A town with as many members as there are ways for a request to go."""

    def __init__(self, town: Town) -> None:
        self.town = town
        self.process: Process | None = None

    async def begin(self, topic: str) -> tuple[Person, Any]:
        """A new member asks; the card is there."""
        world = self.town.sandbox.world
        member = self.town.sandbox.person(world.add_user(f"member-{topic}"))
        member.join(self.town.guild)
        await self.town.ask(member, topic)
        found: list[Any] = []

        def there() -> bool:
            found[:] = [
                card
                for card in self.town.cards()
                if card.embeds and card.embeds[0]["title"].endswith(f" {topic}")
            ]
            return bool(found)

        await self.town.until(there, self.process)
        return member, found[0]

    async def claim(self, card: Any) -> None:
        await self.town.ben.click(card, "Claim").first_answer()

    async def reaches(self, topic: str, state: str) -> None:
        """The request with that topic comes to that state."""
        query = f"SELECT state FROM request WHERE topic = '{topic}'"
        await self.town.until(lambda: self.town.rows(query) == [(state,)], self.process)

    async def offers(self, card: Any, label: str) -> None:
        """The card comes to show a button with that label."""
        await self.town.until(lambda: label in str(card.components), self.process)

    async def withdraw(self, member: Person) -> None:
        shown = member.command("requests", self.town.general)
        await shown.first_answer()
        await member.click(shown.messages[-1], "Withdraw").first_answer()

    def trouble(self, member: Person, kind: str, route: str = MESSAGES, **options: Any) -> Any:
        dm = member.dm.id
        return self.town.sandbox.faults.add(
            route, kind, when=lambda exchange: f"/{dm}/" in exchange.path, **options
        )

    def walked(self) -> set[tuple[str, str]]:
        """The rows of the table that the history shows, as (state before, event)."""
        rows = self.town.rows(
            "SELECT request_id, event, state FROM request_event ORDER BY request_id, revision"
        )
        found: set[tuple[str, str]] = set()
        before: dict[object, object] = {}
        for request_id, event, state in rows:
            if request_id in before:
                found.add((str(before[request_id]), str(event)))
            before[request_id] = state
        return found


async def ways_to_open(story: Story) -> None:
    """Opened at once, after a wait, by a repeat, not at all, and by history after its lease."""
    town = story.town
    member, card = await story.begin("deferred")
    story.trouble(member, "ratelimit", seconds=0.2)
    await story.claim(card)
    await story.reaches("deferred", "active")
    await member.click(town.dms(member)[-1], "End conversation").first_answer()
    await story.reaches("deferred", "resolved")

    member, card = await story.begin("repeated")
    story.trouble(member, "close_after")
    pressed = town.ben.click(card, "Claim")
    town.sandbox.gateway.hold()  # the echo would settle it before the repeat
    await pressed.first_answer()
    await story.reaches("repeated", "active")
    town.sandbox.gateway.release()

    member, card = await story.begin("closed")
    member.close_dms()
    await story.claim(card)
    await story.reaches("closed", "queued")
    await story.withdraw(member)
    await story.reaches("closed", "withdrawn")

    member, card = await story.begin("late")
    story.trouble(member, "hang_before", seconds=7)
    await story.claim(card)
    await story.reaches("late", "active")


async def ways_through_a_doubt(story: Story) -> None:
    """A person drops what nobody can read, and a member withdraws it."""
    town = story.town
    for topic in ("dropped", "gone"):
        member, card = await story.begin(topic)
        story.trouble(member, "hang_before", seconds=7)
        blind = story.trouble(member, "error", route=READ, times=None, status=403, code=50001)
        await story.claim(card)
        await story.reaches(topic, "needs_reconcile")
        if topic == "gone":
            await story.withdraw(member)
            await story.reaches(topic, "withdrawn")
        else:
            await story.offers(card, "Drop it")
            await town.ben.click(card, "Drop it").first_answer()
            await story.reaches(topic, "dropped")
        town.sandbox.faults.remove(blind)


async def ways_of_a_conversation(story: Story) -> None:
    """Handed over, given back, taken, resolved."""
    town = story.town
    _, card = await story.begin("talk")
    await story.claim(card)
    await story.reaches("talk", "active")
    (reference,) = town.rows("SELECT reference FROM request WHERE topic = 'talk'")[0]
    given = {"request": reference, "to": town.cleo.user}
    await town.ben.command("desk hand-over", town.general, given).first_answer()
    await town.cleo.command("desk release", town.general, request=reference).first_answer()
    await story.offers(card, "Take")
    await town.ben.click(card, "Take").first_answer()
    await story.offers(card, "Resolve")
    form = town.ben.click(card, "Resolve")
    await form.first_answer()
    await town.ben.submit(form, {"resolution": "Solved"}).first_answer()
    await story.reaches("talk", "resolved")


async def ways_of_a_claim(story: Story) -> None:
    """With no slot for another new DM a claim stands: extended, given back, withdrawn."""
    town = story.town
    _, card = await story.begin("first")
    await story.claim(card)
    await story.reaches("first", "active")
    member, card = await story.begin("waiting")
    await story.claim(card)
    await story.offers(card, "Extend")
    await town.ben.click(card, "Extend").first_answer()
    await town.ben.click(card, "Give back").first_answer()
    await story.reaches("waiting", "queued")
    await story.offers(card, "Claim")
    await story.claim(card)
    await story.reaches("waiting", "claimed")
    await story.withdraw(member)
    await story.reaches("waiting", "withdrawn")


async def test_every_row_of_the_table_is_reached_through_discords_surface(town: Town) -> None:
    story = Story(town)
    story.process = await town.serve(SETTINGS)
    await town.set_up_desk()
    await ways_to_open(story)
    await ways_through_a_doubt(story)
    await ways_of_a_conversation(story)
    assert await story.process.stop() == 0

    story.process = await town.serve(
        SETTINGS | {"REQUESTS__CLAIM_LEASE_SECONDS": "1"},
        program="tests.journeys.killable",
        env={"KILL_AT": "after:claim"},
    )
    _, card = await story.begin("lapsed")
    town.ben.click(card, "Claim")
    await story.process.wait()
    story.process = await town.serve(SETTINGS | {"DELIVERY__NEW_DMS_PER_MINUTE": "1"})
    await story.reaches("lapsed", "queued")
    await ways_of_a_claim(story)

    wanted = {(STATE_NAMES[row.source], EVENT_NAMES[row.event]) for row in TABLE}
    assert story.walked() == wanted
