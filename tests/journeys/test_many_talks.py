"""Many conversations at once: all is carried, and one that can't be reached holds up no other."""

import asyncio
from pathlib import Path

from sandbox.people import Person
from tests.journeys.talking import Talk, thread_of
from tests.journeys.town import MESSAGES, Process, Town

TALKS = 60
ROUNDS = 5
MOST_MIB = 12
SETTINGS = {"DELIVERY__NEW_DMS_PER_MINUTE": "6000"}


async def open_talks(town: Town, number: int, process: Process) -> list[Talk]:
    """So many conversations, with everything said at their beginnings."""
    world = town.sandbox.world
    people = [town.sandbox.person(world.add_user(f"member{n}")) for n in range(number)]
    for person in people:
        person.join(town.guild)
    turns = asyncio.Semaphore(16)

    async def ask(person: Person) -> None:
        async with turns:
            asked = person.command("help", town.general, topic=f"Topic of {person.user.name}")
            await asked.first_answer()
            await town.until(lambda: asked.messages, process)

    await asyncio.gather(*(ask(person) for person in people))
    await town.until(lambda: len(town.cards()) == number, process)

    async def claim(card_number: int) -> None:
        async with turns:
            await town.ben.click(town.cards()[card_number], "Claim").first_answer()

    await asyncio.gather(*(claim(card_number) for card_number in range(number)))
    made = "SELECT 1 FROM inbound WHERE side = 'desk' AND behind = 0"
    await town.until(lambda: len(town.rows(made)) == number, process)
    talks = []
    for person in people:
        thread = thread_of(town, person)
        assert thread is not None
        talks.append(Talk(town=town, member=person, coordinator=town.ben, thread=thread))
    await town.until(talks[0].settled, process)
    return talks


def say(talk: Talk, turn: int) -> None:
    """Member and coordinator in turns, the member first."""
    if turn % 2:
        talk.coordinator.say(f"turn {turn}", talk.thread)
    else:
        talk.member.say(f"turn {turn}")


def has_all(talk: Talk) -> bool:
    """Whether each side has what the other wrote, once, in order."""
    turns = [f"turn {turn}" for turn in range(ROUNDS)]
    return talk.carried(talk.thread) == turns[::2] and talk.carried(talk.dm) == turns[1::2]


def resident_mib(process: Process) -> float:
    """What the process has in memory."""
    pages = int(Path(f"/proc/{process.pid}/statm").read_text().split()[1])
    return pages * 4096 / 2**20


async def test_many_talks_at_once_while_one_member_can_not_be_reached(town: Town) -> None:
    process = await town.serve(SETTINGS)
    await town.set_up_desk()
    unreached, *others = await open_talks(town, TALKS, process)
    fault = town.sandbox.faults.add(
        MESSAGES,
        "status_before",
        times=None,
        status=503,
        when=lambda exchange: f"/{unreached.dm.id}/" in exchange.path,
    )
    before = resident_mib(process)
    for turn in range(ROUNDS):
        for talk in (unreached, *others):
            say(talk, turn)
    await town.until(lambda: all(has_all(talk) for talk in others), process)
    assert unreached.carried(unreached.dm) == []
    assert fault.hits
    assert resident_mib(process) - before <= MOST_MIB
    town.sandbox.faults.remove(fault)
    await town.until(lambda: has_all(unreached) and unreached.settled(), process)
    assert all(has_all(talk) for talk in others)
    assert town.dms(town.olga) == []
