"""The story's own check: it finds a message that is one too many, and takes nothing else for it."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from domain.requests import Route
from storage import desks
from tests.simulation.house import create
from tests.simulation.story import DESK_CHANNEL, GUILD, Story
from tests.simulation.test_things_that_cross import MINUTE, house_of, run

MEMBER = 1


@pytest.fixture
async def story(tmp_path: Path, project_root: Path) -> AsyncIterator[Story]:
    """A conversation with a member who has set the desk up too, and is told of its problem."""
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    path = tmp_path / "ledger.db"
    create(path, project_root / "storage/migrations")
    made = Story(path, 1, trouble=0.0, members=1, route=Route.DM)
    await made._set_up()
    await run(made, 1000)
    await made._ask(MEMBER)
    await run(made, 1000)
    await made._claim_all()
    await run(made, MINUTE)
    ledger = house_of(made).ledger
    assert ledger.look(lambda c: desks.load(c, GUILD)).set_up_by == MEMBER
    await ledger.write(lambda c: desks.note_problem(c, GUILD, "missing_permissions"))
    await run(made, MINUTE)
    yield made
    await house_of(made).kill()


async def test_what_an_organizer_is_told_in_their_dm_is_no_second_first_message(
    story: Story,
) -> None:
    assert len(story.discord.of(story.discord.dm_channels[MEMBER])) == 2
    assert story.findings() == []


@pytest.mark.parametrize("key", ["the same", "another"])
async def test_a_second_first_message_is_found_whatever_its_key(story: Story, key: str) -> None:
    first = story.discord.of(story.discord.dm_channels[MEMBER])[0]
    second = replace(first, message_id=9_000, nonce=first.nonce if key == "the same" else key)
    story.discord.messages.append(second)
    assert "member 1 has 2 first messages" in story.findings()


async def test_a_second_message_of_any_part_is_found(story: Story) -> None:
    told = story.discord.of(story.discord.dm_channels[MEMBER])[1]
    story.discord.messages.append(replace(told, message_id=9_000))
    assert story.findings() == [f"2 messages of the key {told.nonce}"]


async def test_a_message_that_no_receipt_is_for_is_found(story: Story) -> None:
    told = story.discord.of(story.discord.dm_channels[MEMBER])[1]
    stray = replace(told, message_id=9_000, channel_id=DESK_CHANNEL, nonce="retired")
    story.discord.messages.append(stray)
    assert story.findings() == [f"message 9000 in {DESK_CHANNEL} is of no receipt"]
