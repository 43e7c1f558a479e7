"""A desk that moves to another channel takes its cards along, and leaves none behind."""

from collections.abc import AsyncIterator
from dataclasses import fields, replace
from pathlib import Path

import pytest

import bot.delivery.jobs.cards as drawing
import bot.words.cards as words
from bot.services.desk import DeskChoice, Desks
from domain.requests import Request, Route
from storage import cards, desks
from tests.simulation.house import House, create
from tests.simulation.simulated_discord import Posted, Trouble
from tests.simulation.story import DESK_CHANNEL, GUILD, Story

NEW_CHANNEL = 501
MINUTE = 60_000


@pytest.fixture
async def story(tmp_path: Path, project_root: Path) -> AsyncIterator[Story]:
    """A desk and one process that serves it."""
    path = tmp_path / "ledger.db"
    create(path, project_root / "storage/migrations")
    made = Story(path, 1, trouble=0.0, route=Route.DM)
    await made._set_up()
    await run(made, 1000)
    yield made
    if made.house is not None:
        await made.house.kill()


async def run(story: Story, milliseconds: int) -> None:
    await story._run_until(story.clock.now() + milliseconds)


def house_of(story: Story) -> House:
    assert story.house is not None
    return story.house


async def move(story: Story, channel_id: int) -> None:
    house = house_of(story)
    desk = house.ledger.look(lambda c: desks.load(c, GUILD))
    known = {one.name: getattr(desk, one.name) for one in fields(DeskChoice)}
    choice = replace(DeskChoice(**known), channel_id=channel_id)
    await Desks(house.ledger, lambda: None).set_up(choice, story.clock.now())  # type: ignore[arg-type]


def shown(story: Story, channel_id: int) -> list[Posted]:
    return story.discord.of(channel_id)


def in_order(story: Story) -> list[int]:
    """The requests whose cards the new channel shows, in the order in which they were posted."""
    ids = {card.message_id: card.request_id for card in open_cards(story)}
    return [ids[one.message_id] for one in shown(story, NEW_CHANNEL)]


def open_cards(story: Story) -> tuple[cards.Card, ...]:
    return house_of(story).ledger.look(lambda c: cards.open_in(c, NEW_CHANNEL))


async def test_the_cards_left_behind_are_deleted_and_no_message_was_one_too_many(
    story: Story,
) -> None:
    for member_id in (1, 2, 3):
        await story._ask(member_id)
    await run(story, MINUTE)
    assert len(shown(story, DESK_CHANNEL)) == 3
    await move(story, NEW_CHANNEL)
    await run(story, MINUTE)
    assert shown(story, DESK_CHANNEL) == []
    assert in_order(story) == [1, 2, 3]
    assert house_of(story).ledger.look(cards.extras_seen) == 0


async def test_a_desk_set_up_again_in_its_channel_keeps_its_cards(story: Story) -> None:
    await story._ask(1)
    await run(story, MINUTE)
    before = shown(story, DESK_CHANNEL)
    await move(story, DESK_CHANNEL)
    await run(story, MINUTE)
    assert shown(story, DESK_CHANNEL) == before


async def test_a_card_on_its_way_while_the_desk_moves_is_not_left_behind(story: Story) -> None:
    story.discord.plan = lambda effect, target: (
        Trouble(delay_ms=5_000, late=True)
        if (effect, target) == ("send", DESK_CHANNEL)
        else Trouble()
    )
    await story._ask(1)
    await run(story, 1_000)
    await move(story, NEW_CHANNEL)
    await run(story, MINUTE)
    assert shown(story, DESK_CHANNEL) == []
    assert in_order(story) == [1]
    assert house_of(story).ledger.look(cards.extras_seen) == 0


async def test_what_waits_for_a_channel_that_the_desk_has_left_is_never_posted_there(
    story: Story,
) -> None:
    story.discord.plan = lambda effect, target: Trouble(
        kind="not_done" if target == DESK_CHANNEL else "none", problem="trouble"
    )
    for member_id in (1, 2):
        await story._ask(member_id)
    await run(story, MINUTE)
    await move(story, NEW_CHANNEL)
    story.discord.calls.clear()
    story.discord.plan = lambda *_: Trouble()
    await run(story, 10 * MINUTE)
    assert ("send", DESK_CHANNEL) not in story.discord.calls
    assert in_order(story) == [1, 2]


async def test_the_oldest_requests_card_is_posted_first_whatever_became_of_it_before(
    story: Story,
) -> None:
    for member_id in range(1, 41):
        await story._ask(member_id)
    await run(story, 5 * MINUTE)
    await story._claim()  # the first two are edited, the others are not
    await run(story, MINUTE)
    await move(story, NEW_CHANNEL)
    await run(story, 5 * MINUTE)
    assert in_order(story) == list(range(1, 41))


async def test_a_hundred_cards_that_can_not_be_drawn_keep_no_other_waiting(
    story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = words.request_card

    def fails_for_the_first(request: Request, **facts: object) -> object:
        if request.id <= 100:
            raise RuntimeError("a fault of ours")
        return draw(request, **facts)  # type: ignore[arg-type]

    monkeypatch.setattr(drawing, "request_card", fails_for_the_first)
    for member_id in range(1, 102):
        await story._ask(member_id)
    await run(story, MINUTE)
    assert len(shown(story, DESK_CHANNEL)) == 1
    monkeypatch.setattr(drawing, "request_card", draw)
    await run(story, 10 * MINUTE)
    assert len(shown(story, DESK_CHANNEL)) == 101
