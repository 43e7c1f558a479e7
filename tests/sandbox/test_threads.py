"""Threads as a real client starts, finds, fills and closes them."""

from typing import Any

import discord
import pytest

from sandbox import Sandbox, threads
from sandbox.entities import MessageKind
from sandbox.permissions import BOT, Permission
from tests.sandbox.conftest import Town
from tests.sandbox.rig import Listener
from tests.sandbox.test_permissions import refused


def square(bot: Listener, town: Town) -> discord.TextChannel:
    guild = bot.get_guild(town.guild.id)
    assert guild is not None
    found = guild.get_channel(town.channel.id)
    assert isinstance(found, discord.TextChannel)
    return found


async def desk(bot: Listener, town: Town, **more: Any) -> discord.Thread:
    return await square(bot, town).create_thread(name="desk R-1", **more)


async def test_a_thread_from_a_message_has_its_id_and_there_is_only_one_ever(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    card = await square(bot, town).send("card")
    thread = await card.create_thread(name="desk")
    assert thread.id == card.id
    assert await refused(card.create_thread(name="again")) == 160004
    assert (await square(bot, town).fetch_message(card.id)).flags.has_thread
    await thread.delete()
    assert await refused(card.create_thread(name="again")) == 160004
    starter = sandbox.truth.messages(sandbox.world.channels[thread.id])[0]
    assert (starter.kind, starter.author_id) == (MessageKind.THREAD_STARTER, sandbox.world.bot.id)


async def test_a_private_thread_is_seen_by_its_members_and_moderators_only(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    thread = await desk(bot, town, invitable=False)
    place = sandbox.world.channels[thread.id]
    await thread.send("welcome")
    ada, owner = sandbox.person(town.ada), sandbox.person(town.owner)
    assert ada.view(place) == []
    assert [each.content for each in owner.view(place)] == ["welcome"]
    await thread.add_user(discord.Object(ada.id))
    assert [each.content for each in ada.view(place)] == ["welcome", ""]
    added = ada.view(place)[-1]
    assert (added.kind, added.mentions) == (MessageKind.RECIPIENT_ADD, [ada.id])
    await thread.add_user(discord.Object(ada.id))
    assert len(ada.view(place)) == 2
    await thread.remove_user(discord.Object(ada.id))
    assert ada.view(place) == []


async def test_a_public_thread_without_a_message_leaves_a_system_message(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    thread = await desk(bot, town, type=discord.ChannelType.public_thread)
    [said] = sandbox.truth.messages(town.channel)
    assert (said.kind, said.content) == (MessageKind.THREAD_CREATED, thread.name)
    assert said.author_id == sandbox.world.bot.id


async def test_speaking_wakes_an_archived_thread_and_joins_the_speaker(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    thread = await desk(bot, town, type=discord.ChannelType.public_thread)
    place = sandbox.world.channels[thread.id]
    await thread.edit(archived=True)
    assert place.thread is not None
    assert place.thread.archived
    sandbox.person(town.ada).say("wake up", place)
    assert not place.thread.archived
    assert town.ada.id in place.thread.members
    told = await bot.receive("THREAD_UPDATE", lambda data: not data["thread_metadata"]["archived"])
    assert told["id"] == str(thread.id)


async def test_an_archived_thread_takes_no_edits_and_no_reactions(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    thread = await desk(bot, town)
    said = await thread.send("hello")
    threads.set_state(sandbox.world, sandbox.world.channels[thread.id], archived=True)
    assert await refused(said.edit(content="changed")) == 50083
    assert await refused(said.add_reaction("👍")) == 50083
    assert await refused(thread.add_user(discord.Object(town.ada.id))) == 50083
    assert await refused(thread.edit(name="renamed")) == 50083
    await thread.edit(archived=False)
    await said.edit(content="changed")


async def test_a_locked_thread_is_160005_without_manage_threads(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    thread = await desk(bot, town)
    threads.set_state(sandbox.world, sandbox.world.channels[thread.id], locked=True)
    await thread.send("a moderator may")
    mine = sandbox.world.bot_role(town.guild)
    sandbox.world.set_permissions(mine, BOT & ~Permission.MANAGE_THREADS)
    assert await refused(thread.send("others may not")) == 160005


async def test_threads_are_found_again_among_the_active_and_the_archived(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    guild = bot.get_guild(town.guild.id)
    assert guild is not None
    made = [await desk(bot, town) for _ in range(3)]
    public = await desk(bot, town, type=discord.ChannelType.public_thread)
    assert {each.id for each in await guild.active_threads()} == {
        *(each.id for each in made),
        public.id,
    }
    for each in (*made, public):
        await each.edit(archived=True)
    assert await guild.active_threads() == []
    channel = square(bot, town)
    private = [each.id async for each in channel.archived_threads(private=True, limit=None)]
    assert private == [each.id for each in reversed(made)]
    mine = channel.archived_threads(private=True, joined=True, limit=None)
    assert [each.id async for each in mine] == [each.id for each in reversed(made)]
    assert [each.id async for each in channel.archived_threads()] == [public.id]


async def test_a_threads_history_is_its_own(sandbox: Sandbox, town: Town, bot: Listener) -> None:
    thread = await desk(bot, town)
    await square(bot, town).send("outside")
    for number in range(3):
        await thread.send(str(number))
    assert [each.content async for each in thread.history(oldest_first=True)] == ["0", "1", "2"]


async def test_deleting_the_parent_takes_its_threads_with_it(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    thread = await desk(bot, town)
    threads.delete_channel(sandbox.world, town.channel)
    await bot.hear("guild_channel_delete")
    assert await refused(bot.get_partial_messageable(thread.id).send("hello")) == 10003
    assert await refused(bot.get_partial_messageable(town.channel.id).send("hello")) == 10003


async def test_of_others_in_a_thread_only_the_members_intent_hears(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    thread = await desk(bot, town)
    await thread.add_user(discord.Object(town.ada.id))
    told = await bot.receive("THREAD_MEMBERS_UPDATE")
    assert [each["user_id"] for each in told["added_members"]] == [str(town.ada.id)]


@pytest.mark.parametrize("name", ["", "x" * 101])
async def test_a_thread_needs_a_name_of_1_to_100_characters(
    sandbox: Sandbox, town: Town, bot: Listener, name: str
) -> None:
    assert await refused(square(bot, town).create_thread(name=name)) == 50035
