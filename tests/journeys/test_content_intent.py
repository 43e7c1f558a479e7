"""The message-content intent: used where Discord allows it, gone without where it does not."""

from sandbox.intents import Intent
from tests.journeys.reading import words
from tests.journeys.talking import begin
from tests.journeys.town import Town


async def test_where_it_is_allowed_threads_are_read(town: Town) -> None:
    process, talk = await begin(town)
    talk.coordinator.say("hello Ada", talk.thread)
    await talk.both([], ["hello Ada"], process)
    assert not process.logged("message_content_off")


async def test_without_it_a_coordinator_is_told_to_reply_by_command(town: Town) -> None:
    town.sandbox.world.privileged &= ~Intent.MESSAGE_CONTENT
    process, talk = await begin(town)
    assert process.logged("message_content_off")
    talk.coordinator.say("hello Ada", talk.thread)
    talk.member.say("are you there?")
    await talk.both(["are you there?"], [], process)
    await town.until(lambda: any("/reply" in one for one in talk.notices(talk.thread)), process)
    assert town.dms(town.olga) == []


async def test_when_it_is_taken_away_the_talk_goes_on_and_the_organizer_is_told(town: Town) -> None:
    process, talk = await begin(town)
    talk.coordinator.say("one", talk.thread)
    await talk.both([], ["one"], process)
    town.sandbox.world.privileged &= ~Intent.MESSAGE_CONTENT
    town.sandbox.gateway.drop(4014)
    await town.until(lambda: process.said().count('"gateway_ready"') == 2, process)
    assert process.logged("message_content_refused")
    talk.coordinator.say("two", talk.thread)
    talk.member.say("three")
    await talk.both(["three"], ["one"], process)
    await town.until(lambda: any("/reply" in one for one in talk.notices(talk.thread)), process)
    await town.until(lambda: town.dms(town.olga), process)
    assert "message content intent" in words(town, town.dms(town.olga)[0])
    # With the intent given back, a new start reads again and the desk has no problem any more.
    await process.stop()
    town.sandbox.world.privileged |= Intent.MESSAGE_CONTENT
    process = await town.serve()
    talk.coordinator.say("four", talk.thread)
    await talk.both(["three"], ["one", "four"], process)
    await town.until(lambda: town.rows("SELECT problem FROM desk") == [(None,)], process)
