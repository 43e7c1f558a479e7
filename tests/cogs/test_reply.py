"""Coordinators answer with /reply in the desk's thread."""

import json
from typing import Any

from tests.cogs.conftest import Scene
from tests.cogs.people import run_command, shown
from tests.cogs.talking import converse, dm_of


async def in_conversation(scene: Scene) -> Any:
    """Ada's request is in conversation with Ben, in a thread that is the desk's channel here."""
    await scene.set_up()
    await scene.ask(scene.ada)
    dm = dm_of(scene, scene.ada)
    return await converse(scene, scene.ben, channel_id=dm, thread_id=scene.desk.id)


async def written(scene: Scene) -> list[Any]:
    rows = await scene.database.read(
        lambda connection: connection.execute("SELECT payload FROM inbox_event").fetchall()
    )
    return [json.loads(row[0]) for row in rows]


async def test_the_owner_replies_and_gets_a_receipt(scene: Scene) -> None:
    request = await in_conversation(scene)
    scene.woken.clear()
    result = await scene.ben.slash(scene.desk, "reply", text="New toner")
    assert result.ephemeral
    assert f"on its way to the member of {request.reference}" in shown(result)
    [event] = await written(scene)
    assert (event["text"], event["author_id"]) == ("New toner", scene.ben.id)
    assert scene.woken.is_set()


async def test_another_coordinator_gets_their_text_back(scene: Scene) -> None:
    await in_conversation(scene)
    result = await scene.cleo.slash(scene.desk, "reply", text="New toner")
    assert "belongs to Ben" in shown(result)
    assert "New toner" in shown(result)
    assert await written(scene) == []


async def test_outside_a_thread_the_text_is_given_back(scene: Scene) -> None:
    await in_conversation(scene)
    result = await scene.ben.slash(scene.general, "reply", text="New toner")
    assert "in the thread of a request" in shown(result)
    assert "New toner" in shown(result)


async def test_a_member_who_finds_the_command_is_told_that_it_is_the_teams(scene: Scene) -> None:
    await in_conversation(scene)
    result = await scene.ada.slash(scene.general, "reply", text="hello?")
    assert "Only coordinators" in shown(result)


async def test_an_outdated_client_gets_a_sentence(scene: Scene) -> None:
    await in_conversation(scene)
    result = await run_command(scene, scene.ben, {"name": "reply"})
    assert "Reload Discord" in shown(result)
