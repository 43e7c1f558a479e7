"""A private thread in which no conversation began is closed once its request is over."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.services.reconciling import Reconciling
from domain.requests import Route
from storage import private_threads
from storage.private_threads import PrivateThread
from tests.simulation.house import RULES
from tests.simulation.simulated_discord import Trouble
from tests.simulation.story import DESK_CHANNEL, GUILD, HELP_CHANNEL, Story
from tests.simulation.test_things_that_cross import MINUTE, house_of, owner, run, states
from tests.simulation.test_withdrawn import claimed, hold_echoes, withdraw

HOUR = 60 * MINUTE


@pytest.fixture
async def story(tmp_path: Path, project_root: Path) -> AsyncIterator[Story]:
    """A desk that opens private threads, one process, and one member whose claim is fresh."""
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    made = await claimed(tmp_path, project_root, Route.THREAD)
    yield made
    if made.house is not None:
        await made.house.kill()


def go_wrong(story: Story, problem: str = "automod", **kinds: str) -> None:
    """What goes wrong with each call that is named, as long as this stands."""
    story.discord.plan = lambda effect, target: Trouble(
        kind="none" if target == DESK_CHANNEL else kinds.get(effect, "none"), problem=problem
    )


async def refused(story: Story) -> int:
    """The thread is there with the member in it; its first message is refused."""
    go_wrong(story, send="refused")
    await run(story, MINUTE)
    assert states(story) == ["queued"]
    (thread_id,) = threads(story)
    return thread_id


def threads(story: Story) -> list[int]:
    return list(story.discord.private_threads_of.get(HELP_CHANNEL, {}))


def is_closed(story: Story, thread_id: int) -> bool:
    return thread_id in story.discord.archived & story.discord.locked


def row(story: Story) -> PrivateThread | None:
    return house_of(story).ledger.look(lambda c: private_threads.find(c, 1))


def edits(story: Story) -> int:
    return sum(effect == "edit_thread" for effect, _ in story.discord.calls)


async def test_the_thread_of_a_request_that_is_withdrawn_is_archived_and_locked_once(
    story: Story,
) -> None:
    thread_id = await refused(story)
    await run(story, HOUR)
    assert not is_closed(story, thread_id)
    await withdraw(story)
    await run(story, MINUTE)
    assert is_closed(story, thread_id)
    assert row(story) is None
    asked = len(story.discord.calls)
    await run(story, HOUR)
    assert story.discord.calls[asked:] == []


async def test_a_close_whose_answer_is_lost_is_repeated_until_discord_says_done(
    story: Story,
) -> None:
    """Discord refuses to archive what is archived: whether it is locked too, nobody knows."""
    thread_id = await refused(story)
    go_wrong(story, edit_thread="lost_after")
    await withdraw(story)
    await run(story, MINUTE)
    assert row(story) is not None
    story.discord.locked.clear()  # a moderator, or nobody ever locked it
    go_wrong(story)
    await run(story, 10 * MINUTE)
    assert is_closed(story, thread_id)
    assert row(story) is None


@pytest.mark.parametrize("kind", ["killed_before", "killed_after"])
async def test_a_death_during_the_close_leaves_it_to_the_next_process(
    story: Story, kind: str
) -> None:
    thread_id = await refused(story)
    go_wrong(story, edit_thread=kind)
    await withdraw(story)
    await run(story, 1000)
    go_wrong(story)
    await run(story, 10 * MINUTE)
    assert story.kills == 1
    assert is_closed(story, thread_id)
    assert row(story) is None


async def test_a_missing_permission_is_waited_for_less_and_less_often(story: Story) -> None:
    thread_id = await refused(story)
    go_wrong(story, "missing_permissions", edit_thread="parked")
    await withdraw(story)
    await run(story, 24 * HOUR)
    assert 5 < edits(story) < 40
    assert row(story) is not None
    go_wrong(story)
    await run(story, HOUR)
    assert is_closed(story, thread_id)


async def test_a_thread_that_somebody_deleted_is_asked_for_once(story: Story) -> None:
    await refused(story)
    go_wrong(story, "unknown_channel", edit_thread="refused")
    await withdraw(story)
    await run(story, HOUR)
    assert edits(story) == 1
    assert row(story) is None


@pytest.mark.parametrize("fate", ["lost_after", "lost_before"])
async def test_a_thread_that_may_be_there_is_looked_for_and_closed(story: Story, fate: str) -> None:
    go_wrong(story, start_private_thread=fate, private_threads="not_done")
    await run(story, MINUTE)
    assert states(story) == ["opening"]
    # The process is away until the opening's lease has run out, and the coordinator is gone.
    await house_of(story).kill()
    story._up_at = story.clock.now() + HOUR
    story.house = None
    story.discord.members.clear()
    await run(story, HOUR + MINUTE)
    assert states(story) == ["queued"]
    await withdraw(story)
    await run(story, 10 * MINUTE)
    assert row(story) is not None
    go_wrong(story)
    await run(story, 10 * MINUTE)
    assert row(story) is None
    assert [is_closed(story, one) for one in threads(story)] == [True] * (fate == "lost_after")


async def test_a_channel_that_is_gone_took_the_thread_in_doubt_with_it(story: Story) -> None:
    go_wrong(story, start_private_thread="lost_after", private_threads="not_done")
    await run(story, MINUTE)
    go_wrong(story, "unknown_channel", private_threads="refused", start_private_thread="refused")
    await run(story, 10 * MINUTE)
    assert states(story) == ["queued"]
    assert row(story) is None


async def test_what_is_found_in_the_thread_is_deleted_before_it_is_closed(
    story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold_echoes(story, [], monkeypatch)
    go_wrong(story, send="lost_after", history="not_done")
    await run(story, 2 * MINUTE)
    assert states(story) == ["needs_reconcile"]
    await withdraw(story)
    go_wrong(story)
    await run(story, HOUR)
    (thread_id,) = threads(story)
    assert story.discord.of(thread_id) == []
    assert [one for one in story.discord.messages if one.channel_id == thread_id]
    assert is_closed(story, thread_id)


async def test_a_message_that_shows_itself_in_a_closed_thread_is_deleted_there(
    story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        held = hold_echoes(story, [], patched)
        go_wrong(story, "forbidden", send="lost_after", history="refused")
        await run(story, 2 * MINUTE)
        await withdraw(story)
        await run(story, HOUR)
    (thread_id,) = threads(story)
    assert is_closed(story, thread_id)
    assert len(story.discord.of(thread_id)) == 1
    story.discord.echoes = [one for one in held if one.channel_id == thread_id]
    await run(story, MINUTE)
    assert story.discord.of(thread_id) == []
    assert is_closed(story, thread_id)


async def test_the_thread_of_a_request_that_the_desk_drops_is_closed_too(
    story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold_echoes(story, [], monkeypatch)
    go_wrong(story, "forbidden", send="lost_after", history="refused")
    await run(story, 10 * MINUTE)
    house = house_of(story)
    reconciling = Reconciling(house.ledger, RULES.requests, house._woken.set)  # type: ignore[arg-type]
    await reconciling.drop(GUILD, 1, owner(story), "asked twice", story.clock.now())
    await run(story, MINUTE)
    assert states(story) == ["dropped"]
    (thread_id,) = threads(story)
    assert is_closed(story, thread_id)


async def test_a_conversation_that_began_keeps_its_thread(story: Story) -> None:
    await run(story, HOUR)
    assert states(story) == ["active"]
    (thread_id,) = threads(story)
    assert thread_id not in story.discord.archived
    assert row(story) is None


async def test_a_thread_that_fell_asleep_while_the_request_waited_is_woken_for_the_member(
    story: Story,
) -> None:
    thread_id = await refused(story)
    story.discord.archived.add(thread_id)
    go_wrong(story)
    await story._claim()
    await run(story, MINUTE)
    assert states(story) == ["active"]
    assert threads(story) == [thread_id]
    assert thread_id not in story.discord.archived
