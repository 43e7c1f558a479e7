"""LibreTranslate over real sockets: what it is asked, and every way in which it can fail."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from aiohttp import web

from bot.translating import (
    MOST_KEPT,
    MOST_READ,
    MOST_SENT,
    LibreTranslate,
    Translated,
    TranslationFailed,
    language_code,
)

Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]

SECRET_WORDS = "the printer in room 12 is on fire again"


@dataclass
class Server:
    """A loopback LibreTranslate that answers as a test says, and keeps what it was asked."""

    url: str = ""
    answer: Answer | None = None
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    released: asyncio.Event = field(default_factory=asyncio.Event)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        raw = await request.read()
        self.asked.append((f"{request.method} {request.path}", json.loads(raw) if raw else {}))
        assert self.answer is not None
        return await self.answer(request)

    def says(self, body: Any, status: int = 200) -> None:
        """Answer everything with this, as JSON, or as it stands if it is bytes."""
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()

        async def answer(_: web.Request) -> web.StreamResponse:
            return web.Response(body=raw, status=status, content_type="application/json")

        self.answer = answer


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    made = Server()
    app = web.Application()
    app.router.add_route("*", "/{tail:.*}", made.handle)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    made.url = f"http://{host}:{port}"
    yield made
    made.released.set()
    await runner.cleanup()


async def translated(
    server: Server, text: str = "Guten Tag", source: str | None = None, target: str = "en"
) -> Translated:
    return await LibreTranslate(server.url).translate(text, source=source, target=target)


async def failure(server: Server, *, patience: float = 10) -> TranslationFailed:
    provider = LibreTranslate(server.url, "key-1", patience=patience)
    with pytest.raises(TranslationFailed) as failed:
        await provider.translate(SECRET_WORDS, source=None, target="de")
    return failed.value


async def test_a_translation_is_asked_for_as_the_api_wants_it(server: Server) -> None:
    server.says({"translatedText": "Good day", "detectedLanguage": None})
    provider = LibreTranslate(f"{server.url}/", "key-1")
    assert await provider.translate("Guten Tag", source="de", target="en") == Translated(
        text="Good day", source="de"
    )
    assert server.asked == [
        (
            "POST /translate",
            {
                "q": "Guten Tag",
                "source": "de",
                "target": "en",
                "format": "text",
                "api_key": "key-1",
            },
        )
    ]


async def test_a_provider_below_a_path_is_asked_there_and_without_a_key_none_is_sent(
    server: Server,
) -> None:
    server.says({"translatedText": "Good day"})
    await LibreTranslate(f"{server.url}/lt").translate("Guten Tag", source=None, target="en")
    ((address, body),) = server.asked
    assert address == "POST /lt/translate"
    assert "api_key" not in body


@pytest.mark.parametrize(
    ("text", "source", "sent"),
    [
        ("Guten Tag", None, "auto"),
        ("Guten Tag", "en", "auto"),
        ("Guten Tag", "de", "de"),
        ("Der Drucker brennt schon wieder", "fr", "auto"),
    ],
    ids=["unknown", "the target's own", "a short text", "a text that speaks for itself"],
)
async def test_the_authors_own_language_is_taken_only_where_the_text_can_not_say(
    server: Server, text: str, source: str | None, sent: str
) -> None:
    server.says({"translatedText": "x"})
    await translated(server, text, source)
    assert server.asked[0][1]["source"] == sent


@pytest.mark.parametrize(
    ("detected", "source"),
    [
        ({"confidence": 92, "language": "de"}, "de"),
        ({"confidence": 83.5, "language": "zh-Hant"}, "zt"),
        ({"confidence": 0.0, "language": "en"}, None),
        ({"confidence": 9, "language": "</b>\ud800"}, None),
        ({"confidence": 9, "language": ["de"]}, None),
        ([], None),
        ("de", None),
        (None, None),
    ],
)
async def test_the_detected_language_is_named_where_it_is_known(
    server: Server, detected: Any, source: str | None
) -> None:
    server.says({"translatedText": "Good day", "detectedLanguage": detected})
    assert (await translated(server)).source == source


async def test_a_text_that_is_far_too_long_is_sent_cut(server: Server) -> None:
    server.says({"translatedText": "x"})
    await translated(server, "ü" * 100_000)
    assert len(server.asked[0][1]["q"]) == MOST_SENT


async def test_what_comes_back_is_tidied_and_bounded(server: Server) -> None:
    server.says({"translatedText": "a\u0000b\ud800\u202ec\n\n\n\nd" + "e" * 20_000})
    text = (await translated(server)).text
    assert text.startswith("abc\n\nde")
    assert len(text) == MOST_KEPT
    text.encode()


@pytest.mark.parametrize(
    ("status", "body", "code"),
    [
        (400, {"error": "Invalid request: request (9) exceeds text limit (5)"}, "refused"),
        (400, {"error": "xx is not supported"}, "language_not_offered"),
        (
            400,
            {"error": "Irish (ga) is not available as a target language from Thai (th)"},
            "language_not_offered",
        ),
        (400, {"error": ["is not supported"]}, "refused"),
        (400, ["is not supported"], "refused"),
        (400, b"<html>is not supported", "refused"),
        (403, {"error": "Invalid API key"}, "refused"),
        (404, b"", "refused"),
        (429, {"error": "Slowdown: 20 per 1 minute"}, "refused"),
        (500, {"error": "Cannot translate text: out of memory"}, "unavailable"),
        (502, b"<html>Bad gateway", "unavailable"),
        (204, b"", "unreadable"),
        (200, b"", "unreadable"),
        (200, b"<html>Welcome", "unreadable"),
        (200, b"\xff\xfe\x00", "unreadable"),
        (200, b"[" * 100_000, "unreadable"),
        (200, {"error": "none of yours"}, "unreadable"),
        (200, {"translatedText": ["a batch"]}, "unreadable"),
        (200, {"translatedText": " \u200b\n"}, "unreadable"),
        (200, ["translatedText"], "unreadable"),
        (200, None, "unreadable"),
    ],
)
async def test_each_way_to_say_no_has_its_code(
    server: Server, status: int, body: Any, code: str
) -> None:
    server.says(body, status)
    assert (await failure(server)).code == code
    assert len(server.asked) == 1


async def test_an_answer_without_end_is_not_read_to_its_end(server: Server) -> None:
    sent = 0

    async def endless(request: web.Request) -> web.StreamResponse:
        nonlocal sent
        response = web.StreamResponse()
        await response.prepare(request)
        while not server.released.is_set():
            await response.write(b'{"translatedText": "' + b"x" * 65_536)
            sent += 65_536
        return response

    server.answer = endless
    assert (await failure(server)).code == "unreadable"
    assert sent < 100 * MOST_READ


async def test_a_packed_answer_is_not_unpacked(server: Server) -> None:
    async def packed(_: web.Request) -> web.StreamResponse:
        response = web.Response(body=json.dumps({"translatedText": "x" * 1_000_000}).encode())
        response.enable_compression(web.ContentCoding.gzip)
        return response

    server.answer = packed
    assert (await failure(server)).code == "unreadable"


async def test_a_server_that_hangs_is_given_up(server: Server) -> None:
    async def hang(_: web.Request) -> web.StreamResponse:
        await server.released.wait()
        return web.Response()

    server.answer = hang
    assert (await failure(server, patience=0.2)).code == "slow"
    assert len(server.asked) == 1


async def test_a_server_that_hangs_in_the_middle_of_its_answer_is_given_up(server: Server) -> None:
    async def trickle(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        await response.write(b'{"translatedText": "Gu')
        await server.released.wait()
        return response

    server.answer = trickle
    assert (await failure(server, patience=0.2)).code == "slow"


async def test_a_connection_that_breaks_in_the_middle_is_unavailable(server: Server) -> None:
    async def broken(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Length": "1000"})
        await response.prepare(request)
        await response.write(b'{"translatedText": "Gu')
        assert request.transport is not None
        request.transport.abort()
        return response

    server.answer = broken
    assert (await failure(server)).code == "unavailable"
    assert len(server.asked) == 1


async def test_nothing_is_sent_on_to_another_address(server: Server) -> None:
    async def redirect(request: web.Request) -> web.StreamResponse:
        raise web.HTTPTemporaryRedirect(f"{server.url}/elsewhere")

    server.answer = redirect
    assert (await failure(server)).code == "unreadable"
    assert [address for address, _ in server.asked] == ["POST /translate"]


async def test_a_server_that_is_not_there_is_unavailable(unused_tcp_port: int) -> None:
    assert (await failure(Server(f"http://127.0.0.1:{unused_tcp_port}"))).code == "unavailable"


@pytest.mark.parametrize("url", ["http://[::", "http://127.0.0.1:99999", "http://.invalid"])
async def test_an_address_that_is_none_is_unavailable(url: str) -> None:
    assert (await failure(Server(url))).code == "unavailable"


async def test_what_speaks_no_http_is_unreadable() -> None:
    async def garbage(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.test ESMTP\r\n")
        writer.close()

    listening = await asyncio.start_server(garbage, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    async with listening:
        assert (await failure(Server(f"http://127.0.0.1:{port}"))).code == "unreadable"


async def test_no_failure_holds_or_logs_what_was_written_or_the_key(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for status in (200, 400, 500):
        server.says({"error": SECRET_WORDS}, status)
        failed = await failure(server)
        assert failed.__cause__ is None
        told = f"{failed!r} {failed.detail} {caplog.text}"
        assert "printer" not in told
        assert "key-1" not in told


async def test_the_languages_on_offer(server: Server) -> None:
    server.says([{"code": "en", "name": "English", "targets": ["de"]}, {"code": "de"}])
    assert await LibreTranslate(server.url).languages() == {"en", "de"}
    assert server.asked == [("GET /languages", {})]


@pytest.mark.parametrize("body", [{"en": "English"}, [{"name": "English"}], 7, b"<html>"])
async def test_something_else_than_languages_is_unreadable(server: Server, body: Any) -> None:
    server.says(body)
    with pytest.raises(TranslationFailed) as failed:
        await LibreTranslate(server.url).languages()
    assert failed.value.code == "unreadable"


@pytest.mark.parametrize(
    ("locale", "code"),
    [
        ("de", "de"),
        ("en-US", "en"),
        ("en-GB", "en"),
        ("pt-BR", "pt"),
        ("es-419", "es"),
        ("sv-SE", "sv"),
        ("zh-CN", "zh"),
        ("zh-TW", "zt"),
        ("zh_Hans", "zh"),
        ("no", "nb"),
    ],
)
def test_discords_locales_are_named_as_the_provider_names_them(locale: str, code: str) -> None:
    assert language_code(locale) == code
