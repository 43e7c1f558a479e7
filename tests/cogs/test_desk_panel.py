"""The standing button, and requests that coordinators open for a member."""

from typing import Any

import discord
import pytest

from bot.words.values import message_from_json
from domain.requests import Claimed
from tests.cogs.conftest import Scene
from tests.cogs.people import shown


async def panels(scene: Scene) -> list[tuple[int, str]]:
    """Where a panel is to be posted, and what it says."""

    def find(connection: Any) -> list[tuple[int, str]]:
        rows = connection.execute(
            "SELECT destination, payload FROM outbox_part WHERE kind = 'panel' ORDER BY id"
        ).fetchall()
        return [(row[0], row[1]) for row in rows]

    return await scene.database.read(find)


async def test_an_organizer_posts_the_panel_here_or_in_another_channel(scene: Scene) -> None:
    await scene.set_up()
    here = await scene.owner.slash(scene.general, "desk panel")
    assert f"<#{scene.general.id}>" in shown(here)
    await scene.owner.slash(scene.general, "desk panel", channel=scene.desk)
    posted = await panels(scene)
    assert [destination for destination, _ in posted] == [scene.general.id, scene.desk.id]
    (button,) = message_from_json(posted[0][1]).buttons
    assert button.label == "Ask for help"
    assert scene.woken.is_set()


async def test_a_coordinator_who_does_not_organize_posts_no_panel(scene: Scene) -> None:
    await scene.set_up()
    result = await scene.ben.slash(scene.general, "desk panel")
    assert "Only organizers" in shown(result)
    assert await panels(scene) == []


def silence(scene: Scene) -> Any:
    """A channel in which nobody writes, and Steward with no permission of its own."""
    silent = scene.guild.create_text_channel(
        "silent",
        overwrites={scene.guild.default_role: discord.PermissionOverwrite(send_messages=False)},
    )
    assert scene.bot.user is not None
    me = scene.env.backend.get_guild(scene.guild.id).members[scene.bot.user.id]
    for role_id in me.role_ids:
        scene.env.backend.edit_role(scene.guild.id, role_id, {"permissions": 0})
    return silent


async def test_a_channel_where_steward_can_not_write_is_said_to_organizers_alone(
    scene: Scene,
) -> None:
    await scene.set_up()
    silent = silence(scene)
    stranger = await scene.ben.slash(scene.general, "desk panel", channel=silent)
    assert "Only organizers" in shown(stranger)
    result = await scene.owner.slash(scene.general, "desk panel", channel=silent)
    assert "can't write" in shown(result)
    assert await panels(scene) == []


async def test_a_coordinator_opens_a_request_for_a_member_and_has_it(scene: Scene) -> None:
    await scene.set_up()
    result = await scene.ben.slash(scene.desk, "desk open", member=scene.ada, topic="A question")
    request = await scene.newest()
    assert request.reference in shown(result)
    assert isinstance(request.state, Claimed)
    assert (request.member_id, request.state.owner_id) == (scene.ada.id, scene.ben.id)


async def test_a_member_with_an_open_request_gets_no_second_one(scene: Scene) -> None:
    await scene.set_up()
    await scene.ask(scene.ada)
    open_one = await scene.newest()
    result = await scene.ben.slash(scene.desk, "desk open", member=scene.ada, topic="Again")
    assert f"<@{scene.ada.id}> already has an open request: {open_one.reference}" in shown(result)
    assert await scene.states() == ["queued"]


@pytest.mark.parametrize(
    ("who", "whom", "words"),
    [("ada", "cleo", "Only coordinators"), ("ben", "ben", "your own request")],
)
async def test_opening_is_for_coordinators_and_for_others(
    scene: Scene, who: str, whom: str, words: str
) -> None:
    await scene.set_up()
    actor = getattr(scene, who)
    result = await actor.slash(
        scene.general, "desk open", member=getattr(scene, whom), topic="Something"
    )
    assert words in shown(result)
    assert await scene.states() == []


async def test_nothing_is_opened_for_a_bot(scene: Scene) -> None:
    await scene.set_up()
    robot = scene.guild.add_member(scene.env.create_user("robot", bot=True))
    result = await scene.ben.slash(scene.desk, "desk open", member=robot, topic="Beep")
    assert "That is a bot" in shown(result)
    assert await scene.states() == []
