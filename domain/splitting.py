"""A long text as several messages: where it is cut, and what each piece needs to stand alone."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from itertools import accumulate
from typing import Final

MESSAGE_LIMIT: Final = 2000
SMALLEST_LIMIT: Final = 64

_LONGEST_LANGUAGE = 24
_CLOSE = "\n```"
_JOINERS = "\u200c\u200d"

_MARK = re.compile(r"\\[\s\S]|```")
_LANGUAGE = re.compile(rf"[a-z0-9_+\-.#]{{1,{_LONGEST_LANGUAGE}}}+\n|\n", re.IGNORECASE)
_NEWLINES = re.compile(r"\n*")
_ATOM = re.compile(
    r"(?P<space>\s+)"
    r"|\\?<(?:[@#:/]|a:|t:|id:)[^<>\n]{1,100}>"
    r"|\\?<?https?://[^\s<>]+>?"
    r"|\\\S|([`*_~|])\2*|.",
    re.IGNORECASE | re.DOTALL,
)


class _Level(IntEnum):
    """How good a place is for a cut. A fence is cut when there is no line's end before it."""

    IN_CHARACTER = 0
    IN_ATOM = 1
    ANYWHERE = 2
    CODE_WORD = 3
    WORD = 4
    CODE_LINE = 5
    LINE = 6
    PARAGRAPH = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fence:
    """A code block: its body is text[body:close], and it is opened again with `opening`."""

    start: int
    body: int
    close: int
    end: int
    opening: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cut:
    """A piece may end before `end`, and the next begin at `start`; between is white space."""

    end: int
    start: int
    level: _Level
    fence: _Fence | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """text[start:end] of a text, between what was added so that a cut code block stays one."""

    start: int
    end: int
    opening: str = ""
    closing: str = ""


def split(text: str, *, limit: int = MESSAGE_LIMIT, first: int | None = None) -> tuple[str, ...]:
    """`text` in pieces of at most `limit` of Discord's characters, `first` for the first of them.

    Cut at a paragraph, else a line, else a word, else between two characters as a reader sees
    them; a mention, an emoji, a timestamp, a link is cut only if it is longer than a piece. A code
    block that is cut is closed, and opened again in the next piece in the same language; one that
    nobody closed is no code block for Discord, and is plain text here too. White space at the
    cuts and around the text goes; nothing else does. No piece is blank: a blank text has none.

    Takes time in proportion to the text. Raises ValueError for a limit below `SMALLEST_LIMIT`.
    """
    text = text.strip()
    return tuple(
        piece.opening + text[piece.start : piece.end] + piece.closing
        for piece in pieces(text, limit=limit, first=first)
    )


def pieces(text: str, *, limit: int = MESSAGE_LIMIT, first: int | None = None) -> Iterator[Piece]:
    """Where `split` cuts a text that has no white space around it."""
    room = limit if first is None else first
    if min(limit, room) < SMALLEST_LIMIT:
        raise ValueError(f"a piece has at least {SMALLEST_LIMIT} characters")
    if not text:
        return
    units = [0, *accumulate(2 if ord(character) > 0xFFFF else 1 for character in text)]
    cuts = list(_cuts(text, indent=min(limit, room) // 8)) if units[-1] > room else []
    start, at, opening = 0, 0, ""
    while units[-1] - units[start] > room - len(opening):
        at = _best(cuts, at, units, units[start] + room - len(opening))
        cut = cuts[at]
        closing = _CLOSE if cut.fence else ""
        yield Piece(start=start, end=cut.end, opening=opening, closing=closing)
        start, opening, room = cut.start, cut.fence.opening if cut.fence else "", limit
        while at < len(cuts) and cuts[at].end <= start:
            at += 1
    yield Piece(start=start, end=len(text), opening=opening)


def _best(cuts: list[_Cut], at: int, units: list[int], most: int) -> int:
    """The last of the best cuts, from the one at `at` on, whose piece ends within `most` units."""
    best = -1
    for index in range(at, len(cuts)):
        cut = cuts[index]
        end = units[cut.end]
        if end > most:
            break
        if cut.fence is not None and end + len(_CLOSE) > most:
            continue
        if best < 0 or cut.level >= cuts[best].level:
            best = index
    assert best >= 0, "no two cuts are further apart than the smallest limit"
    return best


def _fences(text: str) -> Iterator[_Fence]:
    """The code blocks as Discord finds them: three backticks, a body, the next three backticks."""
    at = 0
    while mark := _MARK.search(text, at):
        at = mark.end()
        if mark[0] != "```":
            continue
        language = _LANGUAGE.match(text, at)
        body = language.end() if language else at
        inside = _NEWLINES.match(text, body)
        assert inside is not None
        close = text.find("```", inside.end() + 1)
        if close < 0:
            return
        name = language[0].strip() if language else ""
        yield _Fence(
            start=mark.start(), body=body, close=close, end=close + 3, opening=f"```{name}\n"
        )
        at = close + 3


def _cuts(text: str, *, indent: int) -> Iterator[_Cut]:
    """Every place for a cut, in order; in code, a line's indentation is kept up to `indent`."""
    at = 0
    for fence in _fences(text):
        yield from _prose(text, at, fence.start)
        yield from _edge(text, fence.start)
        yield from _code(text, fence, indent)
        yield from _edge(text, fence.end)
        at = fence.end
    yield from _prose(text, at, len(text))


def _edge(text: str, at: int) -> Iterator[_Cut]:
    """Before or after a code block, where no white space is cut at anyway."""
    if 0 < at < len(text) and not text[at - 1].isspace() and not text[at].isspace():
        yield _Cut(end=at, start=at, level=_Level.LINE)


def _prose(text: str, start: int, end: int) -> Iterator[_Cut]:
    for atom, level in _atoms(text, start, end):
        if atom["space"]:
            breaks = min(atom["space"].count("\n"), 2)
            found = (_Level.WORD, _Level.LINE, _Level.PARAGRAPH)[breaks]
            yield _Cut(end=atom.start(), start=atom.end(), level=found)
            continue
        if level is not None:
            yield _Cut(end=atom.start(), start=atom.start(), level=level)
        yield from _inside(text, atom)


def _code(text: str, fence: _Fence, indent: int) -> Iterator[_Cut]:
    for atom, level in _atoms(text, fence.body, fence.close):
        start, end = atom.span()
        if atom["space"] and fence.body < start and end < fence.close:
            line = text.rfind("\n", start, end) + 1
            kept = line if line and end - line <= indent else end
            found = _Level.CODE_LINE if line else _Level.CODE_WORD
            yield _Cut(end=start, start=kept, level=found, fence=fence)
            continue
        if level is not None:
            yield _Cut(end=start, start=start, level=level, fence=fence)
        yield from _inside(text, atom, fence)


def _inside(text: str, atom: re.Match[str], fence: _Fence | None = None) -> Iterator[_Cut]:
    """Cuts inside what should stay whole, for when it is longer than a piece."""
    for at in range(atom.start() + 1, atom.end()):
        level = _Level.IN_CHARACTER if _continues(text, at) else _Level.IN_ATOM
        yield _Cut(end=at, start=at, level=level, fence=fence)


def _atoms(text: str, start: int, end: int) -> Iterator[tuple[re.Match[str], _Level | None]]:
    """What should stay whole, each with how good a cut before it is.

    None where there is white space, which is cut itself, or where a cut can't be.
    """
    flags = 0
    after_space = True
    for atom in _ATOM.finditer(text, start, end):
        at = atom.start()
        flags = flags + 1 if "\U0001f1e6" <= text[at] <= "\U0001f1ff" else 0
        level: _Level | None = _Level.ANYWHERE
        if after_space or atom["space"] or _halved(text, at):
            level = None
        elif _continues(text, at) or (flags and flags % 2 == 0):
            level = _Level.IN_CHARACTER
        yield atom, level
        after_space = bool(atom["space"])


def _halved(text: str, at: int) -> bool:
    """Whether a cut there parts the two halves of a character that came as two."""
    return "\udc00" <= text[at] <= "\udfff" and "\ud800" <= text[at - 1] <= "\udbff"


def _continues(text: str, at: int) -> bool:
    """Whether text[at] belongs to what a reader sees as one character with text[at - 1]."""
    character = text[at]
    if text[at - 1] in _JOINERS or character in _JOINERS:
        return True
    if character < "\u0300":
        return False
    return (
        unicodedata.category(character)[0] == "M"
        or "\u1160" <= character <= "\u11ff"
        or "\U0001f3fb" <= character <= "\U0001f3ff"
        or "\U000e0020" <= character <= "\U000e007f"
    )
