"""A first message whose channel can't be read: a person is asked, and only Discord's word helps."""

import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.services.reconciling import Reconciling
from domain.errors import Refused
from domain.requests import Route
from storage import cards, mending
from storage.deliveries import Delivery
from tests.simulation.house import RULES
from tests.simulation.simulated_discord import Posted, Trouble
from tests.simulation.story import DESK_CHANNEL, GUILD, Story
from tests.simulation.test_things_that_cross import MEMBER, MINUTE, house_of, owner, run, states
from tests.simulation.test_withdrawn import (
    HOUR,
    blind,
    claimed,
    delivery,
    hold_echoes,
    looks,
    uncertain,
    withdraw,
)


@pytest.fixture
async def story(tmp_path: Path, project_root: Path) -> AsyncIterator[Story]:
    """A member whose first message arrives; no answer says so, and nobody can read the DM."""
    made = await claimed(tmp_path, project_root, Route.DM)
    blind(made)
    yield made
    await house_of(made).kill()


@pytest.fixture
def held(story: Story, monkeypatch: pytest.MonkeyPatch) -> list[Posted]:
    """What the gateway would have shown by now."""
    return hold_echoes(story, [], monkeypatch)


def reconciling(story: Story) -> Reconciling:
    house = house_of(story)
    return Reconciling(house.ledger, RULES.requests, house._woken.set)  # type: ignore[arg-type]


async def echo(story: Story, posted: Posted) -> None:
    await house_of(story).receipts.echo(posted.nonce, posted.message_id, posted.channel_id)


async def in_doubt(story: Story) -> Delivery:
    """Steward looks until a person is asked."""
    await run(story, 30 * MINUTE)
    assert states(story) == ["needs_reconcile"]
    (waiting,) = await reconciling(story).waiting(GUILD, owner(story))
    assert waiting.needs_person
    return delivery(story)


async def test_after_five_looks_a_person_is_asked_and_nobody_looks_again(
    story: Story, held: list[Posted], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        await in_doubt(story)
        await run(story, 12 * HOUR)
    assert looks(story) == 5
    assert [one.msg for one in caplog.records].count("first_message_needs_person") == 1
    (card,) = story.discord.of(DESK_CHANNEL)
    assert len([one for one in card.custom_ids if "arrived" in one]) >= 1
    assert uncertain(story) == 1


async def test_while_steward_still_looks_nobody_decides(story: Story, held: list[Posted]) -> None:
    while not looks(story):
        await run(story, 1_000)
    with pytest.raises(Refused, match="still_checking"):
        await reconciling(story).arrived(GUILD, 1, owner(story), story.clock.now())


async def test_a_late_echo_settles_it_without_anybody(story: Story, held: list[Posted]) -> None:
    doubt = await in_doubt(story)
    assert doubt.tries > 1
    (first,) = [one for one in held if one.nonce == doubt.delivery_key]
    await echo(story, first)
    assert states(story) == ["active"]
    assert delivery(story).message_id == first.message_id
    assert uncertain(story) == 0
    with pytest.raises(Refused, match="request_not_available"):
        await reconciling(story).absent(GUILD, 1, owner(story), story.clock.now())


async def test_before_a_person_is_asked_such_an_echo_does_not_settle_it(
    story: Story, held: list[Posted]
) -> None:
    """It may be of a second message, and the history may still show the first."""
    while not looks(story):
        await run(story, 1_000)
    await echo(story, held[-1])
    assert states(story) == ["needs_reconcile"]


@pytest.mark.parametrize("late", [0, 1], ids=["the first's", "the second's"])
async def test_of_two_messages_that_echo_late_one_is_deleted_whichever_comes_first(
    story: Story, held: list[Posted], late: int
) -> None:
    doubt = await in_doubt(story)
    (first,) = [one for one in held if one.nonce == doubt.delivery_key]
    second = replace(first, message_id=90_000)
    story.discord.messages.append(second)
    both = [first, second]
    await echo(story, both[late])
    story.discord.plan = lambda *_: Trouble()
    await echo(story, both[1 - late])
    await run(story, MINUTE)
    assert states(story) == ["active"]
    assert [one.message_id for one in story.discord.of(first.channel_id)] == [both[late].message_id]
    assert house_of(story).ledger.look(cards.extras_seen) == 1


async def test_a_permission_that_somebody_gives_back_is_as_good_as_a_person(
    story: Story, held: list[Posted]
) -> None:
    doubt = await in_doubt(story)
    house = house_of(story)
    await house.ledger.write(lambda c: mending.hurry(c, GUILD, story.clock.now()))
    with pytest.raises(Refused, match="still_checking"):
        await reconciling(story).arrived(GUILD, 1, owner(story), story.clock.now())
    await run(story, MINUTE)
    assert looks(story) == 6
    assert delivery(story).person_at is not None
    story.discord.plan = lambda *_: Trouble()
    await house.ledger.write(lambda c: mending.hurry(c, GUILD, story.clock.now()))
    await run(story, MINUTE)
    assert states(story) == ["active"]
    assert delivery(story).delivery_key == doubt.delivery_key
    assert len(story.discord.of(story.discord.dm_channels[MEMBER])) == 1


async def test_withdrawn_it_is_looked_for_once_more_and_deleted_where_it_shows(
    story: Story, held: list[Posted]
) -> None:
    await in_doubt(story)
    story.discord.plan = lambda *_: Trouble()
    await withdraw(story)
    await run(story, MINUTE)
    assert story.discord.of(story.discord.dm_channels[MEMBER]) == []
    assert (states(story), uncertain(story)) == (["withdrawn"], 0)
