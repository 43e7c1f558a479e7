"""What a person does reaches a real bot, and what the bot answers is before that person alone."""

import discord
import pytest
from discord import app_commands

from sandbox import Sandbox
from sandbox.acts import Seen
from sandbox.drafts import File
from sandbox.errors import NotSeen
from sandbox.people import Person
from tests.sandbox.conftest import Town
from tests.sandbox.rig import Listener


async def test_a_command_gets_an_answer_that_only_its_user_sees(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    @bot.tree.command(description="Ask for help")
    async def help_me(interaction: discord.Interaction, topic: str) -> None:
        assert isinstance(interaction.user, discord.Member)
        await interaction.response.send_message(f"You asked: {topic}", ephemeral=True)

    await bot.tree.sync()
    ada, owner = sandbox.person(town.ada), sandbox.person(town.owner)
    asked = ada.command("help_me", town.channel, {"topic": "taxes"})
    answer = await asked.first_answer()
    assert (answer.seen, answer.content) == (Seen.MESSAGE, "You asked: taxes")
    assert 0 <= answer.after_ms < 3000
    assert [each.content for each in ada.view(town.channel)] == ["You asked: taxes"]
    assert owner.view(town.channel) == []


async def test_an_option_that_the_command_does_not_take_cannot_be_entered(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    @bot.tree.command(description="Count")
    async def count(_: discord.Interaction, number: app_commands.Range[int, 1, 5]) -> None:
        raise AssertionError

    await bot.tree.sync()
    ada = sandbox.person(town.ada)
    for options in ({}, {"number": "three"}, {"number": 6}, {"number": 1, "other": 2}):
        with pytest.raises(NotSeen):
            ada.command("count", town.channel, options)
    with pytest.raises(NotSeen, match="no command"):
        ada.command("discount", town.channel, {})


async def test_people_roles_and_channels_arrive_resolved(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    desk = app_commands.Group(name="desk", description="The desk")

    @desk.command(description="Set up")
    async def setup(
        interaction: discord.Interaction,
        channel: discord.TextChannel,
        coordinators: discord.Role,
        member: discord.Member,
    ) -> None:
        words = f"{channel.name} {coordinators.name} {member.name} {member.roles[-1].name}"
        await interaction.response.send_message(words)

    bot.tree.add_command(desk)
    await bot.tree.sync()
    staff = sandbox.world.add_role(town.guild, "staff")
    owner = sandbox.person(town.owner)
    sandbox.world.give_role(town.guild.members[town.ada.id], staff)
    given = {"channel": town.channel, "coordinators": staff, "member": town.ada}
    answer = await owner.command("desk setup", town.channel, given).first_answer()
    assert answer.content == "square staff ada staff"


async def test_completions_are_offered_while_typing(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    @bot.tree.command(description="Show")
    async def show(_: discord.Interaction, request: str) -> None:
        raise AssertionError

    @show.autocomplete("request")
    async def complete(_: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=f"{current}-1", value="first")]

    await bot.tree.sync()
    ada = sandbox.person(town.ada)
    answer = await ada.autocomplete("show", "request", town.channel, request="ab").first_answer()
    assert [each["name"] for each in answer.choices] == ["ab-1"]


class Ask(discord.ui.Modal, title="Ask for help"):
    topic: discord.ui.TextInput["Ask"] = discord.ui.TextInput(label="Topic", custom_id="topic")

    async def on_submit(self, interaction: discord.Interaction, /) -> None:
        await interaction.response.send_message(f"Noted: {self.topic.value}", ephemeral=True)


class Panel(discord.ui.View):
    def __init__(self) -> None:
        super().__init__(timeout=None)

    @discord.ui.button(label="Ask for help", custom_id="ask")
    async def ask(self, interaction: discord.Interaction, _: discord.ui.Button["Panel"]) -> None:
        await interaction.response.send_modal(Ask())

    @discord.ui.select(
        placeholder="Which?",
        custom_id="which",
        options=[discord.SelectOption(label="One", value="1")],
    )
    async def which(
        self, interaction: discord.Interaction, select: discord.ui.Select["Panel"]
    ) -> None:
        await interaction.response.edit_message(content=f"chose {select.values[0]}", view=None)


async def panel(bot: Listener, town: Town) -> discord.Message:
    channel = bot.get_partial_messageable(town.channel.id)
    return await channel.send("Here you can ask.", view=Panel())


async def test_a_button_brings_up_a_form_and_the_form_gets_an_answer(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    await panel(bot, town)
    ada = sandbox.person(town.ada)
    [card] = ada.view(town.channel)
    pressed = ada.click(card, "Ask for help")
    assert (await pressed.first_answer()).seen is Seen.MODAL
    assert pressed.modal is not None
    assert pressed.modal["title"] == "Ask for help"
    with pytest.raises(NotSeen, match="must be filled in"):
        ada.submit(pressed, {})
    answer = await ada.submit(pressed, {"topic": "taxes"}).first_answer()
    assert answer.content == "Noted: taxes"
    with pytest.raises(NotSeen, match="shown no form"):
        sandbox.person(town.owner).submit(pressed, {"topic": "theirs"})


async def test_a_choice_in_a_select_can_change_its_message(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    await panel(bot, town)
    ada = sandbox.person(town.ada)
    [card] = ada.view(town.channel)
    with pytest.raises(NotSeen, match="no option"):
        ada.pick(card, "Two", "Which?")
    answer = await ada.pick(card, "One", "Which?").first_answer()
    assert (answer.seen, card.content) == (Seen.UPDATED, "chose 1")
    with pytest.raises(NotSeen):
        ada.click(card, "Ask for help")


async def test_a_forged_custom_id_reaches_the_bot(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    await panel(bot, town)
    ada = sandbox.person(town.ada)
    ada.click(ada.view(town.channel)[0], custom_id="secret:1", forged=True)
    heard = await bot.receive("INTERACTION_CREATE")
    assert heard["data"]["custom_id"] == "secret:1"


async def test_thinking_becomes_words_and_more_words_follow(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    @bot.tree.command(description="Think")
    async def think(interaction: discord.Interaction) -> None:
        await interaction.response.defer(ephemeral=True)
        await interaction.edit_original_response(content="thought")
        await interaction.followup.send("and more", ephemeral=True)
        bot.dispatch("thought")

    await bot.tree.sync()
    ada = sandbox.person(town.ada)
    asked = ada.command("think", town.channel)
    assert (await asked.first_answer()).seen is Seen.THINKING
    await bot.hear("thought")
    assert [each.content for each in asked.messages] == ["thought", "and more"]
    assert [each.content for each in ada.view(town.channel)] == ["thought", "and more"]
    assert sandbox.truth.messages(town.channel) == []


async def test_a_second_answer_is_refused_with_40060(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    @bot.tree.command(description="Twice")
    async def twice(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("once", ephemeral=True)
        interaction.response._response_type = None
        with pytest.raises(discord.HTTPException) as refused:
            await interaction.response.send_message("twice", ephemeral=True)
        bot.dispatch("refused", refused.value.code)

    await bot.tree.sync()
    sandbox.person(town.ada).command("twice", town.channel)
    assert await bot.hear("refused") == 40060


async def test_a_message_command_carries_its_target(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    @bot.tree.context_menu(name="Nominate this message")
    async def nominate(interaction: discord.Interaction, message: discord.Message) -> None:
        await interaction.response.send_message(f"Nominated: {message.content}", ephemeral=True)

    await bot.tree.sync()
    ada, owner = sandbox.person(town.ada), sandbox.person(town.owner)
    said = owner.say("my work", town.channel)
    answer = await ada.message_command("Nominate this message", said).first_answer()
    assert answer.content == "Nominated: my work"


async def test_a_form_is_shown_to_whoever_types_a_command_in_a_dm(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    @bot.tree.command(description="Mine")
    @app_commands.allowed_contexts(guilds=True, dms=True)
    async def mine(interaction: discord.Interaction) -> None:
        assert isinstance(interaction.user, discord.User)
        assert isinstance(interaction.channel, discord.DMChannel)
        await interaction.response.send_message("Yours", ephemeral=True)

    @bot.tree.command(description="Only there")
    @app_commands.guild_only()
    async def there(_: discord.Interaction) -> None:
        raise AssertionError

    await bot.tree.sync()
    ada: Person = sandbox.person(town.ada)
    answer = await ada.command("mine", ada.dm).first_answer()
    assert answer.content == "Yours"
    with pytest.raises(NotSeen, match="isn't offered here"):
        ada.command("there", ada.dm)


async def test_files_replies_reactions_edits_and_deletions_reach_the_bot(
    sandbox: Sandbox, town: Town, bot: Listener
) -> None:
    ada = sandbox.person(town.ada)
    first = ada.say("look", files=[File(filename="a.txt", data=b"words")])
    heard = await bot.hear("message", lambda message: message.id == first.id)
    assert await heard.attachments[0].read() == b"words"
    reply = ada.say("and?", reply_to=first)
    heard = await bot.hear("message", lambda message: message.id == reply.id)
    assert heard.reference.message_id == first.id
    ada.edit(reply, "and now?")
    changed = await bot.hear("raw_message_edit")
    assert changed.message.content == "and now?"
    ada.react(reply, "👍")
    assert (await bot.hear("raw_reaction_add")).emoji.name == "👍"
    ada.delete(reply)
    assert (await bot.hear("raw_message_delete")).message_id == reply.id
