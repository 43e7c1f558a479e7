"""Files go with a message: in one request, under its nonce, from their start at every attempt."""

import time
from collections.abc import AsyncIterator
from pathlib import Path

import discord
import pytest
from discord.http import Route

from bot.delivery import discord_wire
from bot.delivery.discord_messenger import DiscordMessenger
from bot.delivery.spool import Spool
from bot.words.values import FileRef, Message
from domain.delivery import Done, NotDone, Rejected, Unknown
from sandbox import Sandbox
from sandbox.entities import Channel

SEND = "POST /channels/{channel_id}/messages"
MIB = 1024 * 1024


@pytest.fixture
async def sandbox(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Sandbox]:
    async with Sandbox() as made:
        monkeypatch.setattr(Route, "BASE", made.api_base)
        yield made


@pytest.fixture
def spool(tmp_path: Path) -> Spool:
    return Spool(tmp_path / "spool")


@pytest.fixture
async def messenger(sandbox: Sandbox, spool: Spool) -> AsyncIterator[DiscordMessenger]:
    client = discord.Client(intents=discord.Intents.none(), http_trace=discord_wire.trace())
    await client.login(sandbox.token)
    yield DiscordMessenger(client, spool)
    await client.close()


@pytest.fixture
def dm(sandbox: Sandbox) -> Channel:
    ada = sandbox.person(sandbox.world.add_user("ada"))
    ada.join(sandbox.world.add_guild("Town", owner=sandbox.world.owner))
    ada.say("hello")
    return ada.dm


def spooled(spool: Spool, name: str, data: bytes, *, spoiler: bool = False) -> FileRef:
    incoming = spool.begin()
    incoming.write(data)
    sha256 = incoming.keep()
    return FileRef(sha256=sha256, name=name, size=len(data), ordinal=1, spoiler=spoiler)


async def send(messenger: DiscordMessenger, dm: Channel, message: Message) -> object:
    later = time.time_ns() // 1_000_000 + 60_000
    return await messenger.send(dm.id, message, key="k" * 20, not_after=later)


def shown(sandbox: Sandbox, dm: Channel) -> list[list[tuple[str, str, int]]]:
    """The files of each of our messages there."""
    ours = sandbox.truth.messages(dm, author=sandbox.world.bot)
    return [
        [(one.filename, one.blob.sha256, one.blob.size) for one in message.attachments]
        for message in ours
    ]


async def test_a_message_bears_its_files_in_order(
    sandbox: Sandbox, messenger: DiscordMessenger, spool: Spool, dm: Channel
) -> None:
    one = spooled(spool, "a.png", b"one" * 50_000)
    two = spooled(spool, "b.txt", b"", spoiler=True)
    outcome = await send(messenger, dm, Message(text="look", quiet=True, files=(one, two)))
    assert isinstance(outcome, Done)
    [message] = sandbox.truth.messages(dm, author=sandbox.world.bot)
    assert (message.id, message.content, message.nonce) == (outcome.message_id, "look", "k" * 20)
    assert shown(sandbox, dm) == [
        [("a.png", one.sha256, one.size), ("SPOILER_b.txt", two.sha256, two.size)]
    ]


async def test_an_attempt_with_files_is_one_request_and_a_repeat_makes_no_second_message(
    sandbox: Sandbox, messenger: DiscordMessenger, spool: Spool, dm: Channel
) -> None:
    message = Message(text="look", files=(spooled(spool, "a.bin", bytes(MIB)),))
    sandbox.faults.add(SEND, "status_after", status=502)
    assert isinstance(await send(messenger, dm, message), Unknown)
    assert len(sandbox.truth.requests(SEND)) == 1
    assert isinstance(await send(messenger, dm, message), Done)
    assert len(shown(sandbox, dm)) == 1
    first, second = (exchange.files for exchange in sandbox.truth.requests(SEND))
    assert [one["sha256"] for one in first] == [one["sha256"] for one in second]


async def test_a_repeat_after_nothing_arrived_bears_the_whole_file(
    sandbox: Sandbox, messenger: DiscordMessenger, spool: Spool, dm: Channel
) -> None:
    file = spooled(spool, "a.bin", bytes(range(256)) * 4096)
    sandbox.faults.add(SEND, "close_before")
    assert isinstance(await send(messenger, dm, Message(files=(file,))), Unknown)
    assert isinstance(await send(messenger, dm, Message(files=(file,))), Done)
    assert shown(sandbox, dm) == [[("a.bin", file.sha256, file.size)]]


async def test_what_discord_finds_too_large_is_refused_as_that(
    sandbox: Sandbox, messenger: DiscordMessenger, spool: Spool, dm: Channel
) -> None:
    file = spooled(spool, "a.bin", bytes(10 * MIB + 1))
    outcome = await send(messenger, dm, Message(files=(file,)))
    assert outcome == Rejected(problem="too_large")
    assert shown(sandbox, dm) == []


async def test_without_its_file_nothing_is_sent(
    sandbox: Sandbox, messenger: DiscordMessenger, spool: Spool, dm: Channel
) -> None:
    there, gone = spooled(spool, "a.txt", b"one"), spooled(spool, "b.txt", b"two")
    spool.remove(gone.sha256)
    outcome = await send(messenger, dm, Message(text="look", files=(there, gone)))
    assert outcome == NotDone(problem="file_missing")
    assert sandbox.truth.requests(SEND) == []


async def test_an_edit_leaves_the_files_where_they_are(
    sandbox: Sandbox, messenger: DiscordMessenger, spool: Spool, dm: Channel
) -> None:
    file = spooled(spool, "a.txt", b"one")
    outcome = await send(messenger, dm, Message(text="look", files=(file,)))
    assert isinstance(outcome, Done)
    assert outcome.message_id is not None
    edited = Message(text="look here", files=(file,))
    assert isinstance(await messenger.edit(dm.id, outcome.message_id, edited), Done)
    [message] = sandbox.truth.messages(dm, author=sandbox.world.bot)
    assert message.content == "look here"
    assert shown(sandbox, dm) == [[("a.txt", file.sha256, 3)]]
