"""A message that is carried, as its copy reads: at the desk, and in the member's direct messages.

Who speaks is said in small print (`-# `), and small print is Steward's alone: a line of carried
text that would be small print, in a quote or a list too, is shown with its two signs as text. So
whatever else a text contains, headings, bold names or quotes, nothing in it, nor in a piece of it
that has no header, can pass for a line of ours. The rest is mark-up as its author meant it:
whoever sends it lets nobody be alerted. What Steward itself says is never plain text there, but an
embed, which carried text can't be either.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.words.sentences import Fact, Plain, say
from domain.splitting import MESSAGE_LIMIT, split
from domain.text import discord_length, escape, shorten, tidy

_MARK_ROOM: Final = 64
"""Kept free in every piece: its copy can still be marked when the original is deleted, and what
would be small print only because a cut put it first can still be made text."""

_LIMIT = MESSAGE_LIMIT - _MARK_ROOM
_LEAD = 1300
_ROOM_FOR_TEXT = 500
_NAME = 40
_QUOTED = 80

_LINE_ENDS = re.compile("\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_UNSENDABLE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_SMALL_PRINT = re.compile(r"^((?:[^\w\n]|_)*?(?:\d+[.)](?:[^\w\n]|_)*?)?)-#", re.MULTILINE)


class Who(StrEnum):
    """Who wrote what a reply answers."""

    MEMBER = "member"
    TEAM = "team"
    STEWARD = "steward"


class Lost(StrEnum):
    """Why a file is named and not carried."""

    TOO_LARGE = "too_large"
    NO_ROOM = "no_room"
    UNREADABLE = "unreadable"
    TOO_MANY = "too_many"
    PROGRAM = "program"
    GONE = "gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """What a reply answers; `name` is the coordinator's, where it is known."""

    text: str
    who: Who
    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LostFile:
    """A file that is not carried: the `ordinal`th of its message, from 1; `size` in bytes."""

    ordinal: int
    name: str
    size: int
    why: Lost


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A message as its author wrote it.

    `forwarded` is the text of the message that it forwards, if it is a forward; `files` is how
    many files go with the copy.
    """

    text: str = ""
    quote: Quote | None = None
    stickers: tuple[str, ...] = ()
    voice_seconds: int | None = None
    forwarded: str | None = None
    files: int = 0
    lost: tuple[LostFile, ...] = ()


def at_desk(locale: str, said: Said, *, name: str) -> tuple[str, ...]:
    """A member's message in the desk's thread, in at least one piece; the first says who."""
    member = _named(name)
    quoted: Fact = member
    if said.quote is not None and said.quote.who is not Who.MEMBER:
        quoted = _side(locale, said.quote, said.quote.name)
    return _pieces(locale, said, name=member, quoted=quoted, named=True)


def shown_at_desk(locale: str, said: Said, *, name: str) -> tuple[str, ...]:
    """What a coordinator wrote with /reply, in the desk's thread, so that the others read it."""
    return _block([say(locale, "relay.header.command", name=_named(name))], _carried(said.text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """Which of a member's several conversations a message is of."""

    guild_name: str
    reference: str


def for_member(
    locale: str, said: Said, *, coordinator: str | None, room: Room | None = None
) -> tuple[str, ...]:
    """A coordinator's message in the member's direct messages.

    `coordinator` None: the team speaks as one, and no name of a person or of a file is in it.
    `room` is said where the member has several conversations there.
    """
    quoted: Fact = Plain(say(locale, "you"))
    if said.quote is not None and said.quote.who is not Who.MEMBER:
        quoted = _side(locale, said.quote, said.quote.name if coordinator is not None else None)
    name: Fact = Plain(say(locale, "team")) if coordinator is None else _named(coordinator)
    return _pieces(locale, said, name=name, quoted=quoted, named=coordinator is not None, room=room)


def lost_files(locale: str, lost: Sequence[LostFile], *, named: bool) -> str:
    """Names files in the place where they should have been; `named` as for `file_name`."""
    return "\n".join(_fitting(locale, _lost(locale, lost, named=named)))


def deleted_at_desk(locale: str, piece: str) -> str:
    """A piece at the desk whose original the member has deleted: it stays, marked once."""
    mark = say(locale, "relay.deleted")
    if piece == mark or piece.startswith(mark + "\n"):
        return piece
    return shorten(f"{mark}\n{piece}" if piece else mark, MESSAGE_LIMIT)


def file_name(name: str, ordinal: int, *, named: bool) -> str:
    """What a carried file is called; not `named`: by its place and its kind alone."""
    kind = re.search(r"\.[A-Za-z0-9]{1,8}$", name)
    plain = f"file-{ordinal}{kind[0].lower() if kind else ''}"
    if not named:
        return plain
    return re.sub(r"[/\\]", "-", tidy(name, limit=100)) or plain


def _named(name: str) -> str:
    return tidy(name, limit=_NAME) or "?"


def _side(locale: str, quote: Quote, name: str | None) -> Fact:
    if quote.who is Who.STEWARD:
        return "Steward"
    return Plain(say(locale, "team")) if name is None else _named(name)


def _pieces(
    locale: str, said: Said, *, name: Fact, quoted: Fact, named: bool, room: Room | None = None
) -> tuple[str, ...]:
    text = _carried(said.text)
    header = _header(locale, said.quote, name, quoted, room)
    lead = [*header, *_extras(locale, said, text, named=named)]
    forwarded = _carried(said.forwarded or "")
    if said.forwarded is None:
        return _block(lead, text)
    mark = say(locale, "relay.forwarded" if forwarded else "relay.forwarded.nothing")
    if not text:
        return _block([*lead, mark], forwarded)
    return (*_block(lead, text), *_block([mark], forwarded))


def _header(
    locale: str, quote: Quote | None, name: Fact, quoted: Fact, room: Room | None
) -> list[str]:
    first = say(locale, "relay.header", name=name)
    if room is not None:
        guild, reference = _named(room.guild_name), Plain(room.reference)
        first = say(locale, "relay.header.room", name=name, guild=guild, reference=reference)
    if quote is None:
        return [first]
    text = escape(tidy(quote.text, limit=_QUOTED)) or say(locale, "relay.quote.nothing")
    return [first + say(locale, "relay.header.reply", to=quoted), f"> -# {text}"]


def _extras(locale: str, said: Said, text: str, *, named: bool) -> list[str]:
    """A line for each thing that is not text; if there would be none, what it was."""
    lines = [say(locale, "relay.sticker", name=_named(sticker)) for sticker in said.stickers]
    if said.voice_seconds is not None:
        minutes, seconds = divmod(said.voice_seconds, 60)
        lines.append(say(locale, "relay.voice", length=Plain(f"{minutes}:{seconds:02}")))
    lines.extend(_lost(locale, said.lost, named=named))
    if lines or text or said.forwarded is not None:
        return _fitting(locale, lines)
    if said.files:
        key = "relay.file" if said.files == 1 else "relay.files"
        return [say(locale, key, number=said.files)]
    return [say(locale, "relay.nothing")]


def _lost(locale: str, lost: Sequence[LostFile], *, named: bool) -> list[str]:
    """A line for each file."""
    return [
        say(
            locale,
            f"relay.lost.{file.why}",
            name=_named(file_name(file.name, file.ordinal, named=named)),
            size=_size(file.size),
        )
        for file in lost
    ]


def _fitting(locale: str, lines: Sequence[str]) -> list[str]:
    kept: list[str] = []
    room = _LEAD
    for index, line in enumerate(lines):
        room -= discord_length(line) + 1
        if room < 0:
            return [*kept, say(locale, "relay.more", number=len(lines) - index)]
        kept.append(line)
    return kept


def _size(size: int) -> Plain:
    if size < 1024 * 1024:
        return Plain(f"{max(1, round(size / 1024))} KiB")
    return Plain(f"{round(size / 1024 / 1024)} MiB")


def _carried(text: str) -> str:
    """The text as it was written, without what can't be sent, and with no small print."""
    text = _UNSENDABLE.sub("", _LINE_ENDS.sub("\n", text)).strip()
    return _no_small_print(text)


def _no_small_print(text: str) -> str:
    """Shows the signs as text (in a code block with the backslash: nothing else is certain)."""
    return _SMALL_PRINT.sub(r"\1-\\#", text)


def _block(lead: Sequence[str], text: str) -> tuple[str, ...]:
    """Lines of ours and a text: in the same piece where a good part of the text fits there."""
    above = "\n".join(lead)
    room = _LIMIT - discord_length(above) - 1
    if not text:
        return (above,)
    if room < _ROOM_FOR_TEXT:
        return (above, *map(_no_small_print, split(text, limit=_LIMIT)))
    first, *rest = map(_no_small_print, split(text, limit=_LIMIT, first=room))
    return (f"{above}\n{first}", *rest)
