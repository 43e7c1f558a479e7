"""Text from strangers, made safe to show and short enough to send."""

import re
import unicodedata
from typing import Final

_INVISIBLE: Final = frozenset(
    "\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\u206a\u206b\u206c\u206d\u206e\u206f"
    "\u2800\u3164\ufeff\uffa0"
)
_MOST_MARKS: Final = 3
_MARKUP: Final = re.compile(r"([\\*_~`|<>\[\]()#:@-])")


def discord_length(text: str) -> int:
    """The length as Discord counts it: UTF-16 units, so an emoji counts two."""
    return len(text) + sum(1 for character in text if ord(character) > 0xFFFF)


def tidy(text: str, *, limit: int, lines: bool = False) -> str:
    """`text` without what can't be seen or disturbs what is around it, at most `limit` long.

    Control, zero-width and direction characters go; more than three combining marks in a row go;
    without `lines`, all white space becomes single spaces; with it, no two lines in a row are
    blank. What is cut ends in an ellipsis and never splits a character. Joiners stay: emoji and
    some scripts need them. Tidying what is tidy changes nothing.
    """
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", text):
        category = unicodedata.category(character)
        if character in "\n\t":
            marks = 0
        elif category in ("Cc", "Cs", "Co", "Cn") or character in _INVISIBLE:
            continue
        elif category in ("Mn", "Me"):
            marks += 1
            if marks > _MOST_MARKS:
                continue
        else:
            marks = 0
        kept.append(character)
    # What stood between a letter and its accent is gone: they are one now.
    cleaned = unicodedata.normalize("NFC", "".join(kept))
    if lines:
        cleaned = re.sub(r" ?\n ?", "\n", re.sub(r"[^\S\n]+", " ", cleaned))
        cleaned = re.sub(r"\n{3,}", "\n\n", cleaned).strip()
    else:
        cleaned = " ".join(cleaned.split())
    if not any(unicodedata.category(character)[0] in "LNPS" for character in cleaned):
        return ""
    return shorten(cleaned, limit)


def shorten(text: str, limit: int) -> str:
    """At most `limit` UTF-16 units of `text`; what is cut ends in an ellipsis."""
    if discord_length(text) <= limit:
        return text
    room = limit - 1
    for index, character in enumerate(text):
        room -= 2 if ord(character) > 0xFFFF else 1
        if room < 0:
            return text[:index].rstrip("\u200d \n") + "…"
    raise AssertionError("a text longer than its limit has a place to cut")


def escape(text: str) -> str:
    """`text` as it stands, with no mark-up, mention, link or timestamp of its own in Discord."""
    return _MARKUP.sub(r"\\\1", text)


def escape_within(text: str, limit: int) -> str:
    """`text` escaped, at most `limit` long; what is cut never ends in half an escape."""
    room = limit
    while discord_length(shown := escape(shorten(text, room))) > limit:
        room = room * 9 // 10
    return shown
