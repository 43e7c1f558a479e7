"""The desk's thread is deleted, archived or locked in the middle of a talk: it goes on."""

from sandbox import threads
from sandbox.entities import Channel
from sandbox.permissions import Permission
from tests.journeys.talking import Talk, begin, thread_of
from tests.journeys.town import Process, Town


async def replaced(talk: Talk, process: Process) -> Talk:
    """The talk, in the thread that has taken the place of one that is gone."""
    old = talk.thread

    def fresh() -> Channel | None:
        thread = thread_of(talk.town, talk.member)
        return thread if thread is not None and thread.id != old.id else None

    await talk.town.until(fresh, process)
    thread = fresh()
    assert thread is not None
    return Talk(town=talk.town, member=talk.member, coordinator=talk.coordinator, thread=thread)


def delete(town: Town, talk: Talk) -> None:
    threads.delete_channel(town.sandbox.world, talk.thread)


async def test_a_thread_deleted_in_the_middle_is_replaced_and_nothing_is_lost(town: Town) -> None:
    process, talk = await begin(town)
    talk.member.say("one")
    talk.coordinator.say("two", talk.thread)
    await talk.both(["one"], ["two"], process)
    delete(town, talk)
    talk.member.say("three")
    fresh = await replaced(talk, process)
    talk.member.say("four")
    fresh.coordinator.say("five", fresh.thread)
    await fresh.both(["three", "four"], ["two", "five"], process)
    assert len(town.cards()) == 1
    assert town.states() == ["active"]


async def test_a_thread_deleted_while_nobody_listens_is_replaced_after_the_start(
    town: Town,
) -> None:
    process, talk = await begin(town)
    talk.member.say("one")
    await talk.both(["one"], [], process)
    await process.stop()
    talk.member.say("two")
    delete(town, talk)
    talk.member.say("three")
    process = await town.serve()
    fresh = await replaced(talk, process)
    fresh.coordinator.say("four", fresh.thread)
    await fresh.both(["two", "three"], ["four"], process)
    assert len(town.cards()) == 1


async def test_an_archived_thread_is_opened_again_by_what_is_carried(town: Town) -> None:
    process, talk = await begin(town)
    written = talk.member.say("one")
    await talk.both(["one"], [], process)
    town.olga.set_thread(talk.thread, archived=True)
    talk.member.edit(written, "one, better")
    await town.until(lambda: talk.carried(talk.thread) == ["one, better"], process)
    await town.until(talk.settled, process)
    town.olga.set_thread(talk.thread, archived=True)
    talk.member.say("two")
    await talk.both(["one, better", "two"], [], process)
    talk.coordinator.say("three", talk.thread)
    await talk.both(["one, better", "two"], ["three"], process)


async def test_a_locked_thread_is_written_to_all_the_same(town: Town) -> None:
    process, talk = await begin(town)
    written = talk.member.say("one")
    await talk.both(["one"], [], process)
    town.olga.set_thread(talk.thread, locked=True)
    talk.member.say("two")
    talk.member.edit(written, "one, better")
    await talk.both(["one, better", "two"], [], process)
    town.olga.set_thread(talk.thread, archived=True)
    talk.member.say("three")
    await talk.both(["one, better", "two", "three"], [], process)
    state = talk.thread.thread
    assert state is not None
    assert state.locked
    assert not state.archived


async def test_what_waits_for_a_locked_thread_goes_on_as_soon_as_it_is_unlocked(town: Town) -> None:
    process, talk = await begin(town)
    world = town.sandbox.world
    bot = world.bot_role(town.guild)
    world.set_overwrite(
        town.desk, bot, allow=Permission.VIEW_CHANNEL, deny=Permission.MANAGE_THREADS
    )
    town.olga.set_thread(talk.thread, locked=True)
    talk.member.say("one")
    talk.member.say("two")
    await town.until(lambda: len(town.dms(town.olga)) == 1, process)
    assert talk.carried(talk.thread) == []
    town.olga.set_thread(talk.thread, locked=False)
    await talk.both(["one", "two"], [], process)
    assert len(town.dms(town.olga)) == 1
