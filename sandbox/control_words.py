"""Verbs of what people write: messages with all that hangs on them, changes, reactions, typing."""

import base64
from typing import TYPE_CHECKING

from sandbox import messages, payloads
from sandbox.blobs import Blob, Made
from sandbox.control_acts import message_of, person_of, place_of
from sandbox.control_setup import Verbs
from sandbox.drafts import File
from sandbox.entities import Attachment, Json, Message
from sandbox.writing import FLAT_WAVEFORM

if TYPE_CHECKING:
    from sandbox.server import Sandbox


def _file(each: Json) -> File:
    """`data` in base64; or `size`, and perhaps `seed`, of bytes that are made when they're read."""
    contents: bytes | Blob = (
        base64.b64decode(each["data"])
        if "data" in each
        else Made(int(each["size"]), int(each.get("seed", 0)))
    )
    return File(
        filename=each["filename"],
        data=contents,
        content_type=each.get("content_type", "application/octet-stream"),
        description=each.get("description"),
        spoiler=bool(each.get("spoiler", False)),
        claimed_size=each.get("claimed_size"),
    )


def _maybe(sandbox: "Sandbox", body: Json, key: str) -> Message | None:
    return None if body.get(key) is None else message_of(sandbox, body, key)


def _told(sandbox: "Sandbox", message: Message) -> Json:
    return payloads.message(sandbox.world, message)


def _say(sandbox: "Sandbox", body: Json) -> Json:
    said = person_of(sandbox, body).say(
        body.get("content", ""),
        place_of(sandbox, body),
        files=[_file(each) for each in body.get("files", [])],
        reply_to=_maybe(sandbox, body, "reply_to"),
        forward=_maybe(sandbox, body, "forward"),
        stickers=body.get("stickers", ()),
        ping=bool(body.get("ping", True)),
    )
    return _told(sandbox, said)


def _speak(sandbox: "Sandbox", body: Json) -> Json:
    spoken = person_of(sandbox, body).speak(
        base64.b64decode(body["data"]),
        place_of(sandbox, body),
        seconds=float(body.get("seconds", 1.0)),
        waveform=body.get("waveform", FLAT_WAVEFORM),
        reply_to=_maybe(sandbox, body, "reply_to"),
    )
    return _told(sandbox, spoken)


def _edit(sandbox: "Sandbox", body: Json) -> Json:
    """Other `content`, or none of the attachments in `without`."""
    message = message_of(sandbox, body)
    gone: list[Attachment] = [
        each for each in message.attachments if str(each.id) in body.get("without", [])
    ]
    person_of(sandbox, body).edit(message, body.get("content"), without=gone)
    return _told(sandbox, message)


def _unfurl(sandbox: "Sandbox", body: Json) -> Json:
    """An embed of `url` appears under the message, by nobody's hand."""
    message = message_of(sandbox, body)
    embed = {"type": "link", "url": body["url"], "title": body.get("title", body["url"])}
    messages.unfurl(sandbox.world, message, embed)
    return _told(sandbox, message)


def _delete(sandbox: "Sandbox", body: Json) -> Json:
    person_of(sandbox, body).delete(message_of(sandbox, body))
    return {}


def _delete_all(sandbox: "Sandbox", body: Json) -> Json:
    found = [sandbox.world.messages[int(each)] for each in body["messages"]]
    person_of(sandbox, body).delete_all(found)
    return {}


def _react(sandbox: "Sandbox", body: Json) -> Json:
    person_of(sandbox, body).react(message_of(sandbox, body), body["emoji"])
    return {}


def _unreact(sandbox: "Sandbox", body: Json) -> Json:
    person_of(sandbox, body).unreact(message_of(sandbox, body), body["emoji"])
    return {}


def _type(sandbox: "Sandbox", body: Json) -> Json:
    person_of(sandbox, body).type_in(place_of(sandbox, body))
    return {}


WORDS: Verbs = {
    "say": _say,
    "speak": _speak,
    "edit": _edit,
    "unfurl": _unfurl,
    "delete": _delete,
    "delete_all": _delete_all,
    "react": _react,
    "unreact": _unreact,
    "type": _type,
}
