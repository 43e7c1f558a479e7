"""The words and files of a copy, made from what the ledger knows of its original."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.services.marking import is_note
from bot.words.relay import (
    Lost,
    LostFile,
    Quote,
    Room,
    Said,
    Who,
    at_desk,
    deleted_at_desk,
    file_name,
    for_member,
    lost_files,
    shown_at_desk,
)
from bot.words.values import FileRef, Message
from domain.files import FileState
from domain.requests import Request
from domain.written import Forward, Written
from storage import conversations, files, relayed, rooms
from storage.database import Connection
from storage.desks import Desk
from storage.files import RelayedFile
from storage.relayed import Relayed

_WHY: Final = {
    FileState.TOO_LARGE: Lost.TOO_LARGE,
    FileState.TOO_MANY: Lost.TOO_MANY,
    FileState.NO_ROOM: Lost.NO_ROOM,
    FileState.UNREADABLE: Lost.UNREADABLE,
    FileState.PROGRAM: Lost.PROGRAM,
    FileState.GONE: Lost.GONE,
}


def extras_of(written: Written) -> str:
    """What a message bears besides text and files, as the ledger keeps it (JSON)."""
    borne: tuple[Written | Forward, ...] = (written, *written.forwards)
    voices = [
        file.voice_seconds
        for one in borne
        for file in one.attachments
        if file.voice_seconds is not None
    ]
    return json.dumps(
        {
            "stickers": [sticker for one in borne for sticker in one.stickers],
            "voice_seconds": voices[0] if voices else None,
            "forwarded": "\n\n".join(one.text for one in written.forwards)
            if written.forwards
            else None,
        }
    )


def of(
    connection: Connection, original: Relayed, request: Request, desk: Desk
) -> tuple[Message, ...]:
    """The pieces of its copy on the other side; its first files go with the first."""
    found = files.of_message(connection, original.id)
    carried = _carried(found, bundle=0, named=_is_named(original, desk))
    texts = _texts(connection, original, request, desk, found)
    first, *rest = (Message(text=text, quiet=True) for text in texts)
    return (replace(first, files=carried), *rest)


def more_files(
    connection: Connection, original: Relayed, request: Request, desk: Desk
) -> tuple[Message, ...]:
    """What can't go with the first piece: its further bundles of files, in order."""
    named = _is_named(original, desk)
    locale = desk.locale if original.side == "member" else request.source_locale
    found = files.of_message(connection, original.id)
    numbers = sorted({file.bundle for file in found if file.bundle})
    return tuple(
        Message(
            text=lost_files(locale, _lost(found, bundle=number), named=named),
            files=_carried(found, bundle=number, named=named),
            quiet=True,
        )
        for number in numbers
    )


def by_command(original: Relayed, desk: Desk) -> tuple[Message, ...]:
    """The pieces that the desk's own thread shows of what was written with /reply."""
    texts = shown_at_desk(desk.locale, Said(text=original.text), name=original.author_name)
    return tuple(Message(text=text, quiet=True) for text in texts)


def deleted(
    connection: Connection, original: Relayed, request: Request, desk: Desk
) -> tuple[Message, ...]:
    """The pieces of its copy at the desk, marked as deleted."""
    found = files.of_message(connection, original.id)
    return tuple(
        Message(text=deleted_at_desk(desk.locale, text), quiet=True)
        for text in _texts(connection, original, request, desk, found)
    )


def deleted_files(desk: Desk) -> Message:
    """A piece of nothing but files at the desk, marked as deleted."""
    return Message(text=deleted_at_desk(desk.locale, ""), quiet=True)


def _texts(
    connection: Connection,
    original: Relayed,
    request: Request,
    desk: Desk,
    found: Sequence[RelayedFile],
) -> tuple[str, ...]:
    extras = json.loads(original.extras)
    said = Said(
        text=original.text,
        quote=_quote(connection, original),
        stickers=tuple(extras["stickers"]),
        voice_seconds=extras["voice_seconds"],
        forwarded=extras["forwarded"],
        files=sum(file.bundle is not None for file in found),
        lost=(*_lost(found, bundle=None), *_lost(found, bundle=0)),
    )
    if original.side == "member":
        return at_desk(desk.locale, said, name=original.author_name)
    name = original.author_name if _is_named(original, desk) else None
    room = _room(connection, original, request, desk)
    return for_member(request.source_locale, said, coordinator=name, room=room)


def _room(connection: Connection, original: Relayed, request: Request, desk: Desk) -> Room | None:
    """Which conversation it is of, where the member has several: they are to tell them apart."""
    channel_id = conversations.load(connection, original.conversation_id).channel_id
    if len(rooms.active_in(connection, channel_id)) < 2:
        return None
    return Room(guild_name=desk.guild_name, reference=request.reference)


def _is_named(original: Relayed, desk: Desk) -> bool:
    """Whether the other side sees who wrote it, and what their files are called."""
    return original.side == "member" or desk.identity == "name"


def _carried(found: Sequence[RelayedFile], *, bundle: int, named: bool) -> tuple[FileRef, ...]:
    return tuple(
        FileRef(
            sha256=file.sha256,
            name=file_name(file.name, file.ordinal, named=named),
            size=file.size or 0,
            ordinal=file.ordinal,
            spoiler=file.spoiler,
        )
        for file in found
        if file.sha256 is not None and file.bundle == bundle
    )


def _lost(found: Sequence[RelayedFile], *, bundle: int | None) -> tuple[LostFile, ...]:
    return tuple(
        LostFile(
            ordinal=file.ordinal,
            name=file.name,
            size=file.size or file.claimed,
            why=_WHY[file.state],
        )
        for file in found
        if file.state in _WHY and file.bundle == bundle
    )


def _quote(connection: Connection, original: Relayed) -> Quote | None:
    """What it answers, where that was carried too; Steward's own words are quoted without text.

    A note never is, nor what has become one. Of what was deleted since nothing is said again.
    """
    if original.reply_to is None:
        return None
    answered = relayed.original_of(connection, original.reply_to)
    if answered is None:
        return Quote(text="", who=Who.STEWARD)
    if answered.side == "note" or answered.conversation_id != original.conversation_id:
        return None
    text = "" if answered.deleted_at is not None else answered.text
    if answered.side == "member":
        return Quote(text=text, who=Who.MEMBER)
    if is_note("desk", answered.text):
        return None
    return Quote(text=text, who=Who.TEAM, name=answered.author_name)
