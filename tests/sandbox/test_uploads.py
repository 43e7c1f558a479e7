"""The bot's own files: sent as a real client sends them, kept by their hash, held to the limits."""

import hashlib
import io
from collections.abc import AsyncIterator

import aiohttp
import discord
import pytest

from sandbox import Sandbox
from sandbox.blobs import Made
from sandbox.client import SandboxClient
from sandbox.control import Control
from sandbox.drafts import File
from tests.sandbox.conftest import Town
from tests.sandbox.rig import Listener, point_at

MIB = 1024 * 1024
POST = "POST /channels/{channel_id}/messages"


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def file(name: str, data: bytes, spoiler: bool = False) -> discord.File:
    return discord.File(io.BytesIO(data), filename=name, spoiler=spoiler)


@pytest.fixture
async def client(sandbox: Sandbox, town: Town) -> AsyncIterator[discord.Client]:
    """Logged in over REST alone."""
    point_at(sandbox)
    made = Listener(discord.Intents.none())
    await made.login(sandbox.token)
    yield made
    await made.close()


@pytest.fixture
def square(client: discord.Client, town: Town) -> discord.PartialMessageable:
    return client.get_partial_messageable(town.channel.id, guild_id=town.guild.id)


@pytest.fixture
def dm(client: discord.Client, sandbox: Sandbox, town: Town) -> discord.PartialMessageable:
    return client.get_partial_messageable(sandbox.person(town.ada).dm.id)


async def test_ten_files_go_to_a_channel_and_to_a_dm(
    sandbox: Sandbox,
    town: Town,
    square: discord.PartialMessageable,
    dm: discord.PartialMessageable,
) -> None:
    for place in (square, dm):
        files = [file(f"{number}.txt", b"words %d" % number) for number in range(10)]
        sent = await place.send("ten", files=files)
        assert [each.filename for each in sent.attachments] == [f"{n}.txt" for n in range(10)]
        assert await sent.attachments[9].read() == b"words 9"
        [truth] = sandbox.truth.messages(place.id)
        assert [each.blob.sha256 for each in truth.attachments] == [
            sha256(b"words %d" % number) for number in range(10)
        ]


async def test_names_types_and_spoilers_are_answered(square: discord.PartialMessageable) -> None:
    files = [
        file("a note.txt", b"words"),
        file("cat.png", b"picture", spoiler=True),
        file("some.zzz", b"things"),
    ]
    sent = await square.send(files=files)
    assert [(each.filename, each.size, each.content_type) for each in sent.attachments] == [
        ("a_note.txt", 5, "text/plain; charset=utf-8"),
        ("SPOILER_cat.png", 7, "image/png"),
        ("some.zzz", 6, "application/octet-stream"),
    ]


@pytest.mark.parametrize(
    ("sizes", "status", "code"),
    [([10 * MIB], 200, None), ([10 * MIB + 1], 413, 40005), ([1] * 11, 400, 50035)],
)
async def test_limits_are_discords(
    sandbox: Sandbox,
    town: Town,
    square: discord.PartialMessageable,
    sizes: list[int],
    status: int,
    code: int | None,
) -> None:
    form = aiohttp.FormData()
    form.add_field("payload_json", '{"content": "look"}')
    for index, size in enumerate(sizes):
        form.add_field(f"files[{index}]", io.BytesIO(b"x" * size), filename="a.bin")
    url = f"{sandbox.api_base}/channels/{town.channel.id}/messages"
    headers = {"Authorization": f"Bot {sandbox.token}"}
    async with (
        aiohttp.ClientSession() as session,
        session.post(url, data=form, headers=headers) as answer,
    ):
        body = await answer.json()
    assert (answer.status, body.get("code")) == (status, code)
    assert len(sandbox.truth.messages(town.channel)) == (status == 200)


async def test_a_repeated_nonce_answers_the_first_message_with_its_files(
    sandbox: Sandbox, town: Town, square: discord.PartialMessageable
) -> None:
    first = await square.send("first", file=file("a.txt", b"words"), nonce="key")
    again = await square.send("first", file=file("a.txt", b"words"), nonce="key")
    assert (again.id, again.attachments[0].id) == (first.id, first.attachments[0].id)
    [truth] = sandbox.truth.messages(town.channel)
    assert len(truth.attachments) == 1
    assert [each.files[0]["sha256"] for each in sandbox.truth.requests(POST)] == [
        sha256(b"words"),
        sha256(b"words"),
    ]


async def test_an_entry_describes_the_file_of_its_own_number(
    sandbox: Sandbox, town: Town, square: discord.PartialMessageable
) -> None:
    form = aiohttp.FormData()
    entries = '[{"id": 7, "filename": "seven.txt"}, {"id": 3, "description": "the third"}]'
    form.add_field("payload_json", f'{{"attachments": {entries}}}')
    form.add_field("files[3]", b"3", filename="three.txt")
    form.add_field("files[7]", b"7", filename="x")
    url = f"{sandbox.api_base}/channels/{town.channel.id}/messages"
    headers = {"Authorization": f"Bot {sandbox.token}"}
    async with (
        aiohttp.ClientSession() as session,
        session.post(url, data=form, headers=headers) as answer,
    ):
        found = (await answer.json())["attachments"]
    assert [(each["filename"], each.get("description")) for each in found] == [
        ("three.txt", "the third"),
        ("seven.txt", None),
    ]


async def test_an_edit_keeps_drops_and_adds_files(square: discord.PartialMessageable) -> None:
    sent = await square.send(files=[file("a.txt", b"a"), file("b.txt", b"b")])
    gone, kept = sent.attachments
    changed = await sent.edit(attachments=[kept, file("c.txt", b"c")])
    assert [each.filename for each in changed.attachments] == ["b.txt", "c.txt"]
    with pytest.raises(discord.NotFound):
        await gone.read()
    assert (await sent.edit(attachments=[], content="no files")).attachments == []


async def test_what_the_bot_sends_on_is_held_once_and_the_oldest_goes_first(
    sandbox: Sandbox, town: Town, square: discord.PartialMessageable
) -> None:
    blobs = sandbox.world.blobs
    made = Made(MIB, seed=1)
    said = sandbox.person(town.ada).say(files=[File(filename="a.bin", data=made)])
    sent = await square.send(file=file("a.bin", b"".join(made.chunks())))
    assert blobs.held == 0
    assert sandbox.world.attachments[sent.attachments[0].id].blob is said.attachments[0].blob
    blobs.most = 10
    first = await square.send(file=file("a.txt", b"first!"))
    again = await square.send(file=file("b.txt", b"first!"))
    assert blobs.held == 6
    assert await again.attachments[0].read() == b"first!"
    await square.send(file=file("c.txt", b"second"))
    assert blobs.held == 6
    with pytest.raises(discord.NotFound):
        await first.attachments[0].read()
    known = sandbox.world.attachments[first.attachments[0].id].blob
    assert (known.size, known.sha256) == (6, sha256(b"first!"))


async def test_what_was_uploaded_is_told_outside() -> None:
    sandbox = Sandbox()
    control = Control(sandbox)
    async with sandbox, SandboxClient(control.url, control.token) as people:
        guild = await people.add_guild("Town", await people.add_user("olga"))
        square = await people.add_channel(guild, "square")
        point_at(sandbox)
        client = Listener(discord.Intents.none())
        await client.login(sandbox.token)
        await client.get_partial_messageable(int(square)).send(file=file("a.txt", b"words"))
        await client.close()
        [told] = await people.messages(square)
        assert told["attachments"][0]["sha256"] == sha256(b"words")
        [request] = await people.requests(POST)
        assert request["files"] == [
            {
                "slot": 0,
                "filename": "a.txt",
                "content_type": "text/plain; charset=utf-8",
                "size": 5,
                "sha256": sha256(b"words"),
            }
        ]
