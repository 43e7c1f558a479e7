"""A member's DMs are closed: the desk sees why, and a private thread takes the DM's place."""

from typing import Any

import pytest

from sandbox import threads
from sandbox.entities import Channel, ChannelKind, Message
from tests.journeys.reading import buttons, words
from tests.journeys.town import MESSAGES, Process, Town

THREADS = "POST /channels/{channel_id}/threads"
INSTEAD = "Open a private thread instead"


async def closed(town: Town, **options: Any) -> tuple[Process, Channel, Message]:
    """A desk with a help channel; Ada's DMs are closed, and Ben's claim has failed on that."""
    help_channel = town.sandbox.world.add_channel(town.guild, "help")
    process = await town.serve()
    await town.set_up_desk(help_channel=help_channel, **options)
    town.ada.close_dms()
    await town.ask(town.ada)
    card = await town.card()
    await town.ben.click(card, "Claim").first_answer()
    await town.until(lambda: INSTEAD in buttons(card))
    return process, help_channel, card


def not_at_the_desk(town: Town) -> Any:
    """Whatever goes to another channel than the desk's."""
    return lambda exchange: f"/{town.desk.id}/" not in exchange.path


def private_threads(town: Town) -> list[Channel]:
    """The guild's private threads that are still there."""
    channels = (town.sandbox.world.channels[thread_id] for thread_id in town.guild.threads)
    return [one for one in channels if one.kind is ChannelKind.PRIVATE_THREAD]


def greetings(town: Town, thread: Channel) -> list[Message]:
    """The first messages that Ada sees in the thread."""
    return [one for one in town.ada.view(thread) if "End conversation" in buttons(one)]


async def check_one_thread(town: Town, help_channel: Channel) -> Channel:
    """The conversation is open in one private thread, Ada in it, with one first message."""
    await town.until(lambda: town.states() == ["active"])
    (thread,) = private_threads(town)
    (reference,) = town.rows("SELECT reference FROM request")
    assert thread.name.endswith(str(reference[0]))
    assert thread.parent_id == help_channel.id
    assert thread.thread is not None
    assert town.ada.id in thread.thread.members
    assert {town.ben.id, town.cleo.id} & set(thread.thread.members)
    assert not thread.thread.invitable
    assert len(greetings(town, thread)) == 1
    assert town.dms(town.ada) == []
    assert town.sandbox.world.unknown == []
    return thread


async def test_closed_dms_are_said_in_plain_words_and_a_thread_takes_their_place(
    town: Town,
) -> None:
    _, help_channel, card = await closed(town)
    assert town.states() == ["queued"]
    assert "The member takes no direct messages from this server." in words(town, card)
    assert buttons(card) == ["Claim", INSTEAD]
    shown = town.ada.command("requests", town.general)
    await shown.first_answer()
    await town.until(lambda: shown.messages)
    assert "your direct messages from this server are closed" in words(town, shown.messages[0])
    # Any coordinator may: Cleo isn't the one who claimed.
    pressed = await town.cleo.click(card, INSTEAD).first_answer()
    assert "is yours" in pressed.content
    await check_one_thread(town, help_channel)
    await town.until(lambda: "In conversation with @cleo" in words(town, card))
    assert len(town.cards()) == 1


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("close_after", {}),
        ("status_after", {"status": 502}),
        ("status_before", {"status": 500}),
    ],
)
async def test_a_private_thread_whose_answer_goes_wrong_is_there_once(
    town: Town, kind: str, options: dict[str, Any]
) -> None:
    _, help_channel, card = await closed(town)
    fault = town.sandbox.faults.add(THREADS, kind, **options)
    await town.cleo.click(card, INSTEAD).first_answer()
    await check_one_thread(town, help_channel)
    assert fault.reached.is_set()


@pytest.mark.parametrize(
    ("route", "where"),
    [(THREADS, "hold_before"), (THREADS, "hold_after"), (MESSAGES, "hold_after")],
)
async def test_a_death_while_the_private_thread_opens_leaves_one(
    town: Town, route: str, where: str
) -> None:
    process, help_channel, card = await closed(town)
    elsewhere = None if route == THREADS else not_at_the_desk(town)
    fault = town.sandbox.faults.add(route, where, when=elsewhere)
    await town.cleo.click(card, INSTEAD).first_answer()
    await fault.reached.wait()
    await process.kill()
    fault.abandon()
    await town.serve()
    await check_one_thread(town, help_channel)


async def test_without_a_help_channel_the_button_says_what_is_missing(town: Town) -> None:
    await town.serve()
    await town.set_up_desk()
    town.ada.close_dms()
    await town.ask(town.ada)
    card = await town.card()
    await town.ben.click(card, "Claim").first_answer()
    await town.until(lambda: INSTEAD in buttons(card))
    pressed = await town.ben.click(card, INSTEAD).first_answer()
    assert "There is no channel for private threads" in pressed.content
    assert "/desk setup" in pressed.content
    assert town.states() == ["queued"]
    # Named afterwards, the same button works.
    help_channel = town.sandbox.world.add_channel(town.guild, "help")
    await town.set_up_desk(help_channel=help_channel)
    await town.until(lambda: town.rows("SELECT 1 FROM desk WHERE help_channel_id IS NOT NULL"))
    await town.ben.click(card, INSTEAD).first_answer()
    await check_one_thread(town, help_channel)


async def test_a_desk_can_answer_in_private_threads_from_the_start(town: Town) -> None:
    help_channel = town.sandbox.world.add_channel(town.guild, "help")
    await town.serve()
    await town.set_up_desk(help_channel=help_channel, route="thread")
    asked = await town.ask(town.ada)
    await town.until(lambda: asked.messages)
    assert "private thread" in words(town, asked.messages[0])
    await town.ben.click(await town.card(), "Claim").first_answer()
    thread = await check_one_thread(town, help_channel)
    shown = town.ada.command("requests", town.general)
    await shown.first_answer()
    await town.until(lambda: shown.messages)
    assert "A coordinator has it. You talk in" in words(town, shown.messages[0])
    # Only the two of them, the bot and moderators see it; she ends it there.
    assert town.sandbox.truth.view(town.sandbox.world.add_user("eve"), thread) == []
    ended = await town.ada.click(greetings(town, thread)[0], "End conversation").first_answer()
    assert "has ended" in ended.content
    assert town.states() == ["resolved"]


async def test_a_private_thread_deleted_before_its_first_message_is_started_again(
    town: Town,
) -> None:
    process, help_channel, card = await closed(town)
    fault = town.sandbox.faults.add(MESSAGES, "hold_before", when=not_at_the_desk(town))
    await town.cleo.click(card, INSTEAD).first_answer()
    await fault.reached.wait()
    await process.kill()
    (thread,) = private_threads(town)
    threads.delete_channel(town.sandbox.world, thread)
    fault.abandon()
    await town.serve()
    again = await check_one_thread(town, help_channel)
    assert again.id != thread.id


async def test_a_private_thread_deleted_as_the_message_leaves_is_not_the_end(town: Town) -> None:
    _, help_channel, card = await closed(town)
    fault = town.sandbox.faults.add(MESSAGES, "hold_before", when=not_at_the_desk(town))
    await town.cleo.click(card, INSTEAD).first_answer()
    await fault.reached.wait()
    (thread,) = private_threads(town)
    threads.delete_channel(town.sandbox.world, thread)
    fault.release()
    await town.until(lambda: "The channel is gone." in words(town, card))
    assert town.states() == ["queued"]
    await town.cleo.click(card, "Claim").first_answer()
    await check_one_thread(town, help_channel)


async def test_a_thread_left_behind_by_a_refusal_is_closed_when_the_request_is_withdrawn(
    town: Town,
) -> None:
    """The answer to the close is lost the first time; then Discord says that it is archived."""
    help_channel = town.sandbox.world.add_channel(town.guild, "help")
    await town.serve()
    await town.set_up_desk(help_channel=help_channel, route="thread")
    await town.ask(town.ada)
    card = await town.card()
    town.sandbox.faults.add(MESSAGES, "error", code=200000, when=not_at_the_desk(town))
    await town.ben.click(card, "Claim").first_answer()
    await town.until(lambda: "AutoMod" in words(town, card))
    (thread,) = private_threads(town)
    assert thread.thread is not None
    assert not thread.thread.archived
    fault = town.sandbox.faults.add("PATCH /channels/{channel_id}", "close_after")
    shown = town.ada.command("requests", town.general)
    await shown.first_answer()
    await town.ada.click(shown.messages[-1], "Withdraw").first_answer()
    await town.until(lambda: town.rows("SELECT 1 FROM private_thread") == [])
    assert fault.reached.is_set()
    assert thread.thread.archived
    assert thread.thread.locked
