"""The words of a copy, made from what the ledger knows of its original."""

import json

from bot.words.relay import Quote, Said, Who, at_desk, deleted_at_desk, for_member, shown_at_desk
from bot.words.values import Message
from domain.requests import Request
from domain.written import Written
from storage import relayed
from storage.database import Connection
from storage.desks import Desk
from storage.relayed import Relayed


def extras_of(written: Written) -> str:
    """What a message bears besides text and files, as the ledger keeps it (JSON)."""
    voices = [one.voice_seconds for one in written.attachments if one.voice_seconds is not None]
    return json.dumps(
        {
            "stickers": written.stickers,
            "voice_seconds": voices[0] if voices else None,
            "forwarded": "\n\n".join(one.text for one in written.forwards)
            if written.forwards
            else None,
        }
    )


def of(
    connection: Connection, original: Relayed, request: Request, desk: Desk
) -> tuple[Message, ...]:
    """The pieces of its copy on the other side."""
    return tuple(
        Message(text=text, quiet=True) for text in _texts(connection, original, request, desk)
    )


def by_command(original: Relayed, desk: Desk) -> tuple[Message, ...]:
    """The pieces that the desk's own thread shows of what was written with /reply."""
    texts = shown_at_desk(desk.locale, Said(text=original.text), name=original.author_name)
    return tuple(Message(text=text, quiet=True) for text in texts)


def deleted(
    connection: Connection, original: Relayed, request: Request, desk: Desk
) -> tuple[Message, ...]:
    """The pieces of its copy at the desk, marked as deleted."""
    return tuple(
        Message(text=deleted_at_desk(desk.locale, text), quiet=True)
        for text in _texts(connection, original, request, desk)
    )


def _texts(
    connection: Connection, original: Relayed, request: Request, desk: Desk
) -> tuple[str, ...]:
    extras = json.loads(original.extras)
    said = Said(
        text=original.text,
        quote=_quote(connection, original),
        stickers=tuple(extras["stickers"]),
        voice_seconds=extras["voice_seconds"],
        forwarded=extras["forwarded"],
    )
    if original.side == "member":
        return at_desk(desk.locale, said, name=original.author_name)
    name = original.author_name if desk.identity == "name" else None
    return for_member(request.source_locale, said, coordinator=name)


def _quote(connection: Connection, original: Relayed) -> Quote | None:
    """What it answers, where that was carried too; Steward's own words are quoted without text."""
    if original.reply_to is None:
        return None
    answered = relayed.original_of(connection, original.reply_to)
    if answered is None or answered.side == "note":
        return Quote(text="", who=Who.STEWARD) if answered is None else None
    if answered.conversation_id != original.conversation_id:
        return None
    if answered.side == "member":
        return Quote(text=answered.text, who=Who.MEMBER)
    return Quote(text=answered.text, who=Who.TEAM, name=answered.author_name)
