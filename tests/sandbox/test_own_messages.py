"""The bot's own messages and threads: changed, taken back, reacted to, read again, put to rest."""

from typing import Any

import aiohttp
import discord
import pytest

from sandbox import Sandbox, threads
from sandbox.entities import MessageKind
from sandbox.permissions import BOT, Permission
from tests.sandbox.conftest import Town
from tests.sandbox.rig import Listener
from tests.sandbox.test_permissions import refused


def square(bot: Listener, town: Town) -> discord.TextChannel:
    found = bot.get_channel(town.channel.id)
    assert isinstance(found, discord.TextChannel)
    return found


def without_manage_threads(sandbox: Sandbox, town: Town) -> None:
    mine = sandbox.world.bot_role(town.guild)
    sandbox.world.set_permissions(mine, BOT & ~Permission.MANAGE_THREADS)


async def test_what_is_gone_is_10008_for_every_later_change(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    for place in (square(bot, town), bot.get_partial_messageable(sandbox.person(town.ada).dm.id)):
        sent = await place.send("words")
        changed = await sent.edit(content="other")
        assert changed.edited_at is not None
        await sent.delete()
        raw = bot.http.get_message(place.id, sent.id)
        for act in (
            sent.edit(content="late"),
            sent.delete(),
            sent.add_reaction("👍"),
            sent.remove_reaction("👍", discord.Object(sandbox.world.bot.id)),
            raw,
        ):
            assert await refused(act) == 10008


async def test_the_bots_own_acts_come_back_as_events(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    sent = await square(bot, town).send("words")
    await sent.edit(content="other")
    assert (await bot.receive("MESSAGE_UPDATE"))["content"] == "other"
    await sent.add_reaction("👍")
    added = await bot.receive("MESSAGE_REACTION_ADD")
    assert (added["emoji"]["name"], added["user_id"]) == ("👍", str(sandbox.world.bot.id))
    assert added["message_author_id"] == str(sandbox.world.bot.id)
    assert added["member"]["user"]["bot"]
    await sent.remove_reaction("👍", discord.Object(sandbox.world.bot.id))
    assert (await bot.receive("MESSAGE_REACTION_REMOVE"))["message_id"] == str(sent.id)
    await square(bot, town).typing()
    assert (await bot.receive("TYPING_START"))["channel_id"] == str(town.channel.id)
    await sent.delete()
    assert (await bot.receive("MESSAGE_DELETE"))["id"] == str(sent.id)


async def test_a_members_message_in_a_dm_is_not_the_bots_to_delete(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    said = sandbox.person(town.ada).say("mine")
    message = bot.get_partial_messageable(said.channel_id).get_partial_message(said.id)
    assert await refused(message.delete()) == 50003
    assert await refused(message.edit(content="yours")) == 50005
    await message.add_reaction("👍")
    assert said.reactions == {"👍": [sandbox.world.bot.id]}


async def get(sandbox: Sandbox, town: Town, **query: Any) -> tuple[int, Any]:
    url = f"{sandbox.api_base}/channels/{town.channel.id}/messages"
    headers = {"Authorization": f"Bot {sandbox.token}"}
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.get(url, params=query) as answer,
    ):
        return answer.status, await answer.json()


async def test_pages_of_history_are_newest_first_and_hold_one_to_a_hundred(
    sandbox: Sandbox, town: Town
) -> None:
    ada = sandbox.person(town.ada)
    said = [ada.say(str(number), town.channel) for number in range(120)]

    async def read(**query: Any) -> list[int]:
        status, body = await get(sandbox, town, **query)
        assert status == 200
        return [int(each["content"]) for each in body]

    assert await read() == list(range(119, 69, -1))
    assert await read(limit=100) == list(range(119, 19, -1))
    assert await read(limit=2, before=said[5].id) == [4, 3]
    assert await read(limit=2, after=said[5].id) == [7, 6]
    assert await read(limit=3, around=said[5].id) == [6, 5, 4]
    ada.delete(said[6])
    assert await read(limit=2, after=said[5].id) == [8, 7]
    for limit in (0, 101, -1, "x"):
        status, body = await get(sandbox, town, limit=limit)
        assert (status, body["code"]) == (400, 50035)


async def test_posting_wakes_a_thread_that_sleeps_and_is_not_locked(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    without_manage_threads(sandbox, town)
    thread = await square(bot, town).create_thread(name="desk")
    place = sandbox.world.channels[thread.id]
    threads.set_state(sandbox.world, place, archived=True)
    await thread.send("hello")
    told = await bot.receive("THREAD_UPDATE", lambda data: not data["thread_metadata"]["archived"])
    assert told["id"] == str(thread.id)
    threads.set_state(sandbox.world, place, archived=True, locked=True)
    assert await refused(thread.send("hello")) == 160005
    assert place.thread is not None
    assert place.thread.archived


async def test_a_sleeping_thread_takes_no_change_of_a_message(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    thread = await square(bot, town).create_thread(name="desk")
    sent = await thread.send("hello")
    await sent.add_reaction("👍")
    threads.set_state(sandbox.world, sandbox.world.channels[thread.id], archived=True)
    for act in (
        sent.edit(content="other"),
        sent.delete(),
        sent.add_reaction("👎"),
        sent.remove_reaction("👍", discord.Object(sandbox.world.bot.id)),
        thread.edit(name="other"),
    ):
        assert await refused(act) == 50083


async def test_a_thread_is_archived_locked_and_renamed_and_says_so(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    thread = await square(bot, town).create_thread(name="desk")
    bot.forget()
    await thread.edit(name="other", locked=True, archived=True)
    told = await bot.receive("THREAD_UPDATE")
    state = told["thread_metadata"]
    assert (told["name"], state["locked"], state["archived"]) == ("other", True, True)
    [said] = sandbox.truth.messages(thread.id)
    assert (said.kind, said.content) == (MessageKind.CHANNEL_NAME_CHANGE, "other")
    await thread.edit(archived=False)
    await thread.edit(locked=False)
    with pytest.raises(discord.HTTPException):
        await thread.edit(name="x" * 101)


async def test_without_manage_threads_the_bot_closes_its_own_and_locks_none(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    thread = await square(bot, town).create_thread(name="desk")
    without_manage_threads(sandbox, town)
    assert await refused(thread.edit(locked=True)) == 50013
    await thread.edit(archived=True)
    threads.set_state(sandbox.world, sandbox.world.channels[thread.id], locked=True)
    assert await refused(thread.edit(archived=False)) == 160005


async def test_people_put_threads_to_rest_as_far_as_they_may(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    ada, owner = sandbox.person(town.ada), sandbox.person(town.owner)
    thread = owner.start_thread(owner.say("start", town.channel), "talk")
    for change in ({"locked": True}, {"archived": True}, {"name": "other"}):
        with pytest.raises(Exception, match="50013"):
            ada.set_thread(thread, **change)
    owner.set_thread(thread, archived=True)
    ada.set_thread(thread, archived=False)
    owner.set_thread(thread, locked=True, archived=True)
    with pytest.raises(Exception, match="160005"):
        ada.set_thread(thread, archived=False)
    told = await bot.receive("THREAD_UPDATE", lambda data: data["thread_metadata"]["locked"])
    assert told["id"] == str(thread.id)
