"""Words turned into discord.py's objects.

Views and modals are stopped before they are sent, so the library keeps none of them in memory:
every press and every form arrives as a raw interaction and goes through one door
(`cogs.interactions`), before a restart and after it alike.
"""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import discord

from bot.words.values import Button, Message, Modal, PersonInput, Select, Style, Tone

_STYLES = {
    Style.PRIMARY: discord.ButtonStyle.primary,
    Style.SECONDARY: discord.ButtonStyle.secondary,
    Style.SUCCESS: discord.ButtonStyle.success,
    Style.DANGER: discord.ButtonStyle.danger,
}
_COLOURS = {
    Tone.WAITING: discord.Colour(0xF0B232),
    Tone.WORKING: discord.Colour(0x5865F2),
    Tone.GOOD: discord.Colour(0x23A55A),
    Tone.TROUBLE: discord.Colour(0xDA373C),
    Tone.ENDED: discord.Colour(0x80848E),
}


def discord_kwargs(message: Message, *, edit: bool = False) -> dict[str, Any]:
    """The arguments for sending `message`, or with `edit` for making a message show just it.

    Nobody is alerted by it but `message.mentions`, and an edit alerts nobody at all. Needs a
    running event loop, as discord.py's views do.
    """
    alerted = () if edit else message.mentions
    arguments: dict[str, Any] = {"allowed_mentions": _allowed(alerted)}
    if message.text or edit:
        arguments["content"] = message.text or None
    embed = _embed(message)
    if embed is not None or edit:
        arguments["embeds"] = [] if embed is None else [embed]
    if message.custom_ids or edit:
        arguments["view"] = _view(message) if message.custom_ids else None
    if message.quiet and not edit:
        arguments["suppress_embeds"] = True
    return arguments


def discord_files(message: Message, path: Callable[[str], Path]) -> list[discord.File]:
    """The files that go with `message`, opened; the library closes them when it has sent them.

    `path` says where a hash is spooled. Raises OSError, and leaves none open, when one is missing.
    """
    opened: list[discord.File] = []
    with ExitStack() as stack:
        for file in message.files:
            one = discord.File(path(file.sha256), filename=file.name, spoiler=file.spoiler)
            stack.callback(one.close)
            opened.append(one)
        stack.pop_all()
    return opened


def discord_modal(modal: Modal) -> discord.ui.Modal:
    """The form, for `interaction.response.send_modal`."""
    shown = discord.ui.Modal(title=modal.title, custom_id=modal.custom_id, timeout=None)
    for field in modal.inputs:
        if isinstance(field, PersonInput):
            choice = discord.ui.UserSelect[Any](custom_id=field.field_id)
            shown.add_item(discord.ui.Label(text=field.label, component=choice))
            continue
        text = discord.ui.TextInput[Any](
            custom_id=field.field_id,
            style=discord.TextStyle.paragraph if field.long else discord.TextStyle.short,
            required=field.required,
            max_length=field.most,
            placeholder=field.placeholder or None,
            default=field.value or None,
        )
        shown.add_item(discord.ui.Label(text=field.label, component=text))
    shown.stop()
    return shown


def _allowed(alerted: Sequence[int]) -> discord.AllowedMentions:
    allowed = discord.AllowedMentions.none()
    if alerted:
        allowed.users = [discord.Object(member_id) for member_id in alerted]
    return allowed


def _embed(message: Message) -> discord.Embed | None:
    if not (message.title or message.description):
        return None
    embed = discord.Embed(
        title=message.title or None,
        description=message.description or None,
        colour=_COLOURS[message.tone],
    )
    for field in message.fields:
        embed.add_field(name=field.name, value=field.value, inline=field.inline)
    if message.footer:
        embed.set_footer(text=message.footer)
    return embed


def _view(message: Message) -> discord.ui.View:
    view = discord.ui.View(timeout=None)
    for button in message.buttons:
        view.add_item(_button(button))
    if message.select is not None:
        view.add_item(_select(message.select))
    view.stop()
    return view


def _button(button: Button) -> discord.ui.Button[discord.ui.View]:
    return discord.ui.Button(
        label=button.label,
        custom_id=button.custom_id,
        style=_STYLES[button.style],
        emoji=button.emoji,
    )


def _select(select: Select) -> discord.ui.Select[discord.ui.View]:
    return discord.ui.Select(
        custom_id=select.custom_id,
        placeholder=select.placeholder,
        options=[
            discord.SelectOption(
                label=option.label,
                value=option.value,
                description=option.description or None,
                default=option.chosen,
            )
            for option in select.options
        ],
    )
