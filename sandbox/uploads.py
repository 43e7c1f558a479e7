"""A request's body read: its JSON, and the files that came with it."""

import json
import mimetypes
import re
from typing import Any, Final

from aiohttp import BodyPartReader, hdrs, web

from sandbox.blobs import Blob, Keep, Made
from sandbox.drafts import LARGEST_FILE, File
from sandbox.entities import Json

_ANYTHING: Final = "application/octet-stream"
_SLOT: Final = re.compile(r"files\[([0-9]{1,3})\]")


async def read(request: web.Request, keep: Keep) -> tuple[Any, list[File]]:
    """The JSON and the files of a request. Raises ValueError when it can't be read."""
    if not request.can_read_body:
        return None, []
    if not request.content_type.startswith("multipart/"):
        text = await request.text()
        return (json.loads(text) if text else None), []
    body: Any = None
    files: list[File] = []
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            continue
        if part.name == "payload_json":
            body = json.loads(await part.read(decode=True))
        else:
            files.append(await _file(part, keep))
    return body, files


async def _file(part: BodyPartReader, keep: Keep) -> File:
    """Its type is what its name says, as at Discord, where the part itself says nothing."""
    name = part.filename or "file"
    kind = part.headers.get(hdrs.CONTENT_TYPE, _ANYTHING)
    slot = _SLOT.fullmatch(part.name or "")
    return File(
        filename=name,
        data=await _contents(part, keep),
        content_type=_guessed(name) if kind == _ANYTHING else kind,
        slot=None if slot is None else int(slot[1]),
    )


def _guessed(name: str) -> str:
    kind = mimetypes.guess_type(name)[0] or _ANYTHING
    return f"{kind}; charset=utf-8" if kind.startswith("text/") else kind


async def _contents(part: BodyPartReader, keep: Keep) -> Blob:
    """What is larger than Discord takes is read to its end but not held: it will be refused."""
    held: list[bytes] = []
    size = 0
    while chunk := await part.read_chunk():
        size += len(chunk)
        if size <= LARGEST_FILE:
            held.append(chunk)
        else:
            held.clear()
    return keep.upload(b"".join(held)) if size <= LARGEST_FILE else Made(size)


def summary(file: File) -> Json:
    """A file as the log of requests has it."""
    blob = file.blob
    return {
        "slot": file.slot,
        "filename": file.filename,
        "content_type": file.content_type,
        "size": blob.size,
        "sha256": blob.sha256 if blob.size <= LARGEST_FILE else None,
    }
