"""Every fault of every request that a relay makes: what is answered, and what is there after it."""

import asyncio
import io
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import pytest

from sandbox import Sandbox, threads
from sandbox.entities import Event, Message
from tests.sandbox.conftest import Town

MESSAGE = "/channels/{channel_id}/messages/{message_id}"
REACTION = MESSAGE + "/reactions/{emoji_name}/@me"
BEFORE = ("refuse", "close_before", "status_before", "error", "ratelimit", "hang_before")
AFTER = ("close_after", "status_after", "hang_after", "cut_body", "html", "broken_json", "delay")
ANSWERED = {"status_before": 502, "status_after": 502, "error": 403, "ratelimit": 429}


@dataclass(slots=True, kw_only=True)
class Stage:
    """A thread with a message of the bot's that has its reaction, and the bot's own HTTP."""

    sandbox: Sandbox
    session: aiohttp.ClientSession
    message: Message
    typed: list[Event] = field(default_factory=list)

    def listen(self, event: Event) -> None:
        if event.name == "TYPING_START":
            self.typed.append(event)

    async def ask(self, route: str, body: Any = None) -> int | None:
        """The status, or None without a whole answer."""
        method, template = route.split(" ")
        ids = {
            "channel_id": self.message.channel_id,
            "message_id": self.message.id,
            "emoji_name": "👎" if method == "PUT" else "👍",
        }
        url = self.sandbox.api_base + template.format(**ids)
        more = {"data": body()} if callable(body) else {"json": body}
        try:
            async with self.session.request(method, url, **more) as answer:
                await answer.read()
                return answer.status
        except (aiohttp.ClientError, ConnectionError):
            return None


def form() -> aiohttp.FormData:
    made = aiohttp.FormData()
    made.add_field("payload_json", '{"content": "look"}')
    made.add_field("files[0]", io.BytesIO(b"words"), filename="a.txt")
    return made


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A request, and whether what it asks for is so."""

    route: str
    done: Callable[[Stage], bool]
    body: Any = None


def files_posted(stage: Stage) -> bool:
    place = stage.sandbox.world.channels[stage.message.channel_id]
    return any(each.attachments for each in stage.sandbox.truth.messages(place))


def renamed(stage: Stage) -> bool:
    return stage.sandbox.world.channels[stage.message.channel_id].name == "other"


ASKS = (
    Ask(
        route="PATCH " + MESSAGE,
        body={"content": "other"},
        done=lambda stage: stage.message.content == "other",
    ),
    Ask(route="DELETE " + MESSAGE, done=lambda stage: stage.message.deleted),
    Ask(route="PUT " + REACTION, done=lambda stage: "👎" in stage.message.reactions),
    Ask(route="DELETE " + REACTION, done=lambda stage: "👍" not in stage.message.reactions),
    Ask(route="POST /channels/{channel_id}/typing", done=lambda stage: bool(stage.typed)),
    Ask(route="POST /channels/{channel_id}/messages", body=form, done=files_posted),
    Ask(route="PATCH /channels/{channel_id}", body={"name": "other"}, done=renamed),
)


@pytest.fixture
async def session(sandbox: Sandbox) -> AsyncIterator[aiohttp.ClientSession]:
    headers = {"Authorization": f"Bot {sandbox.token}"}
    async with aiohttp.ClientSession(headers=headers) as made:
        made._retry_connection = False  # or it would repeat what a cut line left unanswered
        yield made


def stage(sandbox: Sandbox, town: Town, session: aiohttp.ClientSession) -> Stage:
    """A fresh one."""
    world = sandbox.world
    place = threads.in_channel(world, town.channel, world.bot.id, "desk", private=True)
    said = sandbox.person(town.owner).say("hello", place)
    said.author_id = world.bot.id
    said.reactions["👍"] = [world.bot.id]
    made = Stage(sandbox=sandbox, session=session, message=said)
    world.listeners.append(made.listen)
    return made


@pytest.mark.parametrize("ask", ASKS, ids=lambda ask: ask.route)
async def test_before_the_effect_there_is_none_and_after_it_there_is(
    sandbox: Sandbox, town: Town, session: aiohttp.ClientSession, ask: Ask
) -> None:
    for kind in (*BEFORE, *AFTER):
        on = stage(sandbox, town, session)
        sandbox.faults.add(ask.route, kind, seconds=0.01, code=50013)
        status = await on.ask(ask.route, ask.body)
        assert ask.done(on) is (kind in AFTER), kind
        [exchange] = sandbox.truth.requests(ask.route)[-1:]
        assert (exchange.fault, exchange.effect) == (kind, kind in AFTER)
        if kind in ("html", "broken_json"):
            assert status == 200
        elif kind == "delay":
            assert status in (200, 204)
        else:
            assert status == ANSWERED.get(kind), kind


@pytest.mark.parametrize("ask", ASKS, ids=lambda ask: ask.route)
@pytest.mark.parametrize("kind", ["hold_before", "hold_after"])
async def test_what_is_held_is_there_or_not_until_it_is_let_go(
    sandbox: Sandbox, town: Town, session: aiohttp.ClientSession, ask: Ask, kind: str
) -> None:
    on = stage(sandbox, town, session)
    held = sandbox.faults.add(ask.route, kind)
    asking = asyncio.create_task(on.ask(ask.route, ask.body))
    async with asyncio.timeout(10):
        await held.reached.wait()
        assert ask.done(on) is (kind == "hold_after")
        assert not asking.done()
        held.release()
        assert await asking in (200, 204)
    assert ask.done(on)
