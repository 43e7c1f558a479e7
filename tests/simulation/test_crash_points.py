"""Points on a request's way at which a process died, or Discord was slow: nobody has to help."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.delivery.messenger import Roles, Unreadable
from domain.delivery import NotDone
from domain.requests import Route
from storage import cards, requests
from tests.simulation.house import create
from tests.simulation.simulated_discord import Trouble
from tests.simulation.story import DESK_CHANNEL, Story

MEMBER = 1
HOUR = 3_600_000


@pytest.fixture
async def story(tmp_path: Path, project_root: Path) -> AsyncIterator[Story]:
    """A desk, one process that serves it, and one member; nothing goes wrong by itself."""
    path = tmp_path / "ledger.db"
    create(path, project_root / "storage/migrations")
    made = Story(path, 1, trouble=0.0, route=Route.DM)
    await made._set_up()
    yield made
    if made.house is not None:
        await made.house.kill()


def states(story: Story) -> list[str]:
    assert story.house is not None
    rows = story.house.ledger.look(
        lambda connection: connection.execute("SELECT state FROM request ORDER BY id").fetchall()
    )
    return [state for (state,) in rows]


def history(story: Story) -> list[str]:
    assert story.house is not None
    return [row.event for row in story.house.ledger.look(lambda c: requests.history(c, 1))]


def first_messages(story: Story) -> int:
    return len(story.discord.of(story.discord.dm_channels.get(MEMBER, 0)))


async def run(story: Story, milliseconds: int) -> None:
    await story._run_until(story.clock.now() + milliseconds)


async def ask_and_claim(story: Story) -> None:
    await run(story, 1000)
    await story._ask(MEMBER)
    await run(story, 1000)
    await story._claim()


async def die_at(story: Story, state: str) -> None:
    """Run on until the commit after which the request is in that state; the process dies there."""
    house = story.house
    assert house is not None

    def fate(_: int) -> str | None:
        return "after" if state in states(story) else None

    house.ledger.at_commit = fate
    for _ in range(200):
        await house.step()
        await asyncio.sleep(0)
        if house.dead:
            break
    assert house.dead


async def stay_away(story: Story, milliseconds: int) -> None:
    """The dead process is replaced after that time."""
    assert story.house is not None
    await story.house.kill()
    story.house = None
    story._up_at = story.clock.now() + milliseconds


@pytest.mark.parametrize("away", [100, 90_000, HOUR])
async def test_a_try_that_never_began_is_made_again_however_long_nobody_was_there(
    story: Story, away: int
) -> None:
    await ask_and_claim(story)
    await die_at(story, "opening")
    await stay_away(story, away)
    await run(story, away + 5 * 60_000)
    assert states(story) == ["active"]
    assert first_messages(story) == 1
    assert history(story).count("start_open") == (1 if away == 100 else 2)


@pytest.mark.parametrize("kind", ["killed_before", "killed_after"])
@pytest.mark.parametrize("away", [100, 90_000, HOUR])
async def test_a_try_in_doubt_is_settled_however_long_nobody_was_there(
    story: Story, away: int, kind: str
) -> None:
    await ask_and_claim(story)
    dead: list[int] = []

    def plan(effect: str, target: int) -> Trouble:
        if effect == "send" and target != DESK_CHANNEL and not dead:
            dead.append(target)
            return Trouble(kind=kind)
        return Trouble()

    story.discord.plan = plan
    while story.house is not None and not story.house.dead:
        await story.house.step()
        for _ in range(20):
            await asyncio.sleep(0)
    await stay_away(story, away)
    await run(story, away + 5 * 60_000)
    assert states(story) == ["active"]
    assert first_messages(story) == 1


async def test_an_owner_whom_discord_can_not_name_just_now_is_not_taken_for_gone(
    story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    await ask_and_claim(story)
    await die_at(story, "opening")
    await stay_away(story, HOUR)
    known_at = story.clock.now() + HOUR + 20_000
    asked = story.discord.roles

    async def roles(guild_id: int, member_id: int) -> Roles | Unreadable:
        if story.clock.now() < known_at:
            return Unreadable(outcome=NotDone(problem="guild_unavailable"))
        return await asked(guild_id, member_id)

    monkeypatch.setattr(story.discord, "roles", roles)
    await run(story, HOUR + 5 * 60_000)
    assert states(story) == ["active"]


async def test_an_owner_who_is_no_longer_staff_does_not_claim_by_himself(story: Story) -> None:
    await ask_and_claim(story)
    await die_at(story, "opening")
    await stay_away(story, HOUR)
    story.discord.members.clear()
    await run(story, HOUR + 5 * 60_000)
    assert states(story) == ["queued"]
    assert first_messages(story) == 0


async def test_a_refusal_that_comes_after_the_opening_lease_frees_the_request(
    story: Story,
) -> None:
    await ask_and_claim(story)
    story.discord.dm_channels[MEMBER] = 77
    story.discord.closed_dms.add(77)
    story.discord.plan = lambda effect, target: Trouble(
        delay_ms=70_000 if (effect, target) == ("send", 77) else 0
    )
    await run(story, 5 * 60_000)
    assert "lease_elapsed" in history(story)
    assert states(story) == ["queued"]


async def test_a_dm_that_can_not_be_opened_in_time_frees_the_request_too(story: Story) -> None:
    await ask_and_claim(story)
    calls: list[str] = []

    def plan(effect: str, _: int) -> Trouble:
        if effect == "open_dm":
            calls.append(effect)
            return Trouble(kind="refused", problem="dms_closed")
        return Trouble()

    story.discord.plan = plan
    asked = story.discord.open_dm

    async def open_dm(member_id: int) -> object:
        await story.time.sleep(70_000)
        return await asked(member_id)

    story.discord.open_dm = open_dm  # type: ignore[assignment,method-assign]
    await run(story, 5 * 60_000)
    assert calls == ["open_dm"]
    assert states(story) == ["queued"]


async def test_a_card_that_shows_up_after_it_was_proved_absent_is_one_too_many(
    story: Story,
) -> None:
    lost: list[int] = []

    def plan(effect: str, target: int) -> Trouble:
        if effect == "send" and target == DESK_CHANNEL and not lost:
            lost.append(target)
            return Trouble(kind="killed_after", late=True, delay_ms=5 * 60_000)
        return Trouble()

    story.discord.plan = plan
    await run(story, 1000)
    await story._ask(MEMBER)
    await run(story, 4 * 60_000)
    assert len(story.discord.of(DESK_CHANNEL)) == 1
    await run(story, 4 * 60_000)
    posted = [one for one in story.discord.messages if one.channel_id == DESK_CHANNEL]
    assert len(posted) == 2
    assert len(story.discord.of(DESK_CHANNEL)) == 1
    assert story.house is not None
    assert story.house.ledger.look(cards.extras_seen) == 1
