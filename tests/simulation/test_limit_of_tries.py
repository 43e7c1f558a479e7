"""Where no try arrives, Steward stops trying by itself, and a person's claim adds one try."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from domain.requests import Queued, Route
from storage import requests
from tests.simulation.house import RULES, create
from tests.simulation.simulated_discord import Trouble
from tests.simulation.story import DESK_CHANNEL, Story
from tests.simulation.test_things_that_cross import MEMBER, MINUTE, house_of, run, states

HOUR = 60 * MINUTE
MOST = RULES.requests.max_attempts
LIMIT = f"After {MOST} tries Steward has stopped trying by itself"


@pytest.fixture
async def story(tmp_path: Path, project_root: Path) -> AsyncIterator[Story]:
    """A member is claimed once; every first message is lost on its way, and nobody says so."""
    path = tmp_path / "ledger.db"
    create(path, project_root / "storage/migrations")
    made = Story(path, 1, trouble=0.0, members=1, route=Route.DM)
    made.discord.plan = lambda effect, target: Trouble(
        kind="lost_before" if effect == "send" and target != DESK_CHANNEL else "none"
    )
    await made._set_up()
    await run(made, 1000)
    await made._ask(MEMBER)
    await run(made, 1000)
    await made._claim()
    yield made
    if made.house is not None:
        await made.house.kill()


def attempts(story: Story) -> int:
    state = house_of(story).ledger.look(lambda c: requests.load(c, 1)).state
    assert isinstance(state, Queued)
    return state.attempts


def claims(story: Story) -> int:
    history = house_of(story).ledger.look(lambda c: requests.history(c, 1))
    return sum(row.event == "claim" for row in history)


def card(story: Story) -> str:
    (posted,) = story.discord.of(DESK_CHANNEL)
    return "\n".join(field.value for field in posted.shown.fields)


async def test_at_the_limit_nothing_is_claimed_by_itself_and_the_card_says_so(
    story: Story,
) -> None:
    await run(story, HOUR)
    assert states(story) == ["queued"]
    assert attempts(story) == MOST
    assert claims(story) == MOST
    assert LIMIT in card(story)
    asked = len(story.discord.calls)
    await run(story, 12 * HOUR)
    assert story.discord.calls[asked:] == []


async def test_a_persons_claim_adds_one_try_at_a_time(story: Story) -> None:
    await run(story, HOUR)
    await story._claim()
    await run(story, HOUR)
    assert attempts(story) == MOST + 1
    story.discord.plan = lambda *_: Trouble()
    await story._claim()
    await run(story, MINUTE)
    assert states(story) == ["active"]
    assert len(story.discord.of(story.discord.dm_channels[MEMBER])) == 1


async def test_who_is_no_longer_staff_claims_nothing_by_themselves(story: Story) -> None:
    story.discord.members.clear()
    await run(story, HOUR)
    assert states(story) == ["queued"]
    assert (attempts(story), claims(story)) == (1, 1)
