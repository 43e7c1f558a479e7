"""A request is withdrawn in the middle of its opening: what is left behind comes to an end."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from domain.requests import Route
from storage import deliveries
from storage.deliveries import NEVER_KNOWN, Delivery
from tests.simulation.house import RULES, House, create
from tests.simulation.simulated_discord import Posted, Trouble
from tests.simulation.story import DESK_CHANNEL, Story
from tests.simulation.test_things_that_cross import MEMBER, MINUTE, house_of, run, states

HOUR = 60 * MINUTE
UNREADABLE = "Discord never let Steward see whether the first message arrived."


@pytest.fixture
async def story(tmp_path: Path, project_root: Path) -> AsyncIterator[Story]:
    """A desk that writes DMs, one process that serves it, and one member whose claim is fresh."""
    made = await claimed(tmp_path, project_root, Route.DM)
    yield made
    if made.house is not None:
        await made.house.kill()


async def claimed(tmp_path: Path, project_root: Path, route: Route) -> Story:
    path = tmp_path / "ledger.db"
    create(path, project_root / "storage/migrations")
    made = Story(path, 1, trouble=0.0, route=route)
    await made._set_up()
    await run(made, 1000)
    await made._ask(MEMBER)
    await run(made, 1000)
    await made._claim()
    return made


async def withdraw(story: Story) -> None:
    await house_of(story).helpdesk.withdraw(1, MEMBER, story.clock.now())
    house_of(story)._woken.set()


def delivery(story: Story) -> Delivery:
    look = house_of(story).ledger.look
    (key,) = look(lambda c: c.execute("SELECT delivery_key FROM delivery").fetchone())
    found = look(lambda c: deliveries.find(c, key))
    assert found is not None
    return found


def uncertain(story: Story) -> int:
    return house_of(story).ledger.look(deliveries.uncertain_count)


def card(story: Story) -> str:
    (posted,) = story.discord.of(DESK_CHANNEL)
    return "\n".join(f"{field.name}: {field.value}" for field in posted.shown.fields)


def looks(story: Story) -> int:
    return sum(effect == "history" for effect, _ in story.discord.calls)


def blind(story: Story) -> None:
    """The first message arrives, but no answer says so, and its channel can't be read."""
    kinds = {"send": "lost_after", "history": "refused"}
    story.discord.plan = lambda effect, target: Trouble(
        kind="none" if target == DESK_CHANNEL else kinds.get(effect, "none"), problem="forbidden"
    )


def hold_echoes(story: Story, held: list[Posted], monkeypatch: pytest.MonkeyPatch) -> list[Posted]:
    """Keep what the gateway would show in `held`, which is given back."""

    def hold(_: House) -> None:
        held.extend(story.discord.echoes)
        story.discord.echoes.clear()

    monkeypatch.setattr(story, "_deliver_echoes", hold)
    return held


@pytest.mark.parametrize("after_minutes", [1, 30], ids=["at once", "after many looks"])
async def test_a_doubt_that_nobody_waits_for_is_given_up_visibly(
    story: Story, after_minutes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold_echoes(story, [], monkeypatch)
    blind(story)
    await run(story, after_minutes * MINUTE + 10_000)
    assert states(story) == ["needs_reconcile"]
    before = looks(story)
    await withdraw(story)
    assert uncertain(story) == 1
    await run(story, HOUR)
    assert looks(story) <= max(before + 1, RULES.requests.max_unreadable)
    asked = len(story.discord.calls)
    await run(story, 12 * HOUR)
    assert story.discord.calls[asked:] == []
    given_up = delivery(story)
    assert (given_up.status, given_up.problem) == ("absent", NEVER_KNOWN)
    assert uncertain(story) == 0
    assert states(story) == ["withdrawn"]
    assert f"Problem: {UNREADABLE}" in card(story)


async def test_the_message_of_a_doubt_that_was_given_up_is_deleted_when_it_shows_itself(
    story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[Posted] = []
    with monkeypatch.context() as patched:
        hold_echoes(story, held, patched)
        blind(story)
        await run(story, 2 * MINUTE)
        await withdraw(story)
        await run(story, HOUR)
    dm = story.discord.dm_channels[MEMBER]
    assert len(story.discord.of(dm)) == 1
    story.discord.echoes = [one for one in held if one.channel_id == dm]
    await run(story, MINUTE)
    assert story.discord.of(dm) == []
    assert UNREADABLE not in card(story)
    assert states(story) == ["withdrawn"]


async def test_a_doubt_is_not_given_up_while_somebody_waits_for_its_answer(
    story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold_echoes(story, [], monkeypatch)
    blind(story)
    await run(story, 12 * HOUR)
    assert states(story) == ["needs_reconcile"]
    assert uncertain(story) == 1
    assert UNREADABLE not in card(story)
