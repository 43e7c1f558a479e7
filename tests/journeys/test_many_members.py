"""A thousand ask within a minute: each is answered in time, none is lost, all cards are there."""

import asyncio
import re
from functools import partial

from sandbox.acts import FirstAnswer, Seen
from sandbox.people import Person
from tests.journeys.reading import words
from tests.journeys.town import Town

MEMBERS = 1000
AT_ONCE = 50
ACKNOWLEDGED_MS = 3000
REFERENCE = re.compile(r"Request ([0-9A-Z]{5})")


async def ask(town: Town, person: Person, turns: asyncio.Semaphore) -> tuple[FirstAnswer, str]:
    """Ask for help, and wait for the receipt: what came first, and the reference it names."""
    async with turns:
        asked = person.command("help", town.general, topic=f"Topic of {person.user.name}")
        first = await asked.first_answer()
        await town.until(lambda: any(one.embeds for one in asked.messages))
    (receipt,) = asked.messages
    found = REFERENCE.search(words(town, receipt))
    assert found is not None
    return first, found[1]


def more_than(town: Town, number: int) -> bool:
    """Whether more cards than that are at the desk."""
    return len(town.cards()) > number


async def all_cards(town: Town) -> list[str]:
    """What every card says, once all are there; as long as more of them come, it waits."""
    for wanted in range(100, MEMBERS + 1, 100):
        await town.until(partial(more_than, town, wanted - 1))
    return [words(town, card) for card in town.cards()]


async def test_a_thousand_members_within_a_minute_all_get_their_place(town: Town) -> None:
    world = town.sandbox.world
    process = await town.serve()
    await town.set_up_desk()
    people = [town.sandbox.person(world.add_user(f"member{n}")) for n in range(MEMBERS)]
    for person in people:
        person.join(town.guild)
    turns = asyncio.Semaphore(AT_ONCE)
    async with asyncio.timeout(60):
        answers = await asyncio.gather(*(ask(town, person, turns) for person in people))
    # Who is not answered within three seconds sees that there is no answer.
    assert all(first.seen in (Seen.MESSAGE, Seen.THINKING) for first, _ in answers)
    references = {reference for _, reference in answers}
    assert len(references) == MEMBERS
    ledger = town.rows("SELECT reference, member_id FROM request WHERE state = 'queued'")
    assert {reference for reference, _ in ledger} == references
    assert {member for _, member in ledger} == {person.id for person in people}
    queue = town.ben.command("desk queue", town.general)
    await queue.first_answer()
    await town.until(lambda: queue.messages and queue.messages[0].embeds)
    assert f"Waiting: {MEMBERS}" in words(town, queue.messages[0])

    cards = await all_cards(town)
    assert len(cards) == MEMBERS
    titles = sorted(card.splitlines()[0] for card in cards)
    of = {member: reference for reference, member in ledger}
    assert titles == sorted(f"{of[one.id]} · Topic of {one.user.name}" for one in people)
    assert all("Waiting for a coordinator" in card for card in cards)
    assert await process.stop() == 0
    assert world.unknown == []
