"""What strangers type at its worst, and what no page may become by it."""

import re

from bot.words.values import Input, Message, Modal, Select
from domain.text import discord_length

LARGEST = 2**63 - 1
LONG_AGO_MS = 253_402_300_799_000
HOSTILE = [
    "@everyone <@1> <@&1> <#1> </help:1>",
    "# heading\n-# small\n> quote\n- list",
    "[click](https://example.org) https://example.org",
    "```code``` `code` **bold** __under__ ~~gone~~ ||spoiler||",
    "<t:0:R> <:a:1> <a:b:1>",
    "\u202eright to left",
    "\\" * 4000,
    "*" * 4000,
    "😀" * 4000,
    "👩\u200d👩\u200d👧" * 800,
    "a" + "\u0301" * 4000,
]
FORGED = re.compile(r"<[@#/:at]|\]\(|https?:|```|`|\|\||\*\*|__|~~|^#|^>|^- |^-#", re.MULTILINE)
OURS = re.compile(
    r"\[(?:Open|Öffnen)\]\(https?://[^\s()<>\[\]`|\\]+\) · |^<https?://[^\s()<>\[\]`|\\]+>$|"
    r"<@&?[0-9]+>|<#[0-9]+>|<t:[0-9]+:[Rf]>|^-# |^- (?=[A-ZÖ])|^`ABCDE` |^\*\*[^*\\\n]+\*\*$",
    re.MULTILINE,
)


def check_limits(message: Message) -> None:
    """https://discord.com/developers/docs/resources/message#embed-object-embed-limits"""
    shown = [message.title, message.description, message.footer]
    shown += [part for field in message.fields for part in (field.name, field.value)]
    assert message.text or message.title or message.description
    assert discord_length(message.text) <= 2000
    assert discord_length(message.title) <= 256
    assert discord_length(message.description) <= 4096
    assert discord_length(message.footer) <= 2048
    assert len(message.fields) <= 25
    for field in message.fields:
        assert 0 < discord_length(field.name) <= 256
        assert 0 < discord_length(field.value) <= 1024
    assert sum(map(discord_length, shown)) <= 6000
    assert len(message.buttons) <= 5
    assert len(message.custom_ids) == len(message.buttons) + (message.select is not None)
    for button in message.buttons:
        assert 0 < discord_length(button.label) <= 80
        assert 0 < discord_length(button.custom_id) <= 100
    if message.select is not None:
        check_select(message.select)


def check_select(select: Select) -> None:
    """https://discord.com/developers/docs/components/reference#string-select"""
    assert 0 < discord_length(select.placeholder) <= 150
    assert 1 <= len(select.options) <= 25
    assert len({option.value for option in select.options}) == len(select.options)
    for option in select.options:
        assert 0 < discord_length(option.label) <= 100
        assert 0 < discord_length(option.description) <= 100


def check_nothing_is_forged(message: Message) -> None:
    texts = [message.text, message.title, message.description, message.footer]
    texts += [part for field in message.fields for part in (field.name, field.value)]
    for text in texts:
        # What is escaped is shown as it stands; what is left of ours is known.
        bare = OURS.sub("", re.sub(r"\\.", "", text))
        assert not FORGED.search(bare), text


def check_form(form: Modal) -> None:
    """https://discord.com/developers/docs/components/reference#text-input"""
    assert 0 < discord_length(form.title) <= 45
    assert 0 < discord_length(form.custom_id) <= 100
    assert 1 <= len(form.inputs) <= 5
    assert len({field.field_id for field in form.inputs}) == len(form.inputs)
    for field in form.inputs:
        assert isinstance(field, Input)
        assert 0 < discord_length(field.label) <= 45
        assert discord_length(field.placeholder) <= 100
        assert len(field.value) <= field.most <= 4000
