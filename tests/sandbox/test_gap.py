"""The gateway away while people go on, and the truth of what they did meanwhile."""

import asyncio

import aiohttp
import pytest

from sandbox import Sandbox
from sandbox.client import SandboxClient
from sandbox.control import Control
from sandbox.drafts import File
from sandbox.people import Person
from tests.sandbox.conftest import Town
from tests.sandbox.rig import Listener, connected


def gap(ada: Person) -> tuple[str, str, str]:
    """What happens while the bot hears nothing: words, other words, and words taken back."""
    stays, changes, goes = (ada.say(words) for words in ("stays", "changes", "goes"))
    ada.edit(changes, "changed")
    ada.delete(goes)
    ada.react(stays, "👍")
    return str(stays.id), str(changes.id), str(goes.id)


async def test_a_gap_that_ends_in_a_resume_is_told_afterwards(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    sandbox.gateway.away()
    await bot.hear("disconnect")
    stays, changes, goes = gap(sandbox.person(town.ada))
    assert bot.received("MESSAGE_CREATE") == []
    sandbox.gateway.back()
    await bot.hear("resumed")
    await bot.receive("MESSAGE_REACTION_ADD")
    assert [each["id"] for each in bot.received("MESSAGE_CREATE")] == [stays, changes, goes]
    assert [each["content"] for each in bot.received("MESSAGE_UPDATE")] == ["changed"]
    assert [each["id"] for each in bot.received("MESSAGE_DELETE")] == [goes]
    assert (sandbox.gateway.identifies, sandbox.gateway.resumes) == (1, 1)


async def test_a_gap_without_a_resume_is_told_to_nobody_but_history_has_it(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    ada = sandbox.person(town.ada)
    bot.forget()
    sandbox.gateway.away()
    await bot.hear("disconnect")
    stays, changes, _ = gap(ada)
    place = bot.get_partial_messageable(ada.dm.id)
    await place.send("REST goes on")
    sandbox.gateway.back(resumable=False)
    await bot.hear("ready")
    last = ada.say("heard")
    await bot.receive("MESSAGE_CREATE")
    assert [each["id"] for each in bot.received("MESSAGE_CREATE")] == [str(last.id)]
    assert bot.received("MESSAGE_UPDATE") == bot.received("MESSAGE_DELETE") == []
    assert [(str(each.id), each.content) async for each in place.history(oldest_first=True)][
        :2
    ] == [
        (stays, "stays"),
        (changes, "changed"),
    ]
    assert (sandbox.gateway.identifies, sandbox.gateway.resumes) == (2, 0)


async def test_a_gateway_that_is_away_can_refuse_whoever_comes(sandbox: Sandbox) -> None:
    sandbox.gateway.away(refusing=True)
    async with aiohttp.ClientSession() as session:
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await session.ws_connect(sandbox.gateway.url)
        assert refused.value.status == 503
        sandbox.gateway.back()
        async with session.ws_connect(sandbox.gateway.url) as line:
            assert (await line.receive_json())["op"] == 10


async def test_a_sandbox_that_stops_lets_nobody_wait_for_its_gateway() -> None:
    sandbox = Sandbox()
    await sandbox.start()
    sandbox.gateway.away()
    async with aiohttp.ClientSession() as session, aiohttp.ClientSession() as other:
        waiting = asyncio.ensure_future(session.ws_connect(sandbox.gateway.url))
        async with other.get(f"{sandbox.api_base}/gateway"):
            await sandbox.stop()
        with pytest.raises(aiohttp.ClientError):
            await waiting


async def test_the_truth_is_told_outside_with_every_version_of_every_message() -> None:
    sandbox = Sandbox()
    control = Control(sandbox)
    async with sandbox, SandboxClient(control.url, control.token) as people:
        ada = await people.add_user("ada")
        guild = await people.add_guild("Town", await people.add_user("olga"))
        await people.join(ada, guild)
        async with connected(sandbox) as bot:
            await people.gateway_away()
            await bot.hear("disconnect")
            files = {"a.txt": b"words", "b.txt": b"more"}
            said = await people.say(ada, "one", files=files)
            first = said["attachments"][0]["id"]
            await people.edit(ada, said["id"], "two")
            await people.edit(ada, said["id"], without=[first])
            await people.react(ada, said["id"], "👍")
            own = await bot.get_partial_messageable(int(await people.dm(ada))).send("mine")
            await people.delete(ada, said["id"])
            await people.gateway_back(resumable=False)
            await bot.hear("ready", lambda _: sandbox.gateway.identifies == 2)
        told, mine = (await people.truth())[await people.dm(ada)]
    assert (told["author"]["id"], mine["author"]["id"]) == (ada, str(sandbox.world.bot.id))
    assert [each["content"] for each in told["versions"]] == ["one", "two", "two"]
    assert [[one["filename"] for one in each["attachments"]] for each in told["versions"]] == [
        ["a.txt", "b.txt"],
        ["a.txt", "b.txt"],
        ["b.txt"],
    ]
    assert told["deleted"]
    assert told["versions"][-1]["until"] == told["deleted_at"] >= told["versions"][0]["until"]
    assert told["reacted"] == {"👍": [ada]}
    assert (mine["id"], mine["deleted"], mine["deleted_at"]) == (str(own.id), False, None)
    assert sandbox.world.messages[int(said["id"])].attachments[0].blob.sha256 == (
        File(filename="b.txt", data=b"more").blob.sha256
    )
