"""Members see which conversation their direct messages go to, and choose another."""

from dataclasses import replace
from typing import Any

import pytest

from bot.services.requests import RequestRules
from storage import rooms
from tests.cogs.conftest import Scene
from tests.cogs.people import press, shown
from tests.cogs.talking import converse, dm_of


@pytest.fixture
def rules() -> RequestRules:
    return replace(RequestRules(), max_open_per_member=3)


async def two_conversations(scene: Scene) -> tuple[Any, Any]:
    await scene.set_up()
    found = []
    for number, topic in enumerate(("Printer", "Scanner")):
        await scene.ask(scene.ada, topic)
        dm = dm_of(scene, scene.ada)
        found.append(await converse(scene, scene.ben, channel_id=dm, thread_id=70 + number))
    return found[0], found[1]


async def followed(scene: Scene) -> str | None:
    dm = dm_of(scene, scene.ada)
    room = await scene.database.read(lambda connection: rooms.live(connection, dm))
    return None if room is None else room.conversation_id


async def choose(scene: Scene, who: Any, value: str, **changes: Any) -> Any:
    data = {"custom_id": "room", "component_type": 3, "values": [value]}
    return await press(scene, who, "room", in_dm=True, data=data, **changes)


async def test_the_list_is_shown_anywhere_and_a_choice_is_answered(scene: Scene) -> None:
    first, second = await two_conversations(scene)
    page = await scene.ada.slash(scene.general, "conversation")
    assert page.ephemeral
    result = await scene.ada.select(page.response, [str(second.id)])
    assert f"now goes to Harbour: {second.reference}, Scanner" in shown(result)
    assert await followed(scene) == f"talk-{second.id}"
    page = await scene.ada.slash(scene.general, "conversation")
    assert f"You write to Harbour: {second.reference}" in shown(page)
    await choose(scene, scene.ada, str(first.id))
    assert await followed(scene) == f"talk-{first.id}"
    assert scene.woken.is_set()


async def test_a_choice_is_the_members_own(scene: Scene) -> None:
    first, _ = await two_conversations(scene)
    result = await choose(scene, scene.ben, str(first.id))
    assert "Nothing was changed" in shown(result)
    assert "Printer" not in shown(result)
    assert await followed(scene) is None


@pytest.mark.parametrize("value", ["", "x", "-1", "99999999999999999999", "77"])
async def test_what_was_never_in_the_list_changes_nothing(scene: Scene, value: str) -> None:
    await two_conversations(scene)
    await choose(scene, scene.ada, value)
    assert await followed(scene) is None


async def test_an_outdated_list_is_answered_with_what_is_still_open(scene: Scene) -> None:
    first, second = await two_conversations(scene)
    page = await scene.ada.slash(scene.general, "conversation")
    await scene.bot.services.helpdesk.end(first.id, scene.ada.id, scene.clock.now())
    result = await scene.ada.select(page.response, [str(first.id)])
    assert "That conversation is over" in shown(result)
    assert "You have one open" in shown(result)
    result = await scene.ada.select(result.response, [str(second.id)])
    assert second.reference in shown(result)
    assert "the only one" in shown(await scene.ada.slash(scene.general, "conversation"))


async def test_without_a_conversation_the_command_says_how_to_ask(scene: Scene) -> None:
    await scene.set_up()
    result = await scene.ada.slash(scene.general, "conversation")
    assert "no open conversation" in shown(result)
