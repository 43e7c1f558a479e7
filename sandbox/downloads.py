"""A file on its way to whoever fetches it, in pieces, with what may go wrong with it."""

import asyncio
from collections.abc import Iterator
from typing import Final

from aiohttp import web

from sandbox.blobs import Blob
from sandbox.faults import Fault, Kind
from sandbox.routes.registry import Reply

PIECES: Final = 8
_WRONG_TYPE: Final = "text/html"


async def send(
    request: web.Request, reply: Reply, fault: Fault | None = None
) -> web.StreamResponse:
    """Answer the reply's file. A fault of the body has it cut, slow, or lied about."""
    assert reply.blob is not None
    kind = None if fault is None else fault.kind
    size = reply.blob.size
    response = web.StreamResponse(status=reply.status)
    response.content_type = _WRONG_TYPE if kind is Kind.WRONG_TYPE else reply.content_type
    response.content_length = _claimed(size, kind)
    if kind is Kind.NO_LENGTH:
        response.enable_chunked_encoding()
    await response.prepare(request)
    until = size // 2 if kind is Kind.CUT_BODY else size
    if kind is Kind.SLOW and fault is not None:
        await _slowly(response, reply.blob, fault.seconds)
    else:
        for chunk in _first(reply.blob, until):
            await response.write(chunk)
    if kind in (Kind.CUT_BODY, Kind.LENGTH_ABOVE) and request.transport is not None:
        request.transport.close()
    return response


def _claimed(size: int, kind: Kind | None) -> int | None:
    if kind is Kind.LENGTH_BELOW:
        return size // 2
    if kind is Kind.LENGTH_ABOVE:
        return size * 2 + 1
    return None if kind is Kind.NO_LENGTH else size


def _first(blob: Blob, until: int) -> Iterator[bytes | memoryview]:
    for chunk in blob.chunks():
        if until <= 0:
            return
        yield chunk[:until]
        until -= len(chunk)


async def _slowly(response: web.StreamResponse, blob: Blob, seconds: float) -> None:
    """Spread over so many seconds, in pieces."""
    step = max(1, blob.size // PIECES)
    sent = waited = 0
    for chunk in blob.chunks():
        view = memoryview(chunk)
        for start in range(0, len(view), step):
            if waited < PIECES and sent >= waited * step:
                waited += 1
                await asyncio.sleep(seconds / PIECES)
            piece = view[start : start + step]
            await response.write(piece)
            sent += len(piece)
