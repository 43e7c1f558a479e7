"""Attachments as they are fetched: whole, in pieces, and with everything that can be wrong."""

import asyncio
import hashlib
import tracemalloc
from collections.abc import AsyncIterator

import aiohttp
import pytest
from yarl import URL

from sandbox import Sandbox, payloads
from sandbox.blobs import Made
from sandbox.client import SandboxClient
from sandbox.control import Control
from sandbox.drafts import File
from tests.sandbox.conftest import Town

GET = "GET /attachments/{channel_id}/{attachment_id}/{filename}"
WORDS = b"words" * 20_000
MIB = 1024 * 1024


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as made:
        yield made


@pytest.fixture
def address(sandbox: Sandbox, town: Town) -> URL:
    """Where a member's file is."""
    said = sandbox.person(town.ada).say(
        files=[File(filename="a.txt", data=WORDS, content_type="text/plain; charset=utf-8")]
    )
    return URL(payloads.message(sandbox.world, said)["attachments"][0]["url"], encoded=True)


async def test_an_address_looks_signed_and_answers_the_file(
    sandbox: Sandbox, address: URL, session: aiohttp.ClientSession
) -> None:
    assert str(address).startswith(f"{sandbox.base}/attachments/")
    assert address.query.keys() >= {"ex", "is", "hm"}
    async with session.get(address) as answer:
        assert (answer.status, answer.content_type) == (200, "text/plain")
        assert answer.content_length == len(WORDS)
        assert await answer.read() == WORDS
    [exchange] = sandbox.truth.requests(GET)
    assert (exchange.status, exchange.effect) == (200, True)


async def test_an_address_that_is_changed_or_over_answers_404_and_a_fresh_one_does_not(
    sandbox: Sandbox, town: Town, address: URL, session: aiohttp.ClientSession
) -> None:
    for wrong in (address.update_query(hm="0" * 64), address.with_query(None)):
        async with session.get(wrong) as answer:
            assert answer.status == 404
    sandbox.world.files_valid_ms = -1_000
    [said] = sandbox.truth.messages()
    over = payloads.message(sandbox.world, said)["attachments"][0]["url"]
    async with session.get(over) as answer:
        assert answer.status == 404
        assert b"no longer available" in await answer.read()
    sandbox.world.files_valid_ms = 60_000
    fresh = payloads.message(sandbox.world, said)["attachments"][0]["url"]
    async with session.get(fresh) as answer:
        assert answer.status == 200


@pytest.mark.parametrize("kind", ["cut_body", "length_above"])
async def test_a_body_can_end_before_its_length(
    sandbox: Sandbox, address: URL, session: aiohttp.ClientSession, kind: str
) -> None:
    sandbox.faults.add(GET, kind)
    whole = kind == "length_above"
    async with session.get(address) as answer:
        assert answer.content_length == (2 * len(WORDS) + 1 if whole else len(WORDS))
        with pytest.raises(aiohttp.ClientPayloadError):
            await answer.read()
    [exchange] = sandbox.truth.requests(GET)
    assert (exchange.status, exchange.fault) == (None, kind)


async def test_a_length_can_be_too_small(
    sandbox: Sandbox, address: URL, session: aiohttp.ClientSession
) -> None:
    sandbox.faults.add(GET, "length_below")
    async with session.get(address) as answer:
        assert answer.content_length == len(WORDS) // 2
        assert await answer.read() == WORDS[: len(WORDS) // 2]
    async with session.get(address) as answer:
        assert await answer.read() == WORDS


async def test_a_length_can_be_left_out(
    sandbox: Sandbox, address: URL, session: aiohttp.ClientSession
) -> None:
    sandbox.faults.add(GET, "no_length")
    async with session.get(address) as answer:
        assert answer.content_length is None
        assert await answer.read() == WORDS


async def test_a_type_can_be_wrong(
    sandbox: Sandbox, address: URL, session: aiohttp.ClientSession
) -> None:
    sandbox.faults.add(GET, "wrong_type")
    async with session.get(address) as answer:
        assert answer.content_type == "text/html"
        assert await answer.read() == WORDS


@pytest.mark.parametrize("status", [404, 500])
async def test_a_status_of_choice_comes_instead_of_the_file(
    sandbox: Sandbox, address: URL, session: aiohttp.ClientSession, status: int
) -> None:
    sandbox.faults.add(GET, "status_before", status=status)
    async with session.get(address) as answer:
        assert answer.status == status
        assert WORDS not in await answer.read()


async def test_a_slow_file_comes_in_pieces_and_whole(
    sandbox: Sandbox, address: URL, session: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    real = asyncio.sleep

    async def counted(seconds: float) -> None:
        waits.append(seconds)
        await real(0)

    monkeypatch.setattr("sandbox.downloads.asyncio.sleep", counted)
    sandbox.faults.add(GET, "slow", seconds=8.0)
    async with session.get(address) as answer:
        assert await answer.read() == WORDS
    assert waits == [1.0] * 8


async def test_a_connection_can_end_before_any_of_it(
    sandbox: Sandbox, address: URL, session: aiohttp.ClientSession
) -> None:
    # Twice: aiohttp itself asks once more after a kept connection that is closed.
    sandbox.faults.add(GET, "close_before", times=2)
    with pytest.raises(aiohttp.ClientConnectionError):
        await session.get(address)


async def test_ten_files_of_ten_mebibytes_are_sent_at_once_without_being_held(
    sandbox: Sandbox, town: Town, session: aiohttp.ClientSession
) -> None:
    made = [File(filename=f"{seed}.bin", data=Made(10 * MIB, seed)) for seed in range(10)]
    said = sandbox.person(town.ada).say(files=made)
    told = payloads.message(sandbox.world, said)["attachments"]

    async def fetch(url: str) -> str:
        summed = hashlib.sha256()
        async with session.get(URL(url, encoded=True)) as answer:
            async for chunk in answer.content.iter_any():
                summed.update(chunk)
        return summed.hexdigest()

    tracemalloc.start()
    try:
        sums = await asyncio.gather(*(fetch(each["url"]) for each in told))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert sums == [each.blob.sha256 for each in made]
    assert most < 20 * MIB


async def test_addresses_can_be_made_to_expire_from_outside() -> None:
    sandbox = Sandbox()
    control = Control(sandbox)
    async with sandbox, SandboxClient(control.url, control.token) as people:
        await people.set_files(valid_ms=5, kept=7)
        assert (sandbox.world.files_valid_ms, sandbox.world.blobs.most) == (5, 7)
        await people.set_files(valid_ms=6)
        assert (sandbox.world.files_valid_ms, sandbox.world.blobs.most) == (6, 7)
