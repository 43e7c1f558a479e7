"""Each fault as discord.py meets it, and whether the message is there afterwards."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import discord
import pytest

from sandbox import Sandbox
from sandbox.faults import Fault
from tests.sandbox.conftest import Town
from tests.sandbox.rig import Listener, point_at

DELETE = "DELETE /channels/{channel_id}/messages/{message_id}"
SEND = "POST /channels/{channel_id}/messages"


@pytest.fixture(autouse=True)
def _no_waiting_between_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    real = asyncio.sleep

    async def at_once(_: float, result: Any = None) -> Any:
        return await real(0, result)

    monkeypatch.setattr("discord.http.asyncio.sleep", at_once)


@pytest.fixture
async def client(sandbox: Sandbox, town: Town) -> AsyncIterator[discord.Client]:
    """Logged in over REST alone."""
    point_at(sandbox)
    made = Listener(discord.Intents.none())
    await made.login(sandbox.token)
    yield made
    await made.close()


def send(client: discord.Client, town: Town, nonce: str = "key") -> "asyncio.Task[discord.Message]":
    channel = client.get_partial_messageable(town.channel.id)
    return asyncio.create_task(channel.send("hello", nonce=nonce))


async def outcome(task: "asyncio.Task[discord.Message]") -> BaseException | discord.Message:
    async with asyncio.timeout(10):
        [found] = await asyncio.gather(task, return_exceptions=True)
    return found


def said(sandbox: Sandbox) -> list[str]:
    return [each.content for each in sandbox.truth.messages()]


@pytest.mark.parametrize("kind", ["refuse", "close_before", "close_after"])
async def test_a_connection_that_ends_is_an_error_of_the_http_client(
    sandbox: Sandbox, town: Town, client: discord.Client, kind: str
) -> None:
    sandbox.faults.add(SEND, kind)
    assert isinstance(await outcome(send(client, town)), aiohttp.ClientError | ConnectionError)
    assert said(sandbox) == (["hello"] if kind == "close_after" else [])
    [exchange] = sandbox.truth.requests(SEND)
    assert (exchange.status, exchange.effect, exchange.fault, exchange.nonce) == (
        None,
        kind == "close_after",
        kind,
        "key",
    )


@pytest.mark.parametrize(("kind", "tries"), [("status_before", 2), ("status_after", 2)])
@pytest.mark.parametrize("status", [500, 502, 503, 504])
async def test_a_failed_status_is_tried_again_and_the_nonce_keeps_it_single(
    sandbox: Sandbox, town: Town, client: discord.Client, kind: str, tries: int, status: int
) -> None:
    sandbox.faults.add(SEND, kind, status=status)
    found = await outcome(send(client, town))
    if status == 503:
        # The library takes this one for final.
        assert isinstance(found, discord.DiscordServerError)
        tries = 1
    else:
        assert isinstance(found, discord.Message)
    assert said(sandbox) == ["hello"] * (kind == "status_after" or status != 503)
    statuses = [each.status for each in sandbox.truth.requests(SEND)]
    assert statuses == [status, 200][:tries]


async def test_a_rate_limit_is_waited_out_when_it_came_through_discord(
    sandbox: Sandbox, town: Town, client: discord.Client
) -> None:
    sandbox.faults.add(SEND, "ratelimit", seconds=0.01)
    assert isinstance(await outcome(send(client, town)), discord.Message)
    assert [each.status for each in sandbox.truth.requests(SEND)] == [429, 200]


async def test_a_rate_limit_without_via_is_raised(
    sandbox: Sandbox, town: Town, client: discord.Client
) -> None:
    sandbox.faults.add(SEND, "ratelimit", seconds=5, via=False)
    refused = await outcome(send(client, town))
    assert isinstance(refused, discord.HTTPException)
    assert refused.status == 429


async def test_an_error_of_choice_is_answered_without_effect(
    sandbox: Sandbox, town: Town, client: discord.Client
) -> None:
    sandbox.faults.add(SEND, "error", code=50007)
    refused = await outcome(send(client, town))
    assert isinstance(refused, discord.Forbidden)
    assert refused.code == 50007
    assert said(sandbox) == []


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("cut_body", aiohttp.ClientPayloadError),
        ("broken_json", ValueError),
        ("html", (TypeError, AttributeError)),
    ],
)
async def test_an_answer_that_cannot_be_read_hides_a_message_that_is_there(
    sandbox: Sandbox,
    town: Town,
    client: discord.Client,
    kind: str,
    error: type[Exception] | tuple[type[Exception], ...],
) -> None:
    sandbox.faults.add(SEND, kind)
    assert isinstance(await outcome(send(client, town)), error)
    assert said(sandbox) == ["hello"]


@pytest.mark.parametrize("kind", ["hang_before", "hang_after"])
async def test_a_hang_ends_by_closing(
    sandbox: Sandbox, town: Town, client: discord.Client, kind: str
) -> None:
    sandbox.faults.add(SEND, kind, seconds=0.05)
    assert isinstance(await outcome(send(client, town)), aiohttp.ClientError)
    assert said(sandbox) == (["hello"] if kind == "hang_after" else [])


async def test_a_delay_only_takes_its_time(
    sandbox: Sandbox, town: Town, client: discord.Client
) -> None:
    sandbox.faults.add(SEND, "delay", seconds=0.01)
    assert isinstance(await outcome(send(client, town)), discord.Message)


@pytest.mark.parametrize("kind", ["hold_before", "hold_after"])
async def test_what_is_held_waits_for_its_release(
    sandbox: Sandbox, town: Town, client: discord.Client, kind: str
) -> None:
    fault = sandbox.faults.add(SEND, kind)
    sending = send(client, town)
    await asyncio.wait_for(fault.reached.wait(), 10)
    assert said(sandbox) == (["hello"] if kind == "hold_after" else [])
    assert not sending.done()
    fault.release()
    assert isinstance(await outcome(sending), discord.Message)
    assert said(sandbox) == ["hello"]


async def test_what_is_held_before_its_effect_and_abandoned_never_happens(
    sandbox: Sandbox, town: Town, client: discord.Client
) -> None:
    fault = sandbox.faults.add(SEND, "hold_before")
    sending = send(client, town)
    await asyncio.wait_for(fault.reached.wait(), 10)
    fault.abandon()
    assert isinstance(await outcome(sending), aiohttp.ClientError)
    assert said(sandbox) == []


async def test_a_held_answer_does_not_keep_the_sandbox_from_stopping() -> None:
    async with Sandbox() as sandbox:
        world = sandbox.world
        channel = world.add_channel(world.add_guild("Town", owner=world.owner), "square")
        point_at(sandbox)
        client = Listener(discord.Intents.none())
        await client.login(sandbox.token)
        fault = sandbox.faults.add(SEND, "hold_after")
        sending = asyncio.create_task(client.get_partial_messageable(channel.id).send("hello"))
        await asyncio.wait_for(fault.reached.wait(), 10)
    assert isinstance(await outcome(sending), aiohttp.ClientError)
    await client.close()


async def test_remaining_zero_comes_with_the_success(
    sandbox: Sandbox, town: Town, client: discord.Client
) -> None:
    sandbox.faults.add(SEND, "remaining_zero", seconds=7)
    headers = {"Authorization": f"Bot {sandbox.token}"}
    url = f"{sandbox.api_base}/channels/{town.channel.id}/messages"
    async with (
        aiohttp.ClientSession() as session,
        session.post(url, json={"content": "hello"}, headers=headers) as response,
    ):
        assert response.status == 200
        assert response.headers["X-RateLimit-Remaining"] == "0"
        assert response.headers["X-RateLimit-Reset-After"] == "7.000"


async def test_a_fault_strikes_as_often_as_asked_where_asked(
    sandbox: Sandbox, town: Town, client: discord.Client
) -> None:
    fault = sandbox.faults.add(
        "POST *", "error", code=50013, times=2, when=lambda exchange: exchange.nonce != "spared"
    )
    codes = []
    for nonce in ("one", "spared", "two", "three"):
        found = await outcome(send(client, town, nonce))
        codes.append(found.code if isinstance(found, discord.HTTPException) else 0)
    assert codes == [50013, 0, 50013, 0]
    assert fault.hits == 2


async def test_chance_is_the_same_for_the_same_seed(sandbox: Sandbox) -> None:
    exchange = sandbox.truth.begin("GET", "GET /gateway", "/gateway", {})

    def run(seed: int) -> list[bool]:
        fault = Fault(route="*", kind="error", times=None, probability=0.5, seed=seed)  # type: ignore[arg-type]
        return [fault.strikes(exchange) for _ in range(40)]

    assert run(1) == run(1) != run(2)
    assert 5 < sum(run(1)) < 35


async def test_a_configured_limit_is_real(
    sandbox: Sandbox, town: Town, client: discord.Client
) -> None:
    sandbox.limits.set(SEND, 1, per_ms=60_000)
    assert isinstance(await outcome(send(client, town, "one")), discord.Message)
    url = f"{sandbox.api_base}/channels/{town.channel.id}/messages"
    headers = {"Authorization": f"Bot {sandbox.token}"}
    async with (
        aiohttp.ClientSession() as session,
        session.post(url, json={"content": "two"}, headers=headers) as response,
    ):
        assert response.status == 429
        assert response.headers["Via"]
        assert 0 < (await response.json())["retry_after"] <= 60


async def test_a_route_that_the_sandbox_lacks_says_so_and_is_written_down() -> None:
    async with Sandbox() as sandbox, aiohttp.ClientSession() as session:
        async with session.get(f"{sandbox.api_base}/voice/regions") as response:
            assert response.status == 501
            assert "GET /api/v10/voice/regions" in (await response.json())["message"]
        assert sandbox.world.unknown == ["GET /api/v10/voice/regions"]


async def test_a_deletion_whose_answer_is_lost_is_repeated_by_the_http_client(
    sandbox: Sandbox, town: Town, client: discord.Client
) -> None:
    message = sandbox.person(town.ada).say("hello", town.channel)
    sandbox.faults.add("DELETE *", "cut_body")
    with pytest.raises(discord.NotFound) as gone:
        await client.http.delete_message(town.channel.id, message.id)
    assert gone.value.code == 10008
    assert [each.effect for each in sandbox.truth.requests(DELETE)] == [True, False]


async def test_an_answer_without_a_body_can_come_back_unreadable(
    sandbox: Sandbox, town: Town, client: discord.Client
) -> None:
    message = sandbox.person(town.ada).say("hello", town.channel)
    sandbox.faults.add(DELETE, "broken_json")
    with pytest.raises(ValueError, match="Expecting value"):
        await client.http.delete_message(town.channel.id, message.id)
    assert message.deleted


def test_an_error_needs_its_code(sandbox: Sandbox) -> None:
    with pytest.raises(ValueError, match="code"):
        sandbox.faults.add(SEND, "error")
