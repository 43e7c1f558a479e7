"""Files are fetched over HTTP: streamed, one try at a time, and nothing said is believed."""

import asyncio
import contextlib
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

import pytest
from aiohttp import web

from bot.delivery.downloading import (
    CHUNK,
    Broken,
    Came,
    Download,
    HttpDownloader,
    Refused,
    Stopped,
)
from sandbox import Sandbox, payloads
from sandbox.blobs import Made
from sandbox.drafts import File

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

GET = "GET /attachments/{channel_id}/{attachment_id}/{filename}"
CONTENTS = Made(1024 * 1024 + 5, seed=3)


@dataclass
class Taker:
    """Takes a file, at most `most` bytes of it."""

    most: int = 1 << 40
    size: int = 0
    largest: int = 0
    hash: "hashlib._Hash" = field(default_factory=hashlib.sha256)

    async def __call__(self, data: bytes) -> bool:
        if self.size + len(data) > self.most:
            return False
        self.size += len(data)
        self.largest = max(self.largest, len(data))
        self.hash.update(data)
        return True


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with Sandbox() as made:
        yield made


@pytest.fixture
async def downloader() -> AsyncIterator[HttpDownloader]:
    made = HttpDownloader(stalled_seconds=0.3, whole_seconds=20)
    yield made
    await made.close()


@pytest.fixture
def url(sandbox: Sandbox) -> str:
    ada = sandbox.person(sandbox.world.add_user("ada"))
    said = ada.say(files=[File(filename="a b%.bin", data=CONTENTS)])
    return str(payloads.message(sandbox.world, said)["attachments"][0]["url"])


async def test_a_file_comes_in_pieces_and_whole(downloader: HttpDownloader, url: str) -> None:
    taker = Taker()
    assert await downloader.fetch(url, taker) == Came()
    assert (taker.size, taker.hash.hexdigest()) == (CONTENTS.size, CONTENTS.sha256)
    assert taker.largest <= CHUNK


@pytest.mark.parametrize("kind", ["no_length", "wrong_type"])
async def test_what_is_said_of_a_file_changes_nothing(
    sandbox: Sandbox, downloader: HttpDownloader, url: str, kind: str
) -> None:
    sandbox.faults.add(GET, kind)
    taker = Taker()
    assert await downloader.fetch(url, taker) == Came()
    assert taker.hash.hexdigest() == CONTENTS.sha256


@pytest.mark.parametrize("kind", ["cut_body", "length_above"])
async def test_a_file_that_breaks_off_is_broken(
    sandbox: Sandbox, downloader: HttpDownloader, url: str, kind: str
) -> None:
    sandbox.faults.add(GET, kind)
    assert isinstance(await downloader.fetch(url, Taker()), Broken)
    assert await downloader.fetch(url, Taker()) == Came()


async def test_less_than_the_file_is_what_a_head_that_is_too_small_lets_through(
    sandbox: Sandbox, downloader: HttpDownloader, url: str
) -> None:
    sandbox.faults.add(GET, "length_below")
    taker = Taker()
    outcome = await downloader.fetch(url, taker)
    assert isinstance(outcome, Broken) or taker.size < CONTENTS.size


@pytest.mark.parametrize(
    ("kind", "options", "expected"),
    [
        ("status_before", {"status": 503}, Broken(problem="http_503")),
        ("status_before", {"status": 429}, Broken(problem="http_429")),
        ("status_before", {"status": 404}, Refused(problem="http_404")),
        ("status_before", {"status": 403}, Refused(problem="http_403")),
        ("hang_before", {"seconds": 5.0}, Broken(problem="slow")),
    ],
)
async def test_what_another_try_may_change_is_told_from_what_it_won_t(
    sandbox: Sandbox,
    downloader: HttpDownloader,
    url: str,
    kind: str,
    options: dict[str, float],
    expected: Download,
) -> None:
    sandbox.faults.add(GET, kind, **options)  # type: ignore[arg-type]
    assert await downloader.fetch(url, Taker()) == expected


@pytest.mark.parametrize("kind", ["refuse", "close_before"])
async def test_a_connection_that_fails_is_broken(
    sandbox: Sandbox, downloader: HttpDownloader, url: str, kind: str
) -> None:
    sandbox.faults.add(GET, kind, times=5)
    assert isinstance(await downloader.fetch(url, Taker()), Broken)


async def test_no_more_is_read_than_the_taker_wants(downloader: HttpDownloader, url: str) -> None:
    taker = Taker(most=3 * CHUNK)
    assert await downloader.fetch(url, taker) == Stopped()
    assert taker.size <= 3 * CHUNK


async def test_what_the_taker_raises_comes_through(downloader: HttpDownloader, url: str) -> None:
    async def full(_: bytes) -> bool:
        raise LookupError("no room")

    with pytest.raises(LookupError):
        await downloader.fetch(url, full)


@pytest.mark.parametrize("url", ["ftp://example.com/a", "nonsense", "", "http://[x"])
async def test_an_address_of_another_kind_is_not_even_tried(
    downloader: HttpDownloader, url: str
) -> None:
    assert await downloader.fetch(url, Taker()) == Refused(problem="bad_address")


@contextlib.asynccontextmanager
async def serving(handler: Handler) -> AsyncIterator[str]:
    app = web.Application()
    app.router.add_get("/a", handler)
    app.router.add_get("/elsewhere", handler)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    yield f"{site.name}/a"
    await runner.cleanup()


async def test_no_redirect_is_followed_and_no_cookie_kept(downloader: HttpDownloader) -> None:
    asked: list[str] = []

    async def handler(request: web.Request) -> web.StreamResponse:
        asked.append(f"{request.path} {request.headers.get('Cookie')}")
        answer = web.Response(status=302, headers={"Location": "/elsewhere"})
        answer.set_cookie("who", "you")
        return answer

    async with serving(handler) as url:
        assert await downloader.fetch(url, Taker()) == Refused(problem="http_302")
        assert await downloader.fetch(url, Taker()) == Refused(problem="http_302")
    assert asked == ["/a None", "/a None"]


async def test_a_file_that_is_packed_is_not_unpacked(downloader: HttpDownloader) -> None:
    async def handler(_: web.Request) -> web.StreamResponse:
        return web.Response(body=b"\x1f\x8b...", headers={"Content-Encoding": "gzip"})

    async with serving(handler) as url:
        assert await downloader.fetch(url, Taker()) == Broken(problem="encoded")


async def test_a_file_that_stalls_is_given_up(downloader: HttpDownloader) -> None:
    over = asyncio.Event()

    async def handler(request: web.Request) -> web.StreamResponse:
        answer = web.StreamResponse()
        await answer.prepare(request)
        await answer.write(b"x")
        await over.wait()
        return answer

    async with serving(handler) as url:
        taker = Taker()
        assert await downloader.fetch(url, taker) == Broken(problem="slow")
        assert taker.size == 1
        over.set()
