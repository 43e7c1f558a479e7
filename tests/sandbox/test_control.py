"""The sandbox as a process of its own, driven over its control API, with a real bot in between."""

import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import discord
import pytest
from discord.gateway import DiscordWebSocket
from discord.http import Route
from yarl import URL

from sandbox.client import ControlError, SandboxClient
from tests.sandbox.rig import Listener

POST = "POST /channels/{channel_id}/messages"


@asynccontextmanager
async def process(*more: str) -> AsyncIterator[tuple[asyncio.subprocess.Process, dict[str, Any]]]:
    """`python -m sandbox`, and where it says that it is."""
    running = await asyncio.create_subprocess_exec(
        *(sys.executable, "-W", "error", "-X", "dev", "-m", "sandbox", *more),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert running.stdout is not None
    try:
        async with asyncio.timeout(20):
            yield running, json.loads(await running.stdout.readline())
    finally:
        if running.returncode is None:
            running.kill()
            await running.wait()


@asynccontextmanager
async def bot_at(where: dict[str, Any]) -> AsyncIterator[Listener]:
    Route.BASE = where["api_base"]
    DiscordWebSocket.DEFAULT_GATEWAY = URL(where["api_base"].replace("http", "ws")).with_path(
        "/gateway"
    )
    client = Listener(discord.Intents.all())
    await client.login(where["token"])
    running = asyncio.create_task(client.connect())
    try:
        await client.hear("ready")
        yield client
    finally:
        await client.close()
        await asyncio.gather(running, return_exceptions=True)


async def test_a_whole_visit_over_the_control_api() -> None:
    async with (
        process() as (_, where),
        SandboxClient(where["control"], where["control_token"]) as people,
    ):
        owner = await people.add_user("olga")
        guild = await people.add_guild("Town", owner)
        square = await people.add_channel(guild, "square")
        ada = await people.add_user("ada")
        await people.join(ada, guild)
        async with bot_at(where) as bot:
            await people.connected()

            @bot.tree.command(description="Greet")
            async def greet(interaction: discord.Interaction, who: discord.Member) -> None:
                await interaction.response.send_message(f"Hello {who.name}", ephemeral=True)

            await bot.tree.sync()
            options = {"who": {"user": owner}}
            asked = await people.command(ada, "greet", options, channel=square)
            answer = await people.first_answer(asked)
            assert (answer["seen"], answer["message"]["content"]) == ("message", "Hello olga")
            assert [each["content"] for each in await people.view(ada, square)] == ["Hello olga"]
            assert await people.view(owner, square) == []

            said = await people.say(ada, "dear bot", files={"a.txt": b"words"})
            heard = await bot.hear("message", lambda message: message.content == "dear bot")
            assert (str(heard.id), await heard.attachments[0].read()) == (said["id"], b"words")
            assert (await people.state())["unknown"] == []


async def test_a_held_request_waits_for_its_release_from_outside() -> None:
    async with (
        process() as (_, where),
        SandboxClient(where["control"], where["control_token"]) as people,
    ):
        owner = await people.add_user("olga")
        square = await people.add_channel(await people.add_guild("Town", owner), "square")
        held = await people.add_fault(POST, "hold_after", match={"nonce": "key"})
        async with bot_at(where) as bot:
            channel = bot.get_partial_messageable(int(square))
            await channel.send("free", nonce="other")
            sending = asyncio.create_task(channel.send("held", nonce="key"))
            await people.fault_reached(held)
            assert not sending.done()
            [posted] = await people.messages(square, nonce="key")
            await people.release(held)
            assert str((await sending).id) == posted["id"]


async def test_what_a_person_does_not_see_and_what_is_wrong_is_answered_in_kind() -> None:
    async with (
        process() as (_, where),
        SandboxClient(where["control"], where["control_token"]) as people,
    ):
        ada = await people.add_user("ada")
        with pytest.raises(ControlError) as unseen:
            await people.command(ada, "nothing")
        assert (unseen.value.status, unseen.value.body["error"]) == (409, "not_seen")
        with pytest.raises(ControlError) as refused:
            await people.say(ada, " ")
        assert (refused.value.status, refused.value.body["code"]) == (400, 50006)
        with pytest.raises(ControlError) as wrong:
            await people.call("say", content="nobody")
        assert wrong.value.status == 400
        with pytest.raises(ControlError) as unknown:
            await people.call("fly")
        assert unknown.value.status == 404


async def test_without_the_control_token_nothing_is_done() -> None:
    async with (
        process("--control-token", "right") as (_, where),
        aiohttp.ClientSession() as session,
    ):
        for shown in ({}, {"Authorization": "Bearer wrong"}):
            async with session.post(f"{where['control']}/state", headers=shown) as answer:
                assert answer.status == 401


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_it_in_order_with_a_bot_still_connected(number: int) -> None:
    async with process() as (running, where), bot_at(where):
        running.send_signal(number)
        out, err = await running.communicate()
        assert (running.returncode, out, err) == (0, b"", b"")


async def test_a_port_that_is_taken_is_said_in_one_line() -> None:
    async with process() as (_, where):
        port = str(URL(where["api_base"]).port)
        async with process("--port", port) as (second, said):
            assert "error" in said
            assert await second.wait() == 1
