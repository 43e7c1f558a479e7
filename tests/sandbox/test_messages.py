"""Messages as a real client sends, reads and changes them."""

import io
from collections.abc import AsyncIterator

import aiohttp
import discord
import pytest

from sandbox import Sandbox
from sandbox.entities import Channel
from tests.sandbox.conftest import Town
from tests.sandbox.rig import Listener, point_at

MINUTE = 60_000


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.at = 1_767_225_600_000

    def __call__(self) -> int:
        return self.at


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


def contents(sandbox: Sandbox, channel: Channel) -> list[str]:
    return [each.content for each in sandbox.truth.messages(channel)]


async def test_a_repeated_nonce_answers_the_first_message_and_creates_nothing(
    sandbox: Sandbox, town: Town, square: discord.PartialMessageable
) -> None:
    first = await square.send("first", nonce="key")
    again = await square.send("other words", nonce="key")
    assert (again.id, again.content) == (first.id, "first")
    assert contents(sandbox, town.channel) == ["first"]
    assert [each.effect for each in sandbox.truth.requests(nonce="key")] == [True, True]


async def test_a_nonce_whose_first_message_was_deleted_answers_unknown_message(
    square: discord.PartialMessageable,
) -> None:
    first = await square.send("first", nonce="key")
    await first.delete()
    with pytest.raises(discord.NotFound) as refused:
        await square.send("first", nonce="key")
    assert refused.value.code == 10008


async def test_a_nonce_holds_for_its_window_and_no_longer() -> None:
    clock = Clock()
    async with Sandbox(now=clock, nonce_window_ms=MINUTE) as sandbox:
        world = sandbox.world
        channel = world.add_channel(world.add_guild("Town", owner=world.owner), "square")
        point_at(sandbox)
        client = Listener(discord.Intents.none())
        await client.login(sandbox.token)
        square = client.get_partial_messageable(channel.id)
        first = await square.send("hello", nonce="key")
        clock.at += MINUTE - 1
        assert (await square.send("hello", nonce="key")).id == first.id
        clock.at += 1
        assert (await square.send("hello", nonce="key")).id != first.id
        await client.close()
    assert contents(sandbox, channel) == ["hello", "hello"]


async def test_history_does_not_show_nonces(square: discord.PartialMessageable) -> None:
    await square.send("hello", nonce="key")
    [found] = [each async for each in square.history()]
    assert found.nonce is None


async def test_history_goes_back_forward_and_around(square: discord.PartialMessageable) -> None:
    sent = [await square.send(str(number)) for number in range(7)]

    async def read(**where: discord.abc.Snowflake | int | bool) -> list[str]:
        return [each.content async for each in square.history(**where)]  # type: ignore[arg-type]

    assert await read(limit=3) == ["6", "5", "4"]
    assert await read(limit=2, before=sent[3]) == ["2", "1"]
    assert await read(limit=2, after=sent[3]) == ["4", "5"]
    assert sorted(await read(limit=3, around=sent[3])) == ["2", "3", "4"]
    assert await read(after=sent[6]) == []


async def test_a_long_history_is_read_page_by_page(
    sandbox: Sandbox, town: Town, square: discord.PartialMessageable
) -> None:
    ada = sandbox.person(town.ada)
    first = ada.say("0", town.channel)
    for number in range(1, 251):
        ada.say(str(number), town.channel)
    read = [each.content async for each in square.history(limit=None, after=first)]
    assert read == [str(number) for number in range(1, 251)]


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"content": "x" * 2001}, ["content"]),
        ({"embed": discord.Embed(title="x" * 257)}, ["embeds", "0", "title"]),
        ({"embed": discord.Embed().add_field(name="", value="v")}, ["embeds", "0", "fields"]),
        ({"content": "hello", "nonce": "x" * 26}, ["nonce"]),
    ],
)
async def test_what_is_too_long_is_refused_by_field(
    sandbox: Sandbox,
    town: Town,
    square: discord.PartialMessageable,
    fields: dict[str, object],
    path: list[str],
) -> None:
    with pytest.raises(discord.HTTPException) as refused:
        await square.send(**fields)  # type: ignore[call-overload]
    assert refused.value.code == 50035
    assert ".".join(path) in refused.value.text
    assert contents(sandbox, town.channel) == []


async def test_an_empty_message_is_refused(square: discord.PartialMessageable) -> None:
    with pytest.raises(discord.HTTPException) as refused:
        await square.send(" ")
    assert refused.value.code == 50006


async def test_embeds_and_buttons_come_back_as_they_were_sent(
    square: discord.PartialMessageable,
) -> None:
    view = discord.ui.View(timeout=None)
    view.add_item(discord.ui.Button[discord.ui.View](label="Claim", custom_id="claim:1"))
    view.stop()
    embed = discord.Embed(title="A card", description="of words", colour=0x5865F2)
    embed.add_field(name="who", value="ada", inline=True)
    embed.set_footer(text="small")
    sent = await square.send(embed=embed, view=view)
    found = await square.fetch_message(sent.id)
    [row] = found.components
    assert isinstance(row, discord.ActionRow)
    [button] = row.children
    assert isinstance(button, discord.Button)
    assert (button.label, button.custom_id) == ("Claim", "claim:1")
    shown = found.embeds[0]
    assert (shown.title, shown.description, shown.footer.text) == ("A card", "of words", "small")
    assert [(each.name, each.value) for each in shown.fields] == [("who", "ada")]


async def test_an_edit_changes_what_it_names_and_the_truth_remembers(
    sandbox: Sandbox, town: Town, square: discord.PartialMessageable
) -> None:
    sent = await square.send("before", embed=discord.Embed(title="kept"))
    changed = await sent.edit(content="after")
    assert changed.edited_at is not None
    assert [each.title for each in changed.embeds] == ["kept"]
    [truth] = sandbox.truth.messages(town.channel)
    assert [each.content for each in truth.edits] == ["before"]


async def test_somebody_elses_message_cannot_be_edited_but_may_be_deleted_with_permission(
    sandbox: Sandbox, town: Town, square: discord.PartialMessageable
) -> None:
    said = sandbox.person(town.ada).say("mine", town.channel)
    with pytest.raises(discord.Forbidden) as refused:
        await square.get_partial_message(said.id).edit(content="yours")
    assert refused.value.code == 50005
    await square.get_partial_message(said.id).delete()
    assert sandbox.truth.messages(town.channel) == []
    assert sandbox.truth.messages(town.channel, include_deleted=True) == [said]


async def test_many_messages_are_deleted_at_once(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    ada = sandbox.person(town.ada)
    said = [ada.say(str(number), town.channel) for number in range(3)]
    channel = bot.get_channel(town.channel.id)
    assert isinstance(channel, discord.TextChannel)
    await channel.delete_messages([discord.Object(each.id) for each in said[:2]])
    heard = await bot.hear("raw_bulk_message_delete")
    assert heard.message_ids == {each.id for each in said[:2]}
    assert contents(sandbox, town.channel) == ["2"]


async def test_reactions_are_added_listed_and_removed(
    sandbox: Sandbox, town: Town, square: discord.PartialMessageable
) -> None:
    sent = await square.send("vote")
    sandbox.person(town.ada).react(sandbox.truth.messages()[0], "👍")
    await sent.add_reaction("👍")
    found = await square.fetch_message(sent.id)
    assert [(each.emoji, each.count, each.me) for each in found.reactions] == [("👍", 2, True)]
    assert {each.name async for each in found.reactions[0].users()} == {"ada", "steward"}
    assert isinstance(sent, discord.Message)
    await sent.remove_reaction("👍", discord.Object(sandbox.world.bot.id))
    found = await square.fetch_message(sent.id)
    assert [(each.count, each.me) for each in found.reactions] == [(1, False)]


async def test_files_are_sent_and_fetched_again_until_their_address_expires() -> None:
    clock = Clock()
    async with Sandbox(now=clock) as sandbox:
        world = sandbox.world
        channel = world.add_channel(world.add_guild("Town", owner=world.owner), "square")
        point_at(sandbox)
        client = Listener(discord.Intents.none())
        await client.login(sandbox.token)
        file = discord.File(io.BytesIO(b"words"), filename="a.txt", description="a note")
        sent = await client.get_partial_messageable(channel.id).send("look", file=file)
        [attachment] = sent.attachments
        assert (attachment.filename, attachment.description, attachment.size) == (
            "a.txt",
            "a note",
            5,
        )
        assert await attachment.read() == b"words"
        clock.at += 86_400_000
        with pytest.raises(discord.NotFound):
            await attachment.read()
        await client.close()


async def test_a_download_can_break_off(
    sandbox: Sandbox, square: discord.PartialMessageable
) -> None:
    sent = await square.send(file=discord.File(io.BytesIO(b"words" * 1000), filename="a.txt"))
    sandbox.faults.add("GET /attachments/*", "cut_body")
    with pytest.raises(aiohttp.ClientPayloadError):
        await sent.attachments[0].read()


async def test_a_dm_is_the_same_channel_every_time_and_names_its_newest_message(
    sandbox: Sandbox, town: Town, client: discord.Client
) -> None:
    said = sandbox.person(town.ada).say("hello")
    raw = await client.http.start_private_message(town.ada.id)
    again = await client.http.start_private_message(town.ada.id)
    assert raw == again
    assert raw["last_message_id"] == str(said.id)
    assert [each.name for each in [await client.fetch_user(town.ada.id)]] == ["ada"]


@pytest.mark.parametrize(
    ("body", "errors"),
    [
        ([1], {"_errors"}),
        ({"content": 5}, {"content"}),
        ({"content": "x" * 2001, "nonce": "y" * 26}, {"content", "nonce"}),
    ],
)
async def test_a_body_of_the_wrong_shape_is_refused_where_it_is_wrong(
    sandbox: Sandbox, town: Town, body: object, errors: set[str]
) -> None:
    url = f"{sandbox.api_base}/channels/{town.channel.id}/messages"
    headers = {"Authorization": f"Bot {sandbox.token}"}
    async with (
        aiohttp.ClientSession() as session,
        session.post(url, json=body, headers=headers) as response,
    ):
        answer = await response.json()
    assert (response.status, answer["code"]) == (400, 50035)
    assert set(answer["errors"]) == errors
