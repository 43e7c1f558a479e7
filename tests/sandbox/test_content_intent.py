"""What a bot reads that may not read what people write, as events and as history."""

from typing import Any

import discord
import pytest

from sandbox import Sandbox
from sandbox.client import SandboxClient
from sandbox.control import Control
from sandbox.drafts import File
from sandbox.intents import Intent
from tests.sandbox.conftest import Town
from tests.sandbox.rig import Listener, connected, point_at

WITHOUT = discord.Intents(discord.Intents.all().value & ~Intent.MESSAGE_CONTENT)
NOTE = File(filename="a.txt", data=b"words")


def seen(body: dict[str, Any]) -> tuple[str, int]:
    return body["content"], len(body["attachments"])


async def test_events_are_blank_but_for_ones_own_dms_and_mentions(
    sandbox: Sandbox, town: Town
) -> None:
    ada = sandbox.person(town.ada)
    async with connected(sandbox, WITHOUT) as bot, connected(sandbox) as reader:
        secret = ada.say("secret", town.channel, files=[NOTE])
        ada.edit(secret, "still secret")
        ada.say(f"<@{sandbox.world.bot.id}> hello", town.channel, files=[NOTE])
        ada.say("dear bot", files=[NOTE])
        own = await bot.get_partial_messageable(town.channel.id).send("mine")
        for each in (bot, reader):
            await each.receive("MESSAGE_CREATE", lambda data: data["id"] == str(own.id))
        assert [seen(each) for each in bot.received("MESSAGE_CREATE")] == [
            ("", 0),
            (f"<@{sandbox.world.bot.id}> hello", 1),
            ("dear bot", 1),
            ("mine", 0),
        ]
        assert [seen(each) for each in bot.received("MESSAGE_UPDATE")] == [("", 0)]
        assert seen(reader.received("MESSAGE_CREATE")[0]) == ("secret", 1)


async def test_what_is_answered_and_what_is_forwarded_is_withheld_as_well(
    sandbox: Sandbox, town: Town
) -> None:
    ada = sandbox.person(town.ada)
    async with connected(sandbox, WITHOUT) as bot:
        channel = bot.get_partial_messageable(town.channel.id)
        own = await channel.send("mine")
        secret = ada.say("secret", town.channel, files=[NOTE])
        mine = sandbox.world.messages[own.id]
        ada.say("to you", town.channel, reply_to=mine)
        ada.say("past you", town.channel, reply_to=mine, ping=False)
        ada.say(f"<@{sandbox.world.bot.id}> look", town.channel, reply_to=secret)
        ada.say("", town.channel, forward=secret)
        last = ada.say("", forward=secret)
        await bot.receive("MESSAGE_CREATE", lambda data: data["id"] == str(last.id))
        to_you, past_you, look, forward, in_dm = bot.received("MESSAGE_CREATE")[2:]
    assert (to_you["content"], to_you["referenced_message"]["content"]) == ("to you", "mine")
    assert (past_you["content"], past_you["referenced_message"]["content"]) == ("", "mine")
    assert look["content"].endswith("look")
    assert seen(look["referenced_message"]) == ("", 0)
    assert seen(forward["message_snapshots"][0]["message"]) == ("", 0)
    assert seen(in_dm["message_snapshots"][0]["message"]) == ("secret", 1)


async def test_history_is_blank_where_the_application_has_no_grant(
    sandbox: Sandbox, town: Town
) -> None:
    point_at(sandbox)
    client = Listener(discord.Intents.none())
    await client.login(sandbox.token)
    ada = sandbox.person(town.ada)
    secret = ada.say("secret", town.channel, files=[NOTE])
    ada.say("dear bot", files=[NOTE])
    places = [client.get_partial_messageable(each) for each in (town.channel.id, ada.dm.id)]
    await places[0].send("mine")

    async def read() -> list[tuple[str, int]]:
        found = [each for place in places async for each in place.history()]
        return [(each.content, len(each.attachments)) for each in found]

    assert await read() == [("mine", 0), ("secret", 1), ("dear bot", 1)]
    sandbox.world.privileged &= ~Intent.MESSAGE_CONTENT
    assert await read() == [("mine", 0), ("", 0), ("dear bot", 1)]
    assert (await places[0].fetch_message(secret.id)).content == ""
    await client.close()


async def test_the_intent_without_the_switch_is_closed_with_4014(
    sandbox: Sandbox, town: Town
) -> None:
    sandbox.world.privileged &= ~Intent.MESSAGE_CONTENT
    point_at(sandbox)
    client = Listener(discord.Intents.all())
    await client.login(sandbox.token)
    with pytest.raises(discord.PrivilegedIntentsRequired):
        await client.connect()
    await client.close()
    async with connected(sandbox, WITHOUT) as bot:
        assert bot.application_flags.gateway_message_content is False


@pytest.mark.parametrize("limited", [False, True])
async def test_the_applications_flags_say_how_it_came_by_the_intent(limited: bool) -> None:
    sandbox = Sandbox()
    control = Control(sandbox)
    async with sandbox, SandboxClient(control.url, control.token) as people:
        await people.set_application(members=False, limited=limited)
        async with connected(sandbox, discord.Intents(Intent.MESSAGE_CONTENT)) as bot:
            flags = (await bot.application_info()).flags
            assert bot.application_flags.value == flags.value
        assert flags.gateway_message_content is not limited
        assert flags.gateway_message_content_limited is limited
        assert not flags.gateway_guild_members
        assert not flags.gateway_guild_members_limited
        await people.set_application(message_content=False)
        assert not sandbox.world.privileged & Intent.MESSAGE_CONTENT
