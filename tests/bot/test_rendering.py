"""Words become discord.py's objects: nobody is alerted, and the library keeps nothing."""

import json
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.rendering import discord_files, discord_kwargs, discord_modal
from bot.words.values import (
    Button,
    Field,
    FileRef,
    Input,
    Message,
    Modal,
    Option,
    Select,
    Style,
    Tone,
    message_from_json,
)

BUTTONS = (
    Button(label="Claim", custom_id="claim:7", style=Style.PRIMARY),
    Button(label="Extend", custom_id="extend:7"),
)
FULL = Message(
    text="Hello",
    title="ABCDE",
    description="Printer",
    fields=(Field(name="State", value="Waiting", inline=True),),
    footer="Only you see this",
    tone=Tone.GOOD,
    buttons=BUTTONS,
)


async def test_a_message_is_rendered_whole() -> None:
    arguments = discord_kwargs(FULL)
    (embed,) = arguments["embeds"]
    assert arguments["content"] == "Hello"
    assert (embed.title, embed.description) == ("ABCDE", "Printer")
    assert [(field.name, field.value, field.inline) for field in embed.fields] == [
        ("State", "Waiting", True)
    ]
    assert embed.footer.text == "Only you see this"
    assert [
        (button["label"], button["custom_id"], button["style"])
        for row in arguments["view"].to_components()
        for button in row["components"]
    ] == [("Claim", "claim:7", 1), ("Extend", "extend:7", 2)]


@pytest.mark.parametrize("edit", [False, True])
@pytest.mark.parametrize("message", [FULL, Message(text="@everyone")])
async def test_nobody_is_ever_alerted(message: Message, edit: bool) -> None:
    allowed = discord_kwargs(message, edit=edit)["allowed_mentions"]
    assert allowed.to_dict() == {"parse": []}


async def test_those_alone_are_alerted_whom_a_message_says_outright_and_once() -> None:
    message = Message(text="<@5> <@6> <@7> @everyone", mentions=(5, 6))
    allowed = discord_kwargs(message)["allowed_mentions"]
    assert allowed.to_dict() == {"parse": [], "users": [5, 6]}
    edited = discord_kwargs(message, edit=True)["allowed_mentions"]
    assert edited.to_dict() == {"parse": []}


def test_who_is_alerted_is_kept_on_disk_and_an_older_message_alerts_nobody() -> None:
    message = Message(text="<@5>", mentions=(5, 2**63 - 1))
    assert message_from_json(message.to_json()) == message
    older = json.loads(Message(text="Hello").to_json())
    del older["mentions"]
    assert message_from_json(json.dumps(older)).mentions == ()


async def test_sending_names_only_what_there_is() -> None:
    assert set(discord_kwargs(Message(text="Hello"))) == {"content", "allowed_mentions"}
    assert set(discord_kwargs(Message(title="ABCDE"))) == {"embeds", "allowed_mentions"}


async def test_an_edit_takes_away_what_the_message_no_longer_has() -> None:
    arguments = discord_kwargs(Message(text="Done"), edit=True)
    assert (arguments["content"], arguments["embeds"], arguments["view"]) == ("Done", [], None)
    assert discord_kwargs(Message(title="ABCDE"), edit=True)["content"] is None


@pytest.mark.parametrize("tone", Tone)
@pytest.mark.parametrize("style", Style)
async def test_every_tone_has_a_colour_and_every_style_a_button(tone: Tone, style: Style) -> None:
    button = Button(label="Claim", custom_id="claim:7", style=style)
    arguments = discord_kwargs(Message(title="ABCDE", tone=tone, buttons=(button,)))
    assert arguments["embeds"][0].colour is not None
    (shown,) = arguments["view"].children
    assert shown.style.name == style.value


async def test_a_view_is_finished_before_it_is_sent_so_that_it_is_not_kept() -> None:
    assert discord_kwargs(FULL)["view"].is_finished()
    assert discord_kwargs(FULL, edit=True)["view"].is_finished()


CHOICE = Select(
    custom_id="room",
    placeholder="Choose",
    options=(
        Option(label="ABCDE", value="1", description="Town", chosen=True),
        Option(label="FGHIJ", value="2"),
    ),
)


async def test_a_select_is_rendered_whole_below_the_buttons_and_not_kept() -> None:
    view = discord_kwargs(Message(text="Which?", buttons=BUTTONS, select=CHOICE))["view"]
    assert view.is_finished()
    rows: Any = json.loads(json.dumps(view.to_components()))
    assert [len(row["components"]) for row in rows] == [2, 1]
    (select,) = rows[1]["components"]
    assert (select["custom_id"], select["placeholder"]) == ("room", "Choose")
    assert [
        (option["label"], option["value"], option.get("description"), option["default"])
        for option in select["options"]
    ] == [("ABCDE", "1", "Town", True), ("FGHIJ", "2", None, False)]


def test_a_select_is_kept_on_disk_as_it_was_and_its_id_is_one_of_the_messages() -> None:
    message = Message(text="Which?", select=CHOICE)
    assert message_from_json(message.to_json()) == message
    assert message.custom_ids == {"room"}
    older = json.loads(Message(text="Hello").to_json())
    del older["select"]
    assert message_from_json(json.dumps(older)) == Message(text="Hello")


def test_a_message_s_files_are_kept_on_disk_and_one_without_is_as_it_always_was() -> None:
    file = FileRef(sha256="1" * 64, name="a.png", size=5, ordinal=2, spoiler=True)
    message = Message(text="Look", files=(file,))
    assert message_from_json(message.to_json()) == message
    assert "files" not in json.loads(Message(text="Hello").to_json())


async def test_files_are_opened_under_their_names_and_an_edit_has_none(tmp_path: Path) -> None:
    for name in ("1" * 64, "2" * 64):
        (tmp_path / name).write_text("x")
    files = (
        FileRef(sha256="1" * 64, name="SPOILER_a.png", size=1, ordinal=1, spoiler=True),
        FileRef(sha256="2" * 64, name="b.txt", size=1, ordinal=2),
    )
    message = Message(text="Look", files=files)
    opened = discord_files(message, tmp_path.joinpath)
    assert [one.filename for one in opened] == ["SPOILER_a.png", "b.txt"]
    assert "files" not in discord_kwargs(message, edit=True)
    for one in opened:
        one.close()


async def test_where_one_file_is_missing_none_stays_open(tmp_path: Path) -> None:
    (tmp_path / ("1" * 64)).write_text("x")
    there, gone = (
        FileRef(sha256=digit * 64, name="a", size=1, ordinal=int(digit)) for digit in "12"
    )
    with pytest.raises(FileNotFoundError):
        discord_files(Message(files=(there, gone)), tmp_path.joinpath)


FORM = Modal(
    custom_id="help:1",
    title="Ask for help",
    inputs=(
        Input(field_id="topic", label="Topic", most=100, placeholder="In a few words", value="Ink"),
        Input(field_id="details", label="Details", most=2000, long=True, required=False),
    ),
)


async def test_a_form_is_rendered_whole_and_not_kept() -> None:
    shown = discord_modal(FORM)
    payload: Any = json.loads(json.dumps(shown.to_dict()))
    assert shown.is_finished()
    assert (payload["custom_id"], payload["title"]) == ("help:1", "Ask for help")
    assert [label["label"] for label in payload["components"]] == ["Topic", "Details"]
    topic, details = (label["component"] for label in payload["components"])
    assert topic["custom_id"] == "topic"
    assert topic["style"] == discord.TextStyle.short.value
    assert (topic["max_length"], topic["required"]) == (100, True)
    assert (topic["placeholder"], topic["value"]) == ("In a few words", "Ink")
    assert details["custom_id"] == "details"
    assert details["style"] == discord.TextStyle.paragraph.value
    assert (details["max_length"], details["required"]) == (2000, False)
