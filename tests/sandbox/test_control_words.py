"""What people write, over the control API, and what a real bot hears of it."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import discord
import pytest

from sandbox import Sandbox
from sandbox.client import ControlError, SandboxClient
from sandbox.control import Control
from tests.sandbox.rig import Listener, connected


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """A sandbox that is driven from outside, with a guild, two people and a bot."""

    sandbox: Sandbox
    people: SandboxClient
    bot: Listener
    owner: str
    ada: str
    square: str

    async def heard(self, message_id: str) -> discord.Message:
        found = await self.bot.hear("message", lambda each: str(each.id) == message_id)
        assert isinstance(found, discord.Message)
        return found


@pytest.fixture
async def visit() -> AsyncIterator[Visit]:
    sandbox = Sandbox()
    control = Control(sandbox)
    async with sandbox, SandboxClient(control.url, control.token) as people:
        owner, ada = await people.add_user("olga"), await people.add_user("ada", nitro=True)
        guild = await people.add_guild("Town", owner)
        square = await people.add_channel(guild, "square")
        await people.join(ada, guild)
        async with connected(sandbox) as bot:
            yield Visit(
                sandbox=sandbox, people=people, bot=bot, owner=owner, ada=ada, square=square
            )


async def test_files_of_every_sort_are_posted_from_outside(visit: Visit) -> None:
    files: list[dict[str, Any]] = [
        {"filename": "a.txt", "data": b"words", "content_type": "text/plain"},
        {"filename": "b.png", "data": b"picture", "spoiler": True, "claimed_size": 3},
        {"filename": "c.bin", "size": 300_000, "seed": 5},
    ]
    said = await visit.people.say(visit.ada, "x" * 3000, files=files)
    text, picture, made = (await visit.heard(said["id"])).attachments
    assert (text.content_type, await text.read()) == ("text/plain", b"words")
    assert (picture.is_spoiler(), picture.size) == (True, 3)
    assert made.size == len(await made.read()) == 300_000


async def test_replies_forwards_stickers_and_sounds_are_posted_from_outside(visit: Visit) -> None:
    people = visit.people
    first = await people.say(visit.owner, "first", channel=visit.square)
    reply = await people.say(visit.ada, "re", channel=visit.square, reply_to=first["id"])
    quiet = await people.say(
        visit.ada, "re", channel=visit.square, reply_to=first["id"], ping=False
    )
    forward = await people.say(visit.ada, forward=first["id"])
    sticker = await people.say(visit.ada, stickers=["wave"])
    sound = await people.speak(visit.ada, b"OggS", seconds=3.0)
    heard = [await visit.heard(each["id"]) for each in (reply, quiet, forward, sticker, sound)]
    assert [len(each.mentions) for each in heard[:2]] == [1, 0]
    assert heard[2].message_snapshots[0].content == "first"
    assert heard[3].stickers[0].name == "wave"
    assert heard[4].attachments[0].duration == 3.0


async def test_words_are_changed_taken_back_and_reacted_to_from_outside(visit: Visit) -> None:
    people = visit.people
    files = {"a.txt": b"words", "b.txt": b"more"}
    said = await people.say(visit.ada, "before", files=files)
    changed = await people.edit(
        visit.ada, said["id"], "after", without=[said["attachments"][0]["id"]]
    )
    assert [each["filename"] for each in changed["attachments"]] == ["b.txt"]
    assert (await visit.bot.hear("raw_message_edit")).message.content == "after"
    unfurled = await people.unfurl(said["id"], "https://example.org/")
    assert unfurled["edited_timestamp"] == changed["edited_timestamp"]
    told = await visit.bot.receive("MESSAGE_UPDATE", lambda data: bool(data["embeds"]))
    assert told["edited_timestamp"] == changed["edited_timestamp"]
    assert told["embeds"][0]["url"] == "https://example.org/"
    await people.react(visit.ada, said["id"], "👍")
    assert (await visit.bot.hear("raw_reaction_add")).emoji.name == "👍"
    await people.unreact(visit.ada, said["id"], "👍")
    await visit.bot.hear("raw_reaction_remove")
    await people.type_in(visit.ada)
    assert str((await visit.bot.hear("raw_typing")).user_id) == visit.ada
    await people.delete(visit.ada, said["id"])
    assert str((await visit.bot.hear("raw_message_delete")).message_id) == said["id"]
    many = [(await people.say(visit.ada, each, channel=visit.square))["id"] for each in "abc"]
    with pytest.raises(ControlError) as refused:
        await people.delete_all(visit.ada, many)
    assert refused.value.body["code"] == 50013
    await people.delete_all(visit.owner, many)
    gone = await visit.bot.hear("raw_bulk_message_delete")
    assert gone.message_ids == {int(each) for each in many}
