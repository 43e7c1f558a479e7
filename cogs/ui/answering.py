"""Answering an interaction: commit, then answer, within Discord's three seconds, in every case.

Nothing that goes wrong leaves a person without a sentence. A refusal of the domain has its own; an
unexpected failure is an apology with a reference that the log has too.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from io import BytesIO

import discord

from bot.rendering import discord_kwargs, discord_modal
from bot.words.sentences import refusal, say
from bot.words.values import Message, Modal
from domain.errors import Refused

log = logging.getLogger(__name__)

Work = Callable[[], Awaitable[Message]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A file for one person, and the words beside it."""

    message: Message
    name: str
    data: bytes


class Aside(Exception):
    """To be said in a message of its own: the one that the pressed button is on stays as it is."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.text)
        self.message = message


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    message: Message
    is_aside: bool = False


DEFER_SECONDS = 1.5
_OVER = (10062, 40060)

# The loop itself keeps only weak references to tasks.
_WORKING: set[asyncio.Task[_Said]] = set()


def locale_of(interaction: discord.Interaction) -> str:
    """The person's own language, as Discord gives it."""
    return str(interaction.locale)


async def answer(interaction: discord.Interaction, work: Work, *, update: bool = False) -> None:
    """Do `work` and show its message to the person alone; raises nothing.

    Work that takes long is acknowledged meanwhile and goes on; it is never cancelled. With `update`
    the message that the pressed button is on is changed instead, where only they see it: a forged
    press under a message for everybody must not overwrite that. It stays where `work` raises
    `Aside`.
    """
    pressed = interaction.message
    update = update and pressed is not None and pressed.flags.ephemeral
    task = asyncio.ensure_future(_worded(interaction, work))
    _WORKING.add(task)
    task.add_done_callback(_WORKING.discard)
    done, _ = await asyncio.wait({task}, timeout=DEFER_SECONDS)
    try:
        if done:
            said = task.result()
            await _first(interaction, said.message, update=update and not said.is_aside)
            return
        await interaction.response.defer(ephemeral=True, thinking=not update)
        said = await asyncio.shield(task)
        if update and said.is_aside:
            await interaction.followup.send(ephemeral=True, **discord_kwargs(said.message))
        else:
            await interaction.edit_original_response(**discord_kwargs(said.message, edit=True))
    except Exception as error:  # noqa: BLE001 - the answer is lost, whatever lost it
        _not_shown(interaction, error)


async def answer_with_file(
    interaction: discord.Interaction, work: Callable[[], Awaitable[Document]]
) -> None:
    """Acknowledge, do `work`, and show its file to the person alone; raises nothing.

    Acknowledged first, for a large file takes longer to send than an answer may. Where that fails
    nothing is done.
    """
    try:
        await interaction.response.defer(ephemeral=True, thinking=True)
    except Exception as error:  # noqa: BLE001 - whatever lost it, there is nobody to answer
        _not_shown(interaction, error)
        return
    files: list[discord.File] = []
    try:
        document = await work()
    except Exception as error:  # noqa: BLE001 - the edge: a person is waiting
        message = worded(interaction, error)
    else:
        message = document.message
        files = [discord.File(BytesIO(document.data), document.name)]
    try:
        await interaction.edit_original_response(
            **discord_kwargs(message, edit=True), attachments=files
        )
    except Exception as error:  # noqa: BLE001 - the answer is lost, whatever lost it
        _not_shown(interaction, error)


async def show_form(
    interaction: discord.Interaction, check: Callable[[], Awaitable[None]], form: Modal
) -> None:
    """Show a form unless `check` refuses; what it refuses with is said instead. Raises nothing."""

    async def make() -> Modal:
        await check()
        return form

    await show_made_form(interaction, make)


async def show_made_form(
    interaction: discord.Interaction, make: Callable[[], Awaitable[Modal]]
) -> None:
    """Show the form that `make` makes; what it refuses with is said instead. Raises nothing."""
    try:
        form = await make()
    except Exception as error:  # noqa: BLE001 - the edge: a person is waiting
        refused = worded(interaction, error)
        await answer(interaction, lambda: _now(refused))
        return
    try:
        await interaction.response.send_modal(discord_modal(form))
    except Exception as error:  # noqa: BLE001 - the form is lost, whatever lost it
        _not_shown(interaction, error)


def _not_shown(interaction: discord.Interaction, error: Exception) -> None:
    """Over, answered before, perhaps by an earlier life of ours, or no connection.

    What was done is done, and an apology would be a lie: the card and /requests show it.
    """
    code = error.code if isinstance(error, discord.HTTPException) else None
    log.log(
        logging.INFO if code in _OVER else logging.WARNING,
        "answer_not_shown",
        extra=_facts(interaction) | {"code": code, "problem": type(error).__name__},
    )


def worded(interaction: discord.Interaction, error: Exception) -> Message:
    """What a person is told of an error."""
    if isinstance(error, Refused):
        return Message(text=refusal(locale_of(interaction), error.code, dict(error.details)))
    incident = secrets.token_hex(3)
    log.error("interaction_failed", exc_info=error, extra=_facts(interaction) | {"ref": incident})
    return Message(text=say(locale_of(interaction), "failed", ref=incident))


async def _worded(interaction: discord.Interaction, work: Work) -> _Said:
    try:
        return _Said(message=await work())
    except Aside as aside:
        return _Said(message=aside.message, is_aside=True)
    except Exception as error:  # noqa: BLE001 - the edge: a person is waiting
        return _Said(message=worded(interaction, error))


async def _first(interaction: discord.Interaction, message: Message, *, update: bool) -> None:
    if update:
        await interaction.response.edit_message(**discord_kwargs(message, edit=True))
    else:
        await interaction.response.send_message(ephemeral=True, **discord_kwargs(message))


async def _now(message: Message) -> Message:
    return message


def _facts(interaction: discord.Interaction) -> dict[str, object]:
    return {
        "interaction": interaction.id,
        "guild": interaction.guild_id,
        "by": interaction.user.id,
    }
