"""Setting the desk up: what is refused, what is shown, and who may confirm."""

from typing import Any

import discord
import pytest

from bot.app import StewardBot
from bot.words.sentences import say
from domain import permissions
from domain.requests import Route
from tests.cogs.conftest import Scene
from tests.cogs.people import custom_ids, labels, press, shown

TEN_MINUTES_MS = 600_000


async def begin(scene: Scene, who: Any = None, **options: Any) -> Any:
    given = {"channel": scene.desk, "coordinators": scene.coordinators} | options
    return await (who or scene.owner).slash(scene.general, "desk setup", **given)


async def desk(scene: Scene) -> Any:
    return await scene.bot.services.desks.find(scene.guild.id)


async def test_it_shows_who_can_see_the_desk_and_settles_it_once_confirmed(scene: Scene) -> None:
    result = await begin(scene)
    assert result.ephemeral
    assert f"<@&{scene.coordinators.id}>" in shown(result)
    assert f"<@&{scene.guild.id}>" not in shown(result)
    assert labels(result) == ["Confirm", "Dismiss"]
    assert await desk(scene) is None
    confirmed = await scene.owner.click(result.response, label="Confirm")
    assert "The desk is ready" in shown(confirmed)
    assert labels(confirmed) == []
    settled = await desk(scene)
    assert settled.channel_id == scene.desk.id
    assert settled.coordinator_role_id == scene.coordinators.id
    assert (settled.route, settled.identity, settled.timezone) == (Route.DM, "name", "UTC")


async def test_coordinators_who_cannot_see_the_desk_are_named_before_it_is_confirmed(
    scene: Scene,
) -> None:
    assert "can't see the channel" not in shown(await begin(scene))
    outsiders = scene.guild.create_role("Outsiders")
    result = await begin(scene, coordinators=outsiders)
    assert f"<@&{outsiders.id}> can't see the channel" in shown(result)
    assert labels(result) == ["Confirm", "Dismiss"]


async def test_members_could_not_see_their_private_threads_in_the_desks_own_channel(
    scene: Scene,
) -> None:
    result = await begin(scene, help_channel=scene.desk)
    assert "members have to see it" in shown(result)
    assert labels(result) == []


async def test_every_option_is_kept(scene: Scene) -> None:
    reviewers = scene.guild.create_role("Reviewers")
    organizers = scene.guild.create_role("Organizers")
    await scene.set_up(
        reviewers=reviewers,
        organizers=organizers,
        help_channel=scene.general,
        route="thread",
        identity="team",
        timezone="Europe/Berlin",
    )
    settled = await desk(scene)
    assert settled.reviewer_role_id == reviewers.id
    assert settled.organizer_role_id == organizers.id
    assert settled.help_channel_id == scene.general.id
    assert (settled.route, settled.identity) == (Route.THREAD, "team")
    assert settled.timezone == "Europe/Berlin"


async def test_dismissing_changes_nothing(scene: Scene) -> None:
    result = await begin(scene)
    confirm = custom_ids(result)[0]
    dismissed = await scene.owner.click(result.response, label="Dismiss")
    assert "Nothing was changed" in shown(dismissed)
    again = await press(scene, scene.owner, confirm)
    assert "no longer waiting" in shown(again)
    assert await desk(scene) is None


async def test_only_somebody_with_manage_server_may(scene: Scene) -> None:
    result = await begin(scene, scene.cleo, channel=scene.desk)
    assert "Only somebody with Manage Server" in shown(result)
    assert await desk(scene) is None


async def test_a_public_channel_is_refused(scene: Scene) -> None:
    result = await begin(scene, channel=scene.general)
    assert "open to @everyone" in shown(result)
    assert labels(result) == []


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"timezone": "Mars/Olympus"}, "no time zone we know"),
        ({"timezone": "../../etc/passwd"}, "no time zone we know"),
        ({"route": "thread"}, "needs a help_channel"),
    ],
)
async def test_what_can_not_be_so_is_said(
    scene: Scene, options: dict[str, str], words: str
) -> None:
    result = await begin(scene, **options)
    assert words in shown(result)
    assert labels(result) == []


@pytest.mark.parametrize("role", ["coordinators", "reviewers", "organizers"])
async def test_everyone_can_not_be_the_team(scene: Scene, role: str) -> None:
    result = await begin(scene, **{role: scene.guild.default_role})
    assert "@everyone can't be the team" in shown(result)


async def test_each_permission_that_the_bot_lacks_is_named_in_plain_words(scene: Scene) -> None:
    me = scene.guild.create_role("Bot without rights")
    nothing = discord.PermissionOverwrite(**dict.fromkeys(permissions.DESK, False))
    closed = scene.guild.create_text_channel(
        "closed",
        overwrites={
            scene.guild.default_role: nothing,
            scene.coordinators: discord.PermissionOverwrite(view_channel=True),
            me: nothing,
        },
    )
    assert scene.bot.user is not None
    bots_roles = scene.env.backend.get_guild(scene.guild.id).members[scene.bot.user.id].role_ids
    for role_id in bots_roles:
        scene.env.backend.edit_role(scene.guild.id, role_id, {"permissions": 0})
    result = await begin(scene, channel=closed, help_channel=scene.general)
    for name in {*permissions.DESK, "create_private_threads"}:
        assert say("en", f"permission.{name}") in shown(result)
    assert f"<#{closed.id}>" in shown(result)
    assert f"<#{scene.general.id}>" in shown(result)
    assert labels(result) == []


async def test_rules_are_checked_again_when_it_is_confirmed(scene: Scene) -> None:
    result = await begin(scene)
    scene.env.backend.edit_channel(scene.desk.id, {}, overwrites=[])
    confirmed = await scene.owner.click(result.response, label="Confirm")
    assert "open to @everyone" in shown(confirmed)
    assert await desk(scene) is None


async def test_nobody_else_can_confirm_and_it_waits_ten_minutes_at_most(scene: Scene) -> None:
    result = await begin(scene)
    confirm = custom_ids(result)[0]
    admins = scene.env.backend.get_guild(scene.guild.id).members[scene.owner.id].role_ids
    scene.env.backend.add_member_role(scene.guild.id, scene.ben.id, admins[-1])
    assert "no longer waiting" in shown(await press(scene, scene.ben, confirm))
    scene.clock.advance(TEN_MINUTES_MS)
    assert "no longer waiting" in shown(await press(scene, scene.owner, confirm))
    assert await desk(scene) is None


async def test_after_a_restart_it_says_to_begin_anew(scene: Scene) -> None:
    result = await begin(scene)
    await scene.env.restart_bot(StewardBot(scene.bot.services, scene.clock))
    pressed = await press(scene, scene.owner, custom_ids(result)[0])
    assert "Run /desk setup again" in shown(pressed)


async def test_time_zones_are_suggested(scene: Scene) -> None:
    async def suggested(typed: str) -> list[str]:
        choices = await scene.owner.autocomplete(scene.general, "desk setup", "timezone", typed)
        return [choice["value"] for choice in choices]

    assert "Europe/Berlin" in await suggested("berlin")
    assert "America/New_York" in await suggested("new york")
    assert len(await suggested("")) == 25
    assert await suggested("mars") == []
