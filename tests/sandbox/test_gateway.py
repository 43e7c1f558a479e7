"""What a real client hears, misses, and catches up with."""

import asyncio

import aiohttp
import discord
import pytest

from sandbox import Sandbox
from sandbox.drafts import Draft
from sandbox.intents import Intent
from sandbox.messages import delete, edit, post
from tests.sandbox.conftest import Town
from tests.sandbox.rig import Listener, connected, point_at


async def test_a_client_is_ready_with_its_guilds_channels_and_roles(
    bot: Listener, town: Town
) -> None:
    guild = bot.get_guild(town.guild.id)
    assert guild is not None
    assert [each.name for each in guild.text_channels] == ["square"]
    assert guild.me.guild_permissions.manage_threads
    assert not guild.me.guild_permissions.administrator


async def test_a_wrong_token_is_refused_by_rest(sandbox: Sandbox) -> None:
    point_at(sandbox)
    client = Listener(discord.Intents.none())
    with pytest.raises(discord.LoginFailure):
        await client.login("wrong")
    await client.close()


async def test_a_wrong_token_is_refused_by_the_gateway(sandbox: Sandbox) -> None:
    point_at(sandbox)
    client = Listener(discord.Intents.none())
    await client.login(sandbox.token)
    client.http.token = "wrong"
    with pytest.raises(discord.ConnectionClosed) as closed:
        await client.connect()
    assert closed.value.code == 4004
    await client.close()


async def test_privileged_intents_that_the_application_lacks_are_refused() -> None:
    async with Sandbox(privileged=0) as sandbox:
        point_at(sandbox)
        client = Listener(discord.Intents.all())
        await client.login(sandbox.token)
        with pytest.raises(discord.PrivilegedIntentsRequired):
            await client.connect()
        await client.close()


async def test_words_are_blank_without_the_content_intent_but_not_in_dms_or_mentions(
    sandbox: Sandbox, town: Town
) -> None:
    world = sandbox.world
    intents = discord.Intents(discord.Intents.all().value & ~Intent.MESSAGE_CONTENT)
    async with connected(sandbox, intents) as client:
        post(world, town.channel, town.ada.id, Draft(content="secret"))
        post(world, town.channel, town.ada.id, Draft(content=f"<@{world.bot.id}> hello"))
        post(world, world.dm(town.ada), town.ada.id, Draft(content="dear bot"))
        await client.receive("MESSAGE_CREATE", lambda data: data["content"] == "dear bot")
        heard = [data["content"] for data in client.received("MESSAGE_CREATE")]
    assert heard == ["", f"<@{world.bot.id}> hello", "dear bot"]


async def test_members_are_heard_of_only_with_the_members_intent(
    sandbox: Sandbox, town: Town
) -> None:
    world = sandbox.world
    intents = discord.Intents(discord.Intents.all().value & ~Intent.GUILD_MEMBERS)
    async with connected(sandbox, intents) as without, connected(sandbox) as with_members:
        bob = world.add_user("bob")
        world.join(bob, town.guild)
        post(world, town.channel, bob.id, Draft(content="hello"))
        await with_members.receive("GUILD_MEMBER_ADD")
        await without.receive("MESSAGE_CREATE")
        assert without.received("GUILD_MEMBER_ADD") == []


async def test_two_connections_of_one_token_both_hear(sandbox: Sandbox, town: Town) -> None:
    async with connected(sandbox) as one, connected(sandbox) as two:
        post(sandbox.world, town.channel, town.ada.id, Draft(content="hello"))
        for each in (one, two):
            assert (await each.receive("MESSAGE_CREATE"))["content"] == "hello"
    assert sandbox.gateway.identifies == 2


async def test_what_was_missed_while_the_line_was_cut_is_replayed(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    sandbox.gateway.faults.drop_after("MESSAGE_CREATE")
    post(sandbox.world, town.channel, town.ada.id, Draft(content="before"))
    await bot.hear("disconnect")
    said = post(sandbox.world, town.channel, town.ada.id, Draft(content="meanwhile"))
    edit(sandbox.world, said, {"content": "changed"}, Draft(content="changed"))
    delete(sandbox.world, said)
    await bot.hear("resumed")
    heard = [data["content"] for data in bot.received("MESSAGE_CREATE")]
    assert heard == ["before", "meanwhile"]
    assert bot.received("MESSAGE_DELETE") == [
        {"channel_id": str(town.channel.id), "guild_id": str(town.guild.id), "id": str(said.id)}
    ]
    assert (sandbox.gateway.identifies, sandbox.gateway.resumes) == (1, 1)


async def test_a_request_to_reconnect_is_followed_by_a_resume(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    sandbox.gateway.reconnect()
    await bot.hear("resumed")
    assert sandbox.gateway.resumes == 1


async def test_after_an_invalid_session_the_client_identifies_anew(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    bot.forget()
    sandbox.gateway.invalidate()
    await bot.hear("ready")
    assert (sandbox.gateway.identifies, sandbox.gateway.resumes) == (2, 0)


async def test_an_event_can_be_lost_and_another_come_twice(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    sandbox.gateway.faults.lose("MESSAGE_CREATE")
    for words in ("lost", "twice", "once"):
        post(sandbox.world, town.channel, town.ada.id, Draft(content=words))
        if words == "lost":
            sandbox.gateway.faults.repeat("MESSAGE_CREATE")
    await bot.receive("MESSAGE_CREATE", lambda data: data["content"] == "once")
    heard = [data["content"] for data in bot.received("MESSAGE_CREATE")]
    assert heard == ["twice", "twice", "once"]


async def test_a_malformed_frame_breaks_the_library_out_of_its_loop(
    sandbox: Sandbox, town: Town
) -> None:
    point_at(sandbox)
    client = Listener(discord.Intents.all())
    client.dispatch = super(Listener, client).dispatch  # type: ignore[method-assign]
    await client.login(sandbox.token)
    running = asyncio.create_task(client.connect())
    async with asyncio.timeout(10):
        await client.wait_until_ready()
        sandbox.gateway.faults.malform("MESSAGE_CREATE")
        post(sandbox.world, town.channel, town.ada.id, Draft(content="hello"))
        with pytest.raises(ValueError, match="delimiter"):
            await running
    assert client.ws is not None
    await client.ws.close()
    await client.close()


async def test_members_can_be_asked_for_by_id_by_name_and_all_at_once(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    guild = bot.get_guild(town.guild.id)
    assert guild is not None
    by_id = await guild.query_members(user_ids=[town.ada.id, 5])
    by_name = await guild.query_members("ol")
    assert [each.name for each in by_id] == ["ada"]
    assert [each.name for each in by_name] == ["olga"]
    assert {each.name for each in await guild.chunk()} == {"ada", "olga", "steward"}


async def test_the_bots_own_message_echoes_with_its_nonce(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    channel = bot.get_partial_messageable(town.channel.id)
    sent = await channel.send("hello", nonce="key-1")
    echo = await bot.receive("MESSAGE_CREATE")
    assert (echo["id"], echo["nonce"]) == (str(sent.id), "key-1")


async def test_events_can_be_held_back_and_come_in_order(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    channel = bot.get_partial_messageable(town.channel.id)
    sandbox.gateway.hold()
    for words in ("one", "two"):
        await channel.send(words)
    assert bot.received("MESSAGE_CREATE") == []
    sandbox.gateway.release()
    await bot.receive("MESSAGE_CREATE", lambda data: data["content"] == "two")
    assert [each["content"] for each in bot.received("MESSAGE_CREATE")] == ["one", "two"]


async def test_a_client_that_has_stopped_reading_does_not_keep_the_sandbox_from_stopping() -> None:
    sandbox = Sandbox()
    await sandbox.start()
    async with aiohttp.ClientSession() as session, session.ws_connect(sandbox.gateway.url) as line:
        assert (await line.receive_json())["op"] == 10
        async with asyncio.timeout(8):
            await sandbox.stop()
