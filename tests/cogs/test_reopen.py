"""Members press Reopen under the last words of a conversation."""

from typing import Any

import pytest

from bot.services.requests import RequestRules
from tests.cogs.conftest import Scene
from tests.cogs.people import press, shown
from tests.cogs.talking import converse, dm_of


async def ended(scene: Scene) -> Any:
    """Ada's request, which she has ended."""
    await scene.set_up()
    await scene.ask(scene.ada)
    dm = dm_of(scene, scene.ada)
    request = await converse(scene, scene.ben, channel_id=dm, thread_id=70)
    await scene.bot.services.helpdesk.end(request.id, scene.ada.id, scene.clock.now())
    return request


async def test_a_press_asks_anew_and_says_what_happens_next(scene: Scene) -> None:
    old = await ended(scene)
    result = await press(scene, scene.ada, f"reopen:{old.id}", in_dm=True)
    new = await scene.newest()
    assert (new.reopens, new.topic, new.member_id) == (old.id, old.topic, scene.ada.id)
    assert result.ephemeral
    assert old.reference in shown(result)
    assert new.reference in shown(result)
    assert "You are next" in shown(result)
    assert await scene.states() == ["resolved", "queued"]


async def test_pressed_again_or_delivered_twice_it_stays_one_request(scene: Scene) -> None:
    old = await ended(scene)
    await press(scene, scene.ada, f"reopen:{old.id}", in_dm=True, times=2)
    result = await press(scene, scene.ada, f"reopen:{old.id}", in_dm=True)
    assert "already have an open request" in shown(result)
    assert await scene.states() == ["resolved", "queued"]


async def test_after_its_days_it_says_how_to_ask_instead(scene: Scene) -> None:
    old = await ended(scene)
    scene.clock.advance(RequestRules().reopen_ms)
    result = await press(scene, scene.ada, f"reopen:{old.id}", in_dm=True)
    assert "can't be reopened any more" in shown(result)
    assert await scene.states() == ["resolved"]


async def test_who_has_left_the_server_cannot_reopen(scene: Scene) -> None:
    old = await ended(scene)
    scene.guild.remove_member(scene.ada)
    await scene.env.settle()
    result = await press(scene, scene.ada, f"reopen:{old.id}", in_dm=True)
    assert "aren't in that server" in shown(result)
    assert await scene.states() == ["resolved"]


@pytest.mark.parametrize("argument", ["", "x", "99"])
async def test_a_forged_press_changes_nothing(scene: Scene, argument: str) -> None:
    await ended(scene)
    assert shown(await press(scene, scene.ada, f"reopen:{argument}", in_dm=True))
    assert await scene.states() == ["resolved"]


async def test_somebody_elses_press_tells_them_nothing(scene: Scene) -> None:
    old = await ended(scene)
    result = await press(scene, scene.ben, f"reopen:{old.id}", in_dm=True)
    assert "can't be reopened" in shown(result)
    assert old.reference not in shown(result)
    assert await scene.states() == ["resolved"]
