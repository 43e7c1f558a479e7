"""Answering an interaction: commit, then answer, within Discord's three seconds, in every case.

Nothing that goes wrong leaves a person without a sentence. A refusal of the domain has its own; an
unexpected failure is an apology with a reference that the log has too.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable

import discord

from bot.rendering import discord_kwargs, discord_modal
from bot.words.sentences import refusal, say
from bot.words.values import Message, Modal
from domain.errors import Refused

log = logging.getLogger(__name__)

Work = Callable[[], Awaitable[Message]]

DEFER_SECONDS = 1.5
_OVER = (10062, 40060)


def locale_of(interaction: discord.Interaction) -> str:
    """The person's own language, as Discord gives it."""
    return str(interaction.locale)


async def answer(interaction: discord.Interaction, work: Work, *, update: bool = False) -> None:
    """Do `work` and show its message to the person alone.

    Work that takes long is acknowledged meanwhile and goes on; it is never cancelled. With `update`
    the message that the pressed button is on is changed instead.
    """
    task = asyncio.ensure_future(_worded(interaction, work))
    done, _ = await asyncio.wait({task}, timeout=DEFER_SECONDS)
    try:
        if done:
            await _first(interaction, task.result(), update=update)
            return
        await interaction.response.defer(ephemeral=True, thinking=not update)
        message = await task
        await interaction.edit_original_response(**discord_kwargs(message, edit=True))
    except discord.HTTPException as error:
        # Over, or answered before, perhaps by an earlier life of ours: what was done is done, and
        # the person sees it in the card or in /requests.
        level = logging.INFO if error.code in _OVER else logging.WARNING
        log.log(level, "answer_not_shown", extra=_facts(interaction) | {"code": error.code})


async def show_form(
    interaction: discord.Interaction, check: Callable[[], Awaitable[None]], form: Modal
) -> None:
    """Show a form unless `check` refuses; what it refuses with is said instead."""
    try:
        await check()
    except Exception as error:  # noqa: BLE001 - the edge: a person is waiting
        refused = worded(interaction, error)
        await answer(interaction, lambda: _now(refused))
        return
    try:
        await interaction.response.send_modal(discord_modal(form))
    except discord.HTTPException as error:
        log.info("form_not_shown", extra=_facts(interaction) | {"code": error.code})


def worded(interaction: discord.Interaction, error: Exception) -> Message:
    """What a person is told of an error."""
    if isinstance(error, Refused):
        return Message(text=refusal(locale_of(interaction), error.code, dict(error.details)))
    incident = secrets.token_hex(3)
    log.error("interaction_failed", exc_info=error, extra=_facts(interaction) | {"ref": incident})
    return Message(text=say(locale_of(interaction), "failed", ref=incident))


async def _worded(interaction: discord.Interaction, work: Work) -> Message:
    try:
        return await work()
    except Exception as error:  # noqa: BLE001 - the edge: a person is waiting
        return worded(interaction, error)


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
