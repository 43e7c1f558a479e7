"""Who may do what where, as a real client is refused it, each with Discord's own code."""

from collections.abc import Awaitable

import discord
import pytest

from sandbox import Sandbox, access
from sandbox.errors import ApiError, NotSeen
from sandbox.limits import Window
from sandbox.permissions import ALL, BOT, EVERYONE, Permission
from tests.sandbox.conftest import Town
from tests.sandbox.rig import Listener


async def refused(act: Awaitable[object]) -> int:
    with pytest.raises(discord.HTTPException) as problem:
        await act
    return problem.value.code


def bits_of(sandbox: Sandbox, town: Town) -> Permission:
    return Permission(access.of(sandbox.world, town.ada.id, town.channel))


def test_a_role_adds_to_what_everyone_may(sandbox: Sandbox, town: Town) -> None:
    staff = sandbox.world.add_role(town.guild, "staff", permissions=Permission.MANAGE_MESSAGES)
    sandbox.world.give_role(town.guild.members[town.ada.id], staff)
    assert bits_of(sandbox, town) == EVERYONE | Permission.MANAGE_MESSAGES


def test_overwrites_count_in_the_order_everyone_roles_member(sandbox: Sandbox, town: Town) -> None:
    world, say = sandbox.world, Permission.SEND_MESSAGES
    staff = world.add_role(town.guild, "staff")
    world.give_role(town.guild.members[town.ada.id], staff)
    everyone = town.guild.roles[town.guild.id]
    world.set_overwrite(town.channel, everyone, deny=say)
    assert not bits_of(sandbox, town) & say
    world.set_overwrite(town.channel, staff, allow=say)
    assert bits_of(sandbox, town) & say
    world.set_overwrite(town.channel, town.ada, deny=say)
    assert not bits_of(sandbox, town) & say


def test_of_two_roles_the_one_that_allows_wins(sandbox: Sandbox, town: Town) -> None:
    world, say = sandbox.world, Permission.SEND_MESSAGES
    for name in ("allowed", "denied"):
        role = world.add_role(town.guild, name)
        world.give_role(town.guild.members[town.ada.id], role)
        side = {"allow": say} if name == "allowed" else {"deny": say}
        world.set_overwrite(town.channel, role, **side)
    assert bits_of(sandbox, town) & say


def test_without_view_nothing_is_left_but_owner_and_administrator_keep_all(
    sandbox: Sandbox, town: Town
) -> None:
    world = sandbox.world
    everyone = town.guild.roles[town.guild.id]
    world.set_overwrite(town.channel, everyone, deny=Permission.VIEW_CHANNEL)
    assert bits_of(sandbox, town) == 0
    assert access.of(world, town.owner.id, town.channel) == ALL
    admin = world.add_role(town.guild, "admin", permissions=Permission.ADMINISTRATOR)
    world.give_role(town.guild.members[town.ada.id], admin)
    assert bits_of(sandbox, town) == ALL


async def test_a_channel_out_of_sight_is_50001_and_a_missing_permission_50013(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    channel = bot.get_partial_messageable(town.channel.id)
    everyone, mine = town.guild.roles[town.guild.id], sandbox.world.bot_role(town.guild)
    say = Permission.SEND_MESSAGES
    sandbox.world.set_permissions(everyone, EVERYONE & ~say)
    sandbox.world.set_permissions(mine, BOT & ~say)
    assert await refused(channel.send("hello")) == 50013
    sandbox.world.set_overwrite(town.channel, mine, deny=Permission.VIEW_CHANNEL)
    assert await refused(channel.send("hello")) == 50001
    assert sandbox.truth.messages(town.channel) == []


async def test_events_of_a_channel_out_of_sight_are_not_told(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    hidden = sandbox.world.add_channel(town.guild, "hidden")
    mine = sandbox.world.bot_role(town.guild)
    sandbox.world.set_overwrite(hidden, mine, deny=Permission.VIEW_CHANNEL)
    ada = sandbox.person(town.ada)
    ada.say("in secret", hidden)
    ada.say("aloud", town.channel)
    await bot.receive("MESSAGE_CREATE")
    assert [each["content"] for each in bot.received("MESSAGE_CREATE")] == ["aloud"]


async def test_a_closed_dm_is_50007_until_it_is_opened_again(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    ada = sandbox.person(town.ada)
    dm = await bot.create_dm(discord.Object(town.ada.id))
    ada.close_dms()
    assert await refused(dm.send("hello")) == 50007
    ada.open_dms()
    await dm.send("hello")
    ada.block_bot()
    assert await refused(dm.send("hello")) == 50007
    ada.unblock_bot()
    ada.leave(town.guild)
    assert await refused(dm.send("hello")) == 50278
    assert [each.content for each in ada.view()] == ["hello"]


async def test_the_dm_channel_is_the_same_one_every_time(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    sandbox.person(town.ada).say("first")
    found = [await bot.http.start_private_message(town.ada.id) for _ in range(2)]
    last = str(sandbox.person(town.ada).dm.last_message_id)
    assert [(each["id"], each["last_message_id"]) for each in found] == [
        (str(sandbox.person(town.ada).dm.id), last)
    ] * 2


async def test_what_is_not_there_has_its_own_codes(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    here = bot.get_partial_messageable(town.channel.id)
    gone = bot.get_partial_messageable(sandbox.world.ids.next())
    assert await refused(gone.send("hello")) == 10003
    assert await refused(here.fetch_message(gone.id)) == 10008
    assert await refused(bot.fetch_user(gone.id)) == 10013
    assert await refused(bot.fetch_guild(gone.id)) == 10004
    guild = bot.get_guild(town.guild.id)
    assert guild is not None
    assert await refused(guild.fetch_member(sandbox.world.add_user("stranger").id)) == 10007


async def test_somebody_elses_message_can_be_moderated_but_not_edited(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    said = sandbox.person(town.ada).say("mine", town.channel)
    theirs = bot.get_partial_messageable(town.channel.id).get_partial_message(said.id)
    assert await refused(theirs.edit(content="yours")) == 50005
    sandbox.world.set_permissions(
        sandbox.world.bot_role(town.guild), BOT & ~Permission.MANAGE_MESSAGES
    )
    assert await refused(theirs.delete()) == 50013
    sandbox.world.set_permissions(sandbox.world.bot_role(town.guild), BOT)
    await theirs.delete()
    assert said.deleted


async def test_everyone_is_pinged_only_by_who_may_and_only_when_allowed(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    said = sandbox.person(town.ada).say("@everyone", town.channel)
    owner = sandbox.person(town.owner).say(f"@everyone <@{town.ada.id}>", town.channel)
    channel = bot.get_partial_messageable(town.channel.id)
    quiet = await channel.send(
        f"<@{town.ada.id}> @here", allowed_mentions=discord.AllowedMentions.none()
    )
    assert not said.mention_everyone
    assert (owner.mention_everyone, owner.mentions) == (True, [town.ada.id])
    assert quiet.mentions == []


def test_people_are_held_to_the_same_rules(sandbox: Sandbox, town: Town) -> None:
    ada = sandbox.person(town.ada)
    everyone = town.guild.roles[town.guild.id]
    sandbox.world.set_overwrite(town.channel, everyone, deny=Permission.VIEW_CHANNEL)
    with pytest.raises(ApiError, match="50001"):
        ada.say("hello", town.channel)
    with pytest.raises(NotSeen):
        ada.command("help", town.channel)
    said = sandbox.person(town.owner).say("secret", town.channel)
    with pytest.raises(NotSeen):
        ada.react(said, "👍")
    assert ada.view(town.channel) == []


async def test_whoever_is_banned_is_out_and_cannot_come_back(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    ada = sandbox.person(town.ada)
    sandbox.world.ban(town.ada, town.guild)
    assert (await bot.receive("GUILD_MEMBER_REMOVE"))["user"]["id"] == str(ada.id)
    assert (await bot.receive("GUILD_BAN_ADD"))["user"]["id"] == str(ada.id)
    with pytest.raises(ApiError):
        ada.join(town.guild)


async def test_a_bot_that_is_thrown_out_hears_so_and_sees_nothing(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    sandbox.world.remove_bot(town.guild)
    await bot.hear("guild_remove")
    assert await refused(bot.get_partial_messageable(town.channel.id).send("hello")) == 50001
    assert await refused(bot.fetch_guild(town.guild.id)) == 50001
    sandbox.world.add_bot(town.guild)
    await bot.hear("guild_join")


async def test_opening_many_new_dms_is_40003_but_known_ones_stay_open(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    sandbox.world.new_dms = Window(limit=1, per_ms=60_000)
    await bot.http.start_private_message(town.ada.id)
    assert await refused(bot.http.start_private_message(town.owner.id)) == 40003
    assert await bot.http.start_private_message(town.ada.id)
