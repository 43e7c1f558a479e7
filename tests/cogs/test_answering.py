"""Answering within Discord's three seconds, where the ledger is slow or the connection fails."""

import asyncio
import logging
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.words.values import Message
from cogs.ui import answering
from cogs.ui.answering import Aside, answer
from domain.errors import Refused


class Waiting:
    """An interaction that notes how it was answered; `breaks` is what the connection does."""

    def __init__(self, breaks: Exception | None = None) -> None:
        self.id = 1
        self.guild_id = 2
        self.user = discord.Object(3)
        self.locale = discord.Locale.german
        self.response = self.followup = self
        self.message = SimpleNamespace(flags=discord.MessageFlags(ephemeral=True))
        self.acknowledged = asyncio.Event()
        self.said: list[tuple[str, Any]] = []
        self._breaks = breaks

    async def _note(self, how: str, what: Any) -> None:
        self.acknowledged.set()
        if self._breaks is not None:
            raise self._breaks
        self.said.append((how, what))

    async def send_message(self, *, ephemeral: bool, **what: Any) -> None:
        assert ephemeral
        await self._note("sent", what.get("content"))

    async def send(self, *, ephemeral: bool, **what: Any) -> None:
        assert ephemeral
        await self._note("followed up", what["content"])

    async def edit_message(self, **what: Any) -> None:
        await self._note("updated", what["content"])

    async def defer(self, *, ephemeral: bool, thinking: bool) -> None:
        assert ephemeral
        await self._note("deferred", thinking)

    async def edit_original_response(self, **what: Any) -> None:
        await self._note("edited", what["content"])


def http_error(status: int, code: int) -> discord.HTTPException:
    class Response:
        reason = "for a test"

    response = Response()
    response.status = status  # type: ignore[attr-defined]
    return discord.HTTPException(response, {"code": code, "message": "no"})


async def done() -> Message:
    return Message(text="Done")


async def test_quick_work_is_answered_at_once() -> None:
    waiting = Waiting()
    await answer(waiting, done)  # type: ignore[arg-type]
    assert waiting.said == [("sent", "Done")]


async def test_a_press_can_change_the_message_it_was_on() -> None:
    waiting = Waiting()
    await answer(waiting, done, update=True)  # type: ignore[arg-type]
    assert waiting.said == [("updated", "Done")]


async def test_a_message_for_everybody_is_never_overwritten_by_a_press() -> None:
    waiting = Waiting()
    waiting.message.flags = discord.MessageFlags()
    await answer(waiting, done, update=True)  # type: ignore[arg-type]
    assert waiting.said == [("sent", "Done")]


@pytest.mark.parametrize("update", [False, True])
async def test_slow_work_is_acknowledged_and_its_answer_shown_later(
    monkeypatch: pytest.MonkeyPatch, update: bool
) -> None:
    monkeypatch.setattr(answering, "DEFER_SECONDS", 0)
    waiting = Waiting()

    async def slow() -> Message:
        await waiting.acknowledged.wait()
        return Message(text="Done")

    await answer(waiting, slow, update=update)  # type: ignore[arg-type]
    assert waiting.said == [("deferred", not update), ("edited", "Done")]


async def test_what_is_said_aside_leaves_the_message_that_was_pressed_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waiting = Waiting()

    async def no() -> Message:
        raise Aside(Message(text="Not so"))

    await answer(waiting, no, update=True)  # type: ignore[arg-type]
    assert waiting.said == [("sent", "Not so")]

    monkeypatch.setattr(answering, "DEFER_SECONDS", 0)
    waiting = Waiting()

    async def slowly_no() -> Message:
        await waiting.acknowledged.wait()
        raise Aside(Message(text="Not so"))

    await answer(waiting, slowly_no, update=True)  # type: ignore[arg-type]
    assert waiting.said == [("deferred", False), ("followed up", "Not so")]


@pytest.mark.parametrize(
    "breaks", [http_error(404, 10062), http_error(503, 0), ConnectionResetError(), TimeoutError()]
)
async def test_work_goes_on_where_nobody_can_be_answered(
    monkeypatch: pytest.MonkeyPatch, breaks: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(answering, "DEFER_SECONDS", 0)
    caplog.set_level(logging.INFO)
    waiting = Waiting(breaks)
    worked = asyncio.Event()

    async def slow() -> Message:
        await waiting.acknowledged.wait()
        worked.set()
        return Message(text="Done")

    await answer(waiting, slow)  # type: ignore[arg-type]
    await worked.wait()
    assert waiting.said == []
    (lost,) = [record for record in caplog.records if record.message == "answer_not_shown"]
    over = isinstance(breaks, discord.HTTPException) and breaks.code == 10062
    assert lost.levelno == (logging.INFO if over else logging.WARNING)


async def test_work_goes_on_when_its_handler_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answering, "DEFER_SECONDS", 0)
    waiting = Waiting()
    go_on, worked = asyncio.Event(), asyncio.Event()

    async def slow() -> Message:
        await go_on.wait()
        worked.set()
        return Message(text="Done")

    handler = asyncio.create_task(answer(waiting, slow))  # type: ignore[arg-type]
    await waiting.acknowledged.wait()
    handler.cancel()
    with pytest.raises(asyncio.CancelledError):
        await handler
    go_on.set()
    await worked.wait()


async def test_a_refusal_is_a_sentence_in_the_persons_language() -> None:
    waiting = Waiting()

    async def refused() -> Message:
        raise Refused("desk_not_ready")

    await answer(waiting, refused)  # type: ignore[arg-type]
    ((how, text),) = waiting.said
    assert how == "sent"
    assert "/desk setup" in text
    assert "Hilfe-Team" in text


async def test_a_failure_says_no_more_than_a_reference(caplog: pytest.LogCaptureFixture) -> None:
    waiting = Waiting()

    async def breaks() -> Message:
        raise RuntimeError("secret insides")

    await answer(waiting, breaks)  # type: ignore[arg-type]
    ((_, text),) = waiting.said
    (failed,) = [record for record in caplog.records if record.message == "interaction_failed"]
    assert failed.ref in text  # type: ignore[attr-defined]
    assert "secret" not in text
