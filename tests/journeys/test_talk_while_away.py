"""What is written while nobody listens is carried afterwards, as it stands, in order, once."""

from collections.abc import Callable

from sandbox.entities import Channel, Message
from sandbox.people import Person
from sandbox.truth import Exchange
from tests.journeys.talking import Talk, begin
from tests.journeys.town import Town

HISTORY = "GET /channels/{channel_id}/messages"
NUMBER = 50


def write_fifty(who: Person, channel: Channel) -> tuple[list[Message], list[str]]:
    """Fifty messages, of which some are deleted or edited at once; and how they stand then."""
    written = [who.say(f"{who.user.name} {number}", channel) for number in range(NUMBER)]
    for number in (0, 7, 8, 49):
        who.delete(written[number])
    for number in (3, 9, 48):
        who.edit(written[number], f"{who.user.name} {number}, better")
    return written, [one.content for one in written if not one.deleted]


def is_of(channel: Channel) -> Callable[[Exchange], bool]:
    """Whether a request is for that channel."""
    return lambda exchange: f"/{channel.id}/" in exchange.path


async def before(talk: Talk) -> tuple[Message, Message]:
    """Two of the member's messages that are carried already."""
    kept, gone = (talk.member.say(text) for text in ("early", "early, too"))
    await talk.both(["early", "early, too"], [])
    return kept, gone


async def test_what_was_written_while_it_was_off_is_carried_as_it_stands(town: Town) -> None:
    process, talk = await begin(town)
    kept, gone = await before(talk)
    assert await process.stop() == 0
    talk.member.edit(kept, "early, better")
    talk.member.delete(gone)
    _, from_member = write_fifty(talk.member, talk.dm)
    _, from_desk = write_fifty(talk.coordinator, talk.thread)
    reading = [
        town.sandbox.faults.add(HISTORY, "hold_before", when=is_of(channel))
        for channel in (talk.dm, talk.thread)
    ]
    process = await town.serve()
    # Live, while what came before has not been read yet: they must not make it skip any of that.
    await town.until(lambda: all(one.hits for one in reading), process)
    talk.member.say("live")
    talk.coordinator.say("live, too", talk.thread)
    await town.until(
        lambda: len(town.rows("SELECT 1 FROM inbox_event WHERE state = 'queued'")) == 2, process
    )
    for one in reading:
        one.release()
    marked = "-# **ada**\nearly, too"
    expected = ["early, better", marked, *from_member, "live"]
    await talk.both(expected, [*from_desk, "live, too"], process)
    assert "deleted" in talk.raw(talk.thread)[1]


async def test_what_was_written_while_the_gateway_was_gone_is_carried_once(town: Town) -> None:
    process, talk = await begin(town)
    await before(talk)
    town.sandbox.gateway.away(refusing=True)
    _, from_member = write_fifty(talk.member, talk.dm)
    _, from_desk = write_fifty(talk.coordinator, talk.thread)
    town.sandbox.gateway.back(resumable=False)
    expected = ["early", "early, too", *from_member]
    await talk.both(expected, from_desk, process)
    talk.member.say("after")
    await talk.both([*expected, "after"], from_desk, process)


async def test_what_a_resumed_session_tells_again_is_carried_once(town: Town) -> None:
    process, talk = await begin(town)
    await before(talk)
    town.sandbox.gateway.away(refusing=True)
    written, from_member = write_fifty(talk.member, talk.dm)
    _, from_desk = write_fifty(talk.coordinator, talk.thread)
    town.sandbox.gateway.back()
    await town.until(lambda: process.logged("gateway_resumed"), process)
    talk.member.say("after")
    expected = ["early", "early, too", *from_member, "after"]
    await town.until(lambda: talk.unmarked(talk.thread) == expected, process)
    await town.until(lambda: talk.carried(talk.dm) == from_desk and talk.settled(), process)
    # A copy that had arrived before its deletion was told stays, marked, in its place.
    assert len(talk.raw(talk.thread)) <= len(written) + 3
