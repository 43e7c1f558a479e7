"""One attempt is one HTTP request, whatever comes back: the real library over real sockets."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import discord
import pytest
from aiohttp import web

from bot.delivery import discord_internals, discord_wire
from bot.delivery.discord_wire import Call
from domain.delivery import Done, Effect, NotDone, Outcome, Rejected, Unknown, classify

ME = {"id": "1", "username": "steward", "discriminator": "0", "avatar": None, "bot": True}
MESSAGE: dict[str, object] = {
    "id": "77",
    "channel_id": "5",
    "author": ME,
    "content": "hello",
    "timestamp": "2026-01-01T00:00:00+00:00",
    "edited_timestamp": None,
    "tts": False,
    "mention_everyone": False,
    "mentions": [],
    "mention_roles": [],
    "attachments": [],
    "embeds": [],
    "pinned": False,
    "type": 0,
    "nonce": "key",
}

JSON = {"Content-Type": "application/json"}  # exactly so, or the library takes it for text

Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


def answered(status: int, body: object, **headers: str) -> Answer:
    async def answer(_: web.Request) -> web.Response:
        return web.Response(
            status=status,
            body=json.dumps(body).encode(),
            headers=JSON | headers,
        )

    return answer


async def hung_up(request: web.Request) -> web.StreamResponse:
    """The connection ends without an answer."""
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


async def cut_off(request: web.Request) -> web.StreamResponse:
    """The answer's body ends before its length."""
    response = web.StreamResponse(headers=JSON | {"Content-Length": "500"})
    await response.prepare(request)
    await response.write(b'{"id": "77"')
    assert request.transport is not None
    request.transport.abort()
    return response


@asynccontextmanager
async def client_of(
    answer: Answer, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[discord.Client, list[str]]]:
    """A logged-in client whose posts in channel 5 are answered by `answer`, and what arrived."""
    posts: list[str] = []

    async def me(_: web.Request) -> web.Response:
        return web.Response(body=json.dumps(ME).encode(), headers=JSON)

    async def application(_: web.Request) -> web.Response:
        body = {
            "id": "1",
            "name": "steward",
            "description": "",
            "icon": None,
            "bot_public": False,
            "bot_require_code_grant": False,
            "verify_key": "",
            "owner": ME,
            "team": None,
            "flags": 0,
        }
        return web.Response(body=json.dumps(body).encode(), headers=JSON)

    async def post(request: web.Request) -> web.StreamResponse:
        posts.append(await request.text())
        return await answer(request)

    app = web.Application()
    app.router.add_get("/api/v10/users/@me", me)
    app.router.add_get("/api/v10/oauth2/applications/@me", application)
    app.router.add_post("/api/v10/channels/5/messages", post)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    monkeypatch.setattr(discord.http.Route, "BASE", f"http://127.0.0.1:{port}/api/v10")
    client = discord.Client(
        intents=discord.Intents.none(),
        http_trace=discord_wire.trace(),
        max_ratelimit_timeout=30.0,
    )
    try:
        await client.login("token")
        yield client, posts
    finally:
        await discord_wire.finish_calls(1)
        await client.close()
        await runner.cleanup()


async def send(client: discord.Client, *, not_after: int | None = None) -> tuple[Call, Outcome]:
    channel = client.get_partial_messageable(5)
    call = Call(not_after=not_after)
    await call.run(lambda: channel.send("hello", nonce="key"))
    if call.body is not None:
        return call, Done(message_id=int(call.body["id"]))
    return call, classify(Effect.CREATE_MESSAGE, call.answer)


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (answered(200, MESSAGE), Done(message_id=77)),
        (answered(502, {"message": "bad"}), Unknown(problem="http_502")),
        (answered(500, {}), Unknown(problem="http_500")),
        (answered(504, {}), Unknown(problem="http_504")),
        (answered(503, {}), Unknown(problem="http_503")),
        (
            answered(429, {"retry_after": 1.5, "global": False, "message": "slow"}, Via="1.1 x"),
            NotDone(problem="rate_limited", retry_after_ms=1500),
        ),
        (
            answered(429, {"retry_after": 900.0, "global": True, "message": "slow"}, Via="1.1 x"),
            NotDone(problem="rate_limited", retry_after_ms=900_000),
        ),
        (answered(429, {"retry_after": 2}), NotDone(problem="rate_limited", retry_after_ms=2000)),
        (answered(403, {"code": 50007, "message": "closed"}), Rejected(problem="dms_closed")),
        (answered(200, "just text"), Unknown(problem="unreadable_answer")),
        (hung_up, Unknown(problem="ServerDisconnectedError")),
        (cut_off, Unknown(problem="ClientPayloadError")),
    ],
)
async def test_what_came_back_is_one_outcome_of_one_request(
    answer: Answer, outcome: Outcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with client_of(answer, monkeypatch) as (client, posts):
        _, found = await send(client)
        assert found == outcome
        assert len(posts) == 1
        sent = json.loads(posts[0])
        assert (sent["nonce"], sent["enforce_nonce"]) == ("key", True)


async def test_a_success_is_not_withheld_while_the_library_waits_for_its_rate_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    exhausted = {
        "X-RateLimit-Limit": "1",
        "X-RateLimit-Remaining": "0",
        "X-RateLimit-Reset": str(time.time() + 30),
        "X-RateLimit-Reset-After": "30",
        "X-RateLimit-Bucket": "abc",
    }
    async with client_of(answered(200, MESSAGE, **exhausted), monkeypatch) as (client, _):
        async with asyncio.timeout(10):
            _, found = await send(client)
        assert found == Done(message_id=77)


async def test_a_connection_that_was_never_made_is_not_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with client_of(answered(200, MESSAGE), monkeypatch) as (client, posts):
        monkeypatch.setattr(discord.http.Route, "BASE", "http://127.0.0.1:9/api/v10")
        _, found = await send(client)
        assert isinstance(found, NotDone)
        assert posts == []


async def test_a_request_that_is_too_late_never_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    async with client_of(answered(200, MESSAGE), monkeypatch) as (client, posts):
        _, found = await send(client, not_after=time.time_ns() // 1_000_000 - 1)
        assert found == NotDone(problem="too_late")
        assert posts == []


async def test_a_caller_that_is_cancelled_leaves_the_call_to_end_by_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    arrived, go_on = asyncio.Event(), asyncio.Event()

    async def slow(_: web.Request) -> web.Response:
        arrived.set()
        await go_on.wait()
        return web.Response(body=json.dumps(MESSAGE).encode(), headers=JSON)

    async with client_of(slow, monkeypatch) as (client, posts):
        channel = client.get_partial_messageable(5)
        call = Call()
        waiting = asyncio.create_task(call.run(lambda: channel.send("hello", nonce="key")))
        await arrived.wait()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        go_on.set()
        assert await discord_wire.finish_calls(10) == 0
        assert call.body is not None
        assert len(posts) == 1


def test_the_library_still_has_the_private_parts_that_are_used() -> None:
    discord_internals.check()
