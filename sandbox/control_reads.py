"""Verbs that ask: what a person sees, what was answered, and what really happened."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sandbox import payloads
from sandbox.acts import FirstAnswer
from sandbox.control_acts import person_of, place_of
from sandbox.control_setup import Verbs, channel_of
from sandbox.entities import Attachment, Json, Message
from sandbox.truth import Exchange

if TYPE_CHECKING:
    from sandbox.server import Sandbox


def _dm(sandbox: "Sandbox", body: Json) -> Json:
    return payloads.channel(sandbox.world, person_of(sandbox, body).dm)


async def _first_answer(sandbox: "Sandbox", body: Json) -> Json:
    """Waits until the person sees something; at the latest, that nothing came in three seconds."""
    asked = sandbox.interactions.get(int(body["interaction"]))
    return _told_first(sandbox, await asked.first_answer())


def _told_first(sandbox: "Sandbox", first: FirstAnswer) -> Json:
    message = None if first.message is None else payloads.message(sandbox.world, first.message)
    return {
        "seen": first.seen.value,
        "after_ms": first.after_ms,
        "message": message,
        "modal": first.modal,
        "choices": list(first.choices),
    }


def _answers(sandbox: "Sandbox", body: Json) -> Json:
    asked = sandbox.interactions.get(int(body["interaction"]))
    return {"messages": [payloads.message(sandbox.world, each) for each in asked.messages]}


def _view(sandbox: "Sandbox", body: Json) -> Json:
    seen = person_of(sandbox, body).view(place_of(sandbox, body))
    viewer = int(body["user"])
    return {"messages": [payloads.message(sandbox.world, each, viewer=viewer) for each in seen]}


def _messages(sandbox: "Sandbox", body: Json) -> Json:
    channel = None if body.get("channel") is None else channel_of(sandbox, body)
    author = None if body.get("author") is None else int(body["author"])
    found = sandbox.truth.messages(
        channel,
        author=author,
        nonce=body.get("nonce"),
        include_deleted=bool(body.get("include_deleted", False)),
        include_ephemeral=bool(body.get("include_ephemeral", False)),
    )
    return {"messages": [_whole(sandbox, each) for each in found]}


def _whole(sandbox: "Sandbox", message: Message) -> Json:
    body = payloads.message(sandbox.world, message)
    for shown, each in zip(body["attachments"], message.attachments, strict=True):
        shown["sha256"] = each.blob.sha256
    return body | {
        "nonce": message.nonce,
        "deleted": message.deleted,
        "deleted_at": message.deleted_at,
        "edits": [each.content for each in message.edits],
        "versions": [
            *(_version(each.content, each.attachments, each.at) for each in message.edits),
            _version(message.content, message.attachments, message.deleted_at),
        ],
        "reacted": {emoji: [str(one) for one in who] for emoji, who in message.reactions.items()},
    }


def _version(content: str, attachments: Sequence[Attachment], until: int | None) -> Json:
    """What a message said and held until then."""
    files = [
        {"id": str(each.id), "filename": each.filename, "sha256": each.blob.sha256}
        for each in attachments
    ]
    return {"content": content, "attachments": files, "until": until}


def _truth(sandbox: "Sandbox", _: Json) -> Json:
    """By channel, every message there ever was, deleted and ephemeral ones too, in order."""
    made: dict[str, list[Json]] = {}
    for each in sandbox.truth.messages(include_deleted=True, include_ephemeral=True):
        made.setdefault(str(each.channel_id), []).append(_whole(sandbox, each))
    return {"channels": made}


def _requests(sandbox: "Sandbox", body: Json) -> Json:
    found = sandbox.truth.requests(body.get("route"), effect=body.get("effect"))
    return {"requests": [_exchange(each) for each in found]}


def _exchange(each: Exchange) -> Json:
    return {
        "number": each.number,
        "at": each.at,
        "route": each.route,
        "path": each.path,
        "nonce": each.nonce,
        "files": each.files,
        "effect": each.effect,
        "status": each.status,
        "code": each.code,
        "fault": each.fault,
    }


def _channels(sandbox: "Sandbox", body: Json) -> Json:
    guild = sandbox.world.guild(int(body["guild"]))
    every = [sandbox.world.channels[each] for each in sorted(guild.channels | guild.threads)]
    return {"channels": [payloads.channel(sandbox.world, each) for each in every]}


def _commands(sandbox: "Sandbox", _: Json) -> Json:
    return {"commands": list(sandbox.world.commands.values())}


def _state(sandbox: "Sandbox", _: Json) -> Json:
    return {
        "bot": payloads.user(sandbox.world.bot),
        "connected": sandbox.gateway.connected,
        "identifies": sandbox.gateway.identifies,
        "resumes": sandbox.gateway.resumes,
        "unknown": list(sandbox.world.unknown),
    }


READS: Verbs = {
    "dm": _dm,
    "first_answer": _first_answer,
    "answers": _answers,
    "view": _view,
    "messages": _messages,
    "truth": _truth,
    "requests": _requests,
    "channels": _channels,
    "commands": _commands,
    "state": _state,
}
