"""What people post, change and take back, as a real client hears it."""

import hashlib
from functools import partial

import discord
import pytest

from sandbox import Sandbox
from sandbox.blobs import Made
from sandbox.drafts import File
from sandbox.errors import ApiError, NotSeen
from sandbox.permissions import EVERYONE, Permission
from tests.sandbox.conftest import Town
from tests.sandbox.rig import Listener

MIB = 1024 * 1024


async def heard(bot: Listener, message_id: int) -> discord.Message:
    found = await bot.hear("message", lambda each: each.id == message_id)
    assert isinstance(found, discord.Message)
    return found


async def test_files_have_a_name_a_type_a_size_and_may_be_spoilers(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    ada = sandbox.person(town.ada)
    files = [
        File(filename="a note.txt", data=b"words", content_type="text/plain; charset=utf-8"),
        File(filename="cat.png", data=b"picture", content_type="image/png", spoiler=True),
    ]
    note, cat = (await heard(bot, ada.say("look", files=files).id)).attachments
    assert (note.filename, note.title, note.size) == ("a_note.txt", "a note", 5)
    assert note.content_type == "text/plain; charset=utf-8"
    assert (cat.filename, cat.is_spoiler(), cat.flags.spoiler) == ("SPOILER_cat.png", True, True)
    assert await cat.read() == b"picture"


async def test_a_file_that_takes_no_memory_is_the_same_every_time(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    made = Made(2 * MIB + 5, seed=7)
    said = sandbox.person(town.ada).say(files=[File(filename="big.bin", data=made)])
    [attachment] = (await heard(bot, said.id)).attachments
    first, again = await attachment.read(), await attachment.read()
    assert len(first) == attachment.size == 2 * MIB + 5
    assert hashlib.sha256(first).hexdigest() == hashlib.sha256(again).hexdigest() == made.sha256
    assert Made(2 * MIB + 5, seed=8).sha256 != made.sha256


async def test_a_size_can_be_a_lie(sandbox: Sandbox, town: Town, bot: Listener) -> None:
    files = [File(filename="a.txt", data=b"words", claimed_size=1)]
    said = sandbox.person(town.ada).say(files=files)
    [attachment] = (await heard(bot, said.id)).attachments
    assert (attachment.size, await attachment.read()) == (1, b"words")


async def test_a_reply_shows_what_it_answers_until_that_is_gone(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    ada, owner = sandbox.person(town.ada), sandbox.person(town.owner)
    asked = owner.say("well?", town.channel)
    loud = await heard(bot, ada.say("yes", town.channel, reply_to=asked).id)
    quiet = await heard(bot, ada.say("no", town.channel, reply_to=asked, ping=False).id)
    assert loud.type is quiet.type is discord.MessageType.reply
    assert loud.reference is not None
    assert loud.reference.type is discord.MessageReferenceType.reply
    assert isinstance(loud.reference.resolved, discord.Message)
    assert loud.reference.resolved.content == "well?"
    assert ([each.id for each in loud.mentions], quiet.mentions) == ([owner.id], [])
    owner.delete(asked)
    found = await loud.channel.fetch_message(loud.id)
    assert found.reference is not None
    assert isinstance(found.reference.resolved, discord.DeletedReferencedMessage)


async def test_a_forward_carries_a_snapshot_that_outlives_its_original(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    ada = sandbox.person(town.ada)
    files = [File(filename="a.txt", data=b"words")]
    original = ada.say("from afar", town.channel, files=files, stickers=["wave"])
    first = ada.say(forward=original)
    again = ada.say(forward=first)
    ada.delete(original)
    snapshots = []
    for each in (first, again):
        carried = await bot.get_partial_messageable(ada.dm.id).fetch_message(each.id)
        assert carried.flags.forwarded
        assert carried.content == ""
        assert carried.reference is not None
        assert carried.reference.type is discord.MessageReferenceType.forward
        [snapshot] = carried.message_snapshots
        assert snapshot.content == "from afar"
        assert await snapshot.attachments[0].read() == b"words"
        snapshots.append(snapshot)
    ada.delete(first)
    ada.delete(again)
    with pytest.raises(discord.NotFound):
        await snapshots[0].attachments[0].read()
    with pytest.raises(NotSeen, match="of one's own"):
        ada.say("look", forward=ada.say("there"))


async def test_stickers_come_alone_or_with_words(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    said = sandbox.person(town.ada).say(stickers=["wave", {"name": "dance", "format_type": 3}])
    found = await heard(bot, said.id)
    assert found.content == ""
    assert [(each.name, each.format.value) for each in found.stickers] == [
        ("wave", 1),
        ("dance", 3),
    ]


async def test_a_voice_message_is_one_sound_with_its_shape_and_length(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    ada = sandbox.person(town.ada)
    spoken = ada.speak(b"OggS", seconds=2.5)
    found = await heard(bot, spoken.id)
    assert found.flags.voice
    [sound] = found.attachments
    assert (sound.is_voice_message(), sound.duration, sound.content_type) == (
        True,
        2.5,
        "audio/ogg",
    )
    assert sound.waveform
    with pytest.raises(NotSeen):
        ada.edit(spoken, "words")


async def test_who_pays_may_write_more_and_send_larger_files(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    ada = sandbox.person(town.ada)
    huge = File(filename="film.bin", data=Made(11 * MIB))
    for refused in ({"words": "x" * 2001}, {"files": [huge]}):
        with pytest.raises(ApiError):
            ada.say(**refused)
    town.ada.nitro = True
    said = ada.say("x" * 4000, files=[huge])
    found = await heard(bot, said.id)
    assert (len(found.content), found.attachments[0].size) == (4000, 11 * MIB)


async def test_an_edit_says_when_and_names_anew_whom_it_mentions(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    ada = sandbox.person(town.ada)
    files = [File(filename=name, data=b"words") for name in ("a.txt", "b.txt")]
    said = ada.say(f"hello <@{town.owner.id}>", town.channel, files=files)
    gone = said.attachments[0]
    ada.edit(said, "hello you", without=[gone])
    told = await bot.receive("MESSAGE_UPDATE")
    assert (told["content"], told["mentions"]) == ("hello you", [])
    assert [each["filename"] for each in told["attachments"]] == ["b.txt"]
    changed = await bot.hear("raw_message_edit")
    assert changed.message.edited_at is not None
    [before] = said.edits
    assert (before.content, before.attachments[0]) == (f"hello <@{town.owner.id}>", gone)
    assert gone.id not in sandbox.world.attachments
    with pytest.raises(ApiError) as refused:
        sandbox.person(town.owner).edit(said, "not mine")
    assert refused.value.code == 50005


async def test_a_moderator_deletes_many_at_once(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    ada, owner = sandbox.person(town.ada), sandbox.person(town.owner)
    said = [ada.say(str(number), town.channel) for number in range(3)]
    with pytest.raises(ApiError) as refused:
        ada.delete_all(said)
    assert refused.value.code == 50013
    owner.delete_all(said[:2])
    told = await bot.receive("MESSAGE_DELETE_BULK")
    assert told["ids"] == [str(each.id) for each in said[:2]]
    assert [each.deleted for each in said] == [True, True, False]


async def test_typing_and_reactions_are_heard_from_dms_and_guilds(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    ada = sandbox.person(town.ada)
    for place in (ada.dm, town.channel):
        bot.forget()
        said = ada.say("hello", place)
        ada.type_in(place)
        ada.react(said, "👍")
        ada.unreact(said, "👍")
        assert (await bot.hear("raw_typing")).user_id == ada.id
        added = await bot.hear("raw_reaction_add")
        removed = await bot.hear("raw_reaction_remove")
        assert (added.message_author_id, added.emoji.name) == (ada.id, "👍")
        assert removed.message_id == said.id
        assert ("member" in await bot.receive("TYPING_START")) == (place is town.channel)


async def test_without_the_permission_only_a_reaction_that_is_there_can_be_joined(
    sandbox: Sandbox, town: Town
) -> None:
    ada, owner = sandbox.person(town.ada), sandbox.person(town.owner)
    said = ada.say("hello", town.channel)
    everyone = town.guild.roles[town.guild.id]
    sandbox.world.set_permissions(everyone, EVERYONE & ~Permission.ADD_REACTIONS)
    with pytest.raises(ApiError) as refused:
        ada.react(said, "👍")
    assert refused.value.code == 50013
    owner.react(said, "👍")
    ada.react(said, "👍")
    assert said.reactions == {"👍": [owner.id, ada.id]}


async def test_in_an_archived_thread_people_change_nothing_but_wake_it_by_writing(
    sandbox: Sandbox, town: Town
) -> None:
    ada = sandbox.person(town.ada)
    thread = ada.start_thread(ada.say("start", town.channel), "talk")
    said = ada.say("hello", thread)
    assert thread.thread is not None
    thread.thread.archived = True
    acts = (
        partial(ada.edit, said, "other"),
        partial(ada.delete, said),
        partial(ada.react, said, "👍"),
    )
    for act in acts:
        with pytest.raises(ApiError) as refused:
            act()
        assert refused.value.code == 50083
    ada.say("wake", thread)
    ada.edit(said, "other")
    assert said.content == "other"
