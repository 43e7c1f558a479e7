"""One REST request from the socket to its answer, with what may go wrong on the way."""

import asyncio
import json
import socket
import struct
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from aiohttp import hdrs, web

from sandbox import downloads, uploads
from sandbox.drafts import File
from sandbox.errors import ApiError, invalid, refusal
from sandbox.faults import Fault, Faults, Kind
from sandbox.interactions import Interactions
from sandbox.limits import Allowance, Limits
from sandbox.routes.registry import Call, Reply, Route
from sandbox.truth import Exchange, Truth
from sandbox.world import World

Hook = Callable[[Exchange, Any], None]

_VIA: Final = {"Via": "1.1 google"}
_HTML: Final = "<html><head><title>cloudflare</title></head><body></body></html>"
_HTML_STATUSES: Final = frozenset({502, 504, 520, 521, 522, 523, 524})
_OF_A_FILE: Final = frozenset(
    {
        Kind.CUT_BODY,
        Kind.SLOW,
        Kind.LENGTH_BELOW,
        Kind.LENGTH_ABOVE,
        Kind.NO_LENGTH,
        Kind.WRONG_TYPE,
    }
)
_RESET: Final = struct.pack("ii", 1, 0)


class Rest:
    """Answers for the world. Every hook is told each whole answer with its JSON."""

    def __init__(
        self,
        world: World,
        truth: Truth,
        faults: Faults,
        interactions: Interactions,
        limits: Limits,
        *,
        token: str,
        gateway_url: Callable[[], str],
    ) -> None:
        self._world = world
        self._truth = truth
        self._faults = faults
        self._interactions = interactions
        self._limits = limits
        self._token = token
        self._gateway_url = gateway_url
        self.hooks: list[Hook] = []

    def handler(self, route: Route) -> Callable[[web.Request], Any]:
        """What aiohttp calls for this route."""

        async def handle(request: web.Request) -> web.StreamResponse:
            return await self._serve(request, route)

        return handle

    async def unknown(self, request: web.Request) -> web.StreamResponse:
        """What the sandbox doesn't have: said loudly, and written down."""
        name = f"{request.method} {request.path}"
        self._world.note_unknown(name)
        words = f"The sandbox has no route {name}"
        return web.json_response({"message": words, "code": 0}, status=501)

    async def _serve(self, request: web.Request, route: Route) -> web.StreamResponse:
        query = dict(request.query)
        exchange = self._truth.begin(request.method, route.name, request.path, query)
        allowance = self._limits.spend(exchange)
        body, files, unread = await self._read(request, exchange)
        fault = self._faults.strike(exchange)
        if fault is not None:
            exchange.fault = str(fault.kind)
            early = await self._before(request, exchange, fault, allowance)
            if early is not None:
                return early
        if allowance.refused:
            return self._limited(
                exchange, allowance, allowance.reset_after, everywhere=allowance.everywhere
            )
        call = Call(
            world=self._world,
            interactions=self._interactions,
            gateway_url=self._gateway_url(),
            params=request.match_info,
            query=query,
            body=body,
            files=files,
        )
        reply = self._act(request, route, call, unread, exchange)
        exchange.effect = reply.status < 400
        if fault is None:
            return await self._answer(request, exchange, reply, allowance)
        return await self._after(request, exchange, fault, reply, allowance)

    async def _read(
        self, request: web.Request, exchange: Exchange
    ) -> tuple[Any, list[File], ApiError | None]:
        try:
            body, files = await uploads.read(request, self._world.blobs)
        except ValueError:
            return None, [], refusal(50109)
        exchange.body = body
        exchange.files = [uploads.summary(each) for each in files]
        if isinstance(body, dict) and body.get("nonce") is not None:
            exchange.nonce = str(body["nonce"])
        return body, files, None

    def _act(
        self,
        request: web.Request,
        route: Route,
        call: Call,
        unread: ApiError | None,
        exchange: Exchange,
    ) -> Reply:
        try:
            if not route.public and request.headers.get(hdrs.AUTHORIZATION) != f"Bot {self._token}":
                raise refusal(0)
            if unread is not None:
                raise unread
            return route.handler(call)
        except ApiError as error:
            exchange.code = error.code
            return Reply(error.status, error.body())
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            # A body of the wrong shape. Discord's 50035 names the field; this names what we know.
            problem = invalid(root=("BASE_TYPE", f"{type(error).__name__}: {error}"))
            exchange.code = problem.code
            self._world.note_unknown(f"{route.name}: {type(error).__name__}: {error}")
            return Reply(problem.status, problem.body())

    # What may go wrong

    async def _before(
        self, request: web.Request, exchange: Exchange, fault: Fault, allowance: Allowance
    ) -> web.StreamResponse | None:
        """The answer, or its lack, that comes instead of the effect; None to go on."""
        match fault.kind:
            case Kind.REFUSE:
                return _cut(request, reset=True)
            case Kind.CLOSE_BEFORE:
                return _cut(request)
            case Kind.STATUS_BEFORE:
                return self._failure(exchange, fault.status)
            case Kind.RATELIMIT:
                return self._limited(
                    exchange, allowance, fault.seconds, everywhere=fault.everywhere, via=fault.via
                )
            case Kind.ERROR:
                error = refusal(fault.code or 0)
                exchange.code = error.code
                reply = Reply(error.status, error.body())
                return await self._answer(request, exchange, reply, allowance)
            case Kind.DELAY:
                await asyncio.sleep(fault.seconds)
            case Kind.HANG_BEFORE | Kind.HOLD_BEFORE:
                if not await self._faults.wait(fault):
                    return _cut(request)
            case _:
                pass
        return None

    async def _after(
        self,
        request: web.Request,
        exchange: Exchange,
        fault: Fault,
        reply: Reply,
        allowance: Allowance,
    ) -> web.StreamResponse:
        """What is answered although the effect is there."""
        match fault.kind:
            case Kind.CLOSE_AFTER:
                return _cut(request)
            case Kind.STATUS_AFTER:
                return self._failure(exchange, fault.status)
            case Kind.HANG_AFTER | Kind.HOLD_AFTER:
                if not await self._faults.wait(fault):
                    return _cut(request)
            case kind if reply.blob is not None and kind in _OF_A_FILE:
                return await self._spoilt(request, exchange, reply, fault)
            case Kind.CUT_BODY:
                return await _half(request, reply)
            case Kind.HTML:
                exchange.status = 200
                return web.Response(text=_HTML, content_type="text/html")
            case Kind.BROKEN_JSON:
                exchange.status = 200
                return _json_response(b'{"id": ', 200, allowance.headers())
            case Kind.REMAINING_ZERO:
                allowance = replace(allowance, remaining=0, reset_after=fault.seconds)
            case _:
                pass
        return await self._answer(request, exchange, reply, allowance)

    # Answers

    async def _answer(
        self, request: web.Request, exchange: Exchange, reply: Reply, allowance: Allowance
    ) -> web.StreamResponse:
        exchange.status = 204 if reply.body is None and reply.blob is None else reply.status
        if reply.blob is not None:
            return await downloads.send(request, reply)
        for hook in self.hooks:
            hook(exchange, reply.body)
        if reply.body is None:
            return web.Response(status=204, headers=allowance.headers() | _VIA)
        return _json_response(_dumps(reply.body), reply.status, allowance.headers() | _VIA)

    async def _spoilt(
        self, request: web.Request, exchange: Exchange, reply: Reply, fault: Fault
    ) -> web.StreamResponse:
        """A file with something wrong about it; one that wasn't sent whole has no status."""
        if fault.kind not in (Kind.CUT_BODY, Kind.LENGTH_ABOVE):
            exchange.status = reply.status
        return await downloads.send(request, reply, fault)

    def _failure(self, exchange: Exchange, status: int) -> web.Response:
        exchange.status = status
        if status in _HTML_STATUSES:
            return web.Response(text=_HTML, content_type="text/html", status=status)
        words = {"message": f"{status}: Internal Server Error", "code": 0}
        return _json_response(_dumps(words), status, _VIA)

    def _limited(
        self,
        exchange: Exchange,
        allowance: Allowance,
        retry_after: float,
        *,
        everywhere: bool = False,
        via: bool = True,
    ) -> web.Response:
        exchange.status = 429
        body = {
            "message": "You are being rate limited.",
            "retry_after": retry_after,
            "global": everywhere,
        }
        headers = replace(allowance, remaining=0, reset_after=retry_after).headers()
        headers |= {"Retry-After": str(max(1, round(retry_after)))}
        headers |= {"X-RateLimit-Scope": "global" if everywhere else "user"}
        headers |= {"X-RateLimit-Global": "true"} if everywhere else {}
        return _json_response(_dumps(body), 429, headers | (_VIA if via else {}))


def _dumps(body: Any) -> bytes:
    return json.dumps(body, separators=(",", ":")).encode()


def _json_response(data: bytes, status: int, headers: Mapping[str, str]) -> web.Response:
    # Exactly this content type: discord.py takes nothing else for JSON.
    return web.Response(
        body=data, status=status, headers={**headers, "Content-Type": "application/json"}
    )


def _cut(request: web.Request, *, reset: bool = False) -> web.Response:
    """End the connection without an answer; with `reset` the other side's socket says so."""
    transport = request.transport
    if transport is not None:
        raw = transport.get_extra_info("socket")
        if reset and raw is not None:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        transport.abort()
    return web.Response(status=500)


async def _half(request: web.Request, reply: Reply) -> web.StreamResponse:
    """The head and half of the body, then the end of the connection."""
    if reply.status == 204:
        return _cut(request)  # there is no body to break off
    data = _dumps(reply.body)
    response = web.StreamResponse(status=reply.status)
    response.content_type = reply.content_type
    response.content_length = len(data)
    await response.prepare(request)
    await response.write(data[: len(data) // 2])
    if request.transport is not None:
        request.transport.close()
    return response
