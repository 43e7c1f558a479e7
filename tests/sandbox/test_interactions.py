"""Three seconds, fifteen minutes, one first answer: on a clock that is moved by hand."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import discord
import pytest

from bot.clock import FakeClock
from sandbox import Sandbox
from sandbox.acts import Seen
from sandbox.entities import Channel, MessageKind
from sandbox.people import Person
from tests.openapi import OpenApi
from tests.sandbox.rig import Listener, connected


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    sandbox: Sandbox
    clock: FakeClock
    bot: Listener
    ada: Person
    channel: Channel


@pytest.fixture
async def scene(clock: FakeClock, openapi: OpenApi | None) -> AsyncIterator[Scene]:
    async with Sandbox(now=clock.now) as sandbox:
        problems = [] if openapi is None else openapi.attach(sandbox)
        world = sandbox.world
        guild = world.add_guild("Town", owner=world.add_user("olga"), locale="de")
        channel = world.add_channel(guild, "square")
        ada = sandbox.person(world.add_user("ada", locale="de"))
        ada.join(guild)
        async with connected(sandbox) as client:
            yield Scene(sandbox=sandbox, clock=clock, bot=client, ada=ada, channel=channel)
        assert world.unknown == []
        assert problems == []


async def asked(scene: Scene) -> discord.Interaction:
    """What the bot gets when a command is used that it leaves to the test to answer."""

    @scene.bot.tree.command(description="Ask")
    async def ask(interaction: discord.Interaction) -> None:
        scene.bot.dispatch("asked", interaction)

    await scene.bot.tree.sync()
    scene.ada.command("ask", scene.channel)
    interaction: discord.Interaction = await scene.bot.hear("asked")
    return interaction


async def test_the_interaction_says_who_asked_where_and_in_which_language(scene: Scene) -> None:
    interaction = await asked(scene)
    assert isinstance(interaction.user, discord.Member)
    assert interaction.user.id == scene.ada.id
    assert interaction.user.guild_permissions.send_messages
    assert interaction.channel_id == scene.channel.id
    assert (interaction.locale, interaction.guild_locale) == (
        discord.Locale.german,
        discord.Locale.german,
    )
    assert interaction.app_permissions.manage_threads
    assert interaction.context.guild
    assert interaction.is_guild_integration()


async def test_after_three_seconds_the_person_saw_no_answer_and_the_bot_is_too_late(
    scene: Scene,
) -> None:
    interaction = await asked(scene)
    act = scene.sandbox.interactions.get(interaction.id)
    scene.clock.advance(3_000)
    scene.sandbox.interactions.expire()
    assert (await act.first_answer()).seen is Seen.NO_ANSWER
    with pytest.raises(discord.NotFound) as late:
        await interaction.response.send_message("late")
    assert late.value.code == 10062
    assert scene.ada.view(scene.channel) == []


async def test_just_before_three_seconds_it_is_in_time(scene: Scene) -> None:
    interaction = await asked(scene)
    scene.clock.advance(2_999)
    await interaction.response.send_message("in time")
    first = await scene.sandbox.interactions.get(interaction.id).first_answer()
    assert (first.seen, first.after_ms, first.content) == (Seen.MESSAGE, 2_999, "in time")


async def test_a_token_holds_for_fifteen_minutes(scene: Scene) -> None:
    interaction = await asked(scene)
    await interaction.response.send_message("one", ephemeral=True)
    scene.clock.advance(15 * 60_000 - 1)
    await interaction.followup.send("two", ephemeral=True)
    scene.clock.advance(1)
    with pytest.raises(discord.HTTPException) as late:
        await interaction.followup.send("three", ephemeral=True)
    assert (late.value.status, late.value.code) == (401, 50027)
    assert [each.content for each in scene.ada.view(scene.channel)] == ["one", "two"]


async def test_the_original_can_be_read_changed_and_deleted(scene: Scene) -> None:
    interaction = await asked(scene)
    await interaction.response.send_message("one", ephemeral=True)
    original = await interaction.original_response()
    assert original.content == "one"
    await original.edit(content="changed")
    assert [each.content for each in scene.ada.view(scene.channel)] == ["changed"]
    await original.delete()
    assert scene.ada.view(scene.channel) == []
    with pytest.raises(discord.NotFound) as gone:
        await interaction.edit_original_response(content="again")
    assert gone.value.code == 10008


async def test_the_first_follow_up_after_a_deferral_takes_its_place(scene: Scene) -> None:
    interaction = await asked(scene)
    await interaction.response.defer(ephemeral=True)
    sent = await interaction.followup.send("words", wait=True)
    assert sent.flags.ephemeral
    assert not sent.flags.loading
    assert [each.content for each in scene.ada.view(scene.channel)] == ["words"]


async def test_an_ephemeral_answer_is_nobodys_history_and_echoes_without_a_guild(
    scene: Scene,
) -> None:
    interaction = await asked(scene)
    await interaction.response.send_message("for you", ephemeral=True)
    echo = await scene.bot.receive("MESSAGE_CREATE")
    assert "guild_id" not in echo
    assert echo["flags"] & 64
    assert echo["interaction_metadata"]["id"] == str(interaction.id)
    channel = scene.bot.get_partial_messageable(scene.channel.id)
    assert [each async for each in channel.history()] == []
    with pytest.raises(discord.NotFound) as hidden:
        await channel.fetch_message(int(echo["id"]))
    assert hidden.value.code == 10008


async def test_a_public_answer_is_there_for_all_and_says_where_it_comes_from(
    scene: Scene,
) -> None:
    interaction = await asked(scene)
    await interaction.response.send_message("for all")
    channel = scene.bot.get_partial_messageable(scene.channel.id)
    [message] = [each async for each in channel.history()]
    assert message.type is discord.MessageType.chat_input_command
    assert message.interaction_metadata is not None
    assert message.interaction_metadata.id == interaction.id
    assert message.interaction_metadata.user.id == scene.ada.id
    [truth] = scene.sandbox.truth.messages(scene.channel)
    assert truth.kind is MessageKind.CHAT_INPUT_COMMAND


async def test_a_form_outlives_the_bot_that_showed_it(scene: Scene) -> None:
    interaction = await asked(scene)
    form = discord.ui.Modal(title="Ask for help", custom_id="help:1")
    field: discord.ui.TextInput[discord.ui.Modal] = discord.ui.TextInput(custom_id="topic")
    form.add_item(discord.ui.Label(text="Topic", component=field))
    await interaction.response.send_modal(form)
    act = scene.sandbox.interactions.get(interaction.id)
    assert (await act.first_answer()).seen is Seen.MODAL
    await scene.bot.close()
    async with connected(scene.sandbox) as another:
        scene.ada.submit(act, Topic="taxes")
        submitted = await another.receive("INTERACTION_CREATE")
    assert submitted["data"]["custom_id"] == "help:1"
    assert submitted["data"]["components"][0]["component"] == {
        "type": 4,
        "id": submitted["data"]["components"][0]["component"]["id"],
        "custom_id": "topic",
        "value": "taxes",
    }


async def test_a_form_cannot_be_answered_with_a_form(scene: Scene) -> None:
    interaction = await asked(scene)
    form = discord.ui.Modal(title="Ask for help", custom_id="help:1")
    form.add_item(discord.ui.TextInput(label="Topic", custom_id="topic", required=False))
    await interaction.response.send_modal(form)
    scene.ada.submit(scene.sandbox.interactions.get(interaction.id))
    submitted = await scene.bot.hear(
        "interaction", lambda each: each.type is discord.InteractionType.modal_submit
    )
    submitted.response._response_type = None
    with pytest.raises(discord.HTTPException) as refused:
        await submitted.response.send_modal(form)
    assert refused.value.code == 50035


async def test_words_beyond_the_limit_are_refused_and_may_be_answered_better(
    scene: Scene,
) -> None:
    interaction = await asked(scene)
    with pytest.raises(discord.HTTPException) as refused:
        await interaction.response.send_message("x" * 2001)
    assert refused.value.code == 50035
    assert "2000 or fewer" in refused.value.text
    await interaction.response.send_message("x" * 2000)
