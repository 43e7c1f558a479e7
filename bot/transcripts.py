"""A conversation's transcript: one HTML file that needs nothing else and does nothing.

It is a page as `bot.pages` has them: no script, nothing from the network, everything escaped. Its
policy allows its own style and the images in it.
"""

import base64
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import tzinfo
from typing import TYPE_CHECKING, Final, Literal

from bot.pages import (
    MOST_BYTES,
    environment,
    named,
    style,
    time_tag,
    trusted,
    written,
    zone_of,
)
from bot.words.sentences import language, say

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = [
    "MOST_BYTES",
    "MOST_IMAGE_BYTES",
    "VERSIONS_SHOWN",
    "File",
    "Line",
    "Transcript",
    "Version",
    "image_type",
    "render",
]

MOST_IMAGE_BYTES: Final = 1_000_000
"""Larger images are listed like other files."""
VERSIONS_SHOWN: Final = 20

_IMAGES_ROOM: Final = 4_000_000
_FRAME_ROOM: Final = 20_000

Side = Literal["member", "desk", "note", "system"]


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file of a line. `type` is a claim; without `data` it is not kept, and only named."""

    name: str
    size: int
    type: str
    data: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """What a line said until that time (UTC ms)."""

    text: str
    until: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Something that was said, as it stands now; what it said before is in `versions`. UTC ms."""

    at: int
    side: Side
    author: str
    text: str
    versions: tuple[Version, ...] = ()
    deleted_at: int | None = None
    files: tuple[File, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """A conversation and its lines in order. Times are UTC ms, and shown in `timezone`.

    `timezone` is an IANA name; one that is unknown here is taken for UTC. `locale` is the reader's.
    `left_out` counts lines that the caller had to leave out.
    """

    reference: str
    topic: str
    member: str
    guild: str
    opened_at: int
    ended_at: int | None
    timezone: str
    locale: str
    lines: tuple[Line, ...]
    left_out: int = 0


def render(transcript: Transcript) -> bytes:
    """The file, in UTF-8, at most `MOST_BYTES` long; lines that don't fit are counted at its end.

    It may take seconds for a conversation of thousands of messages: best called on a thread.
    """
    writer = _Writer(transcript.locale, zone_of(transcript.timezone))
    lines = writer.lines(transcript.lines)
    return writer.page(transcript, lines).encode()


class _Writer:
    """Fills the templates, in one language and one time zone."""

    def __init__(self, locale: str, zone: tzinfo) -> None:
        self._locale = locale
        self._zone = zone
        self._images_room = _IMAGES_ROOM
        self._helpers = {
            "word": self._word,
            "counted": self._counted,
            "time": self._time,
            "size": self._size,
            "image_of": self._image_of,
            "named": named,
            "written": written,
        }

    def page(self, transcript: Transcript, lines: "list[Markup]") -> str:
        """The page around lines that are written already."""
        text, style_hash = style("transcript.css")
        template = environment().get_template("transcript.html")
        return template.render(
            self._helpers,
            page=transcript,
            lines=lines,
            left_out=len(transcript.lines) - len(lines) + transcript.left_out,
            zone=str(self._zone),
            language=language(self._locale),
            style=text,
            style_hash=style_hash,
        )

    def lines(self, lines: Iterable[Line]) -> "list[Markup]":
        """As many lines as there is room for, from the first on."""
        template = environment().get_template("transcript_line.html")
        room = MOST_BYTES - _FRAME_ROOM - _IMAGES_ROOM
        shown: list[Markup] = []
        for line in lines:
            images_room = self._images_room
            text = template.render(self._helpers, line=line, versions_shown=VERSIONS_SHOWN)
            # Images have a room of their own, so that they crowd out no words.
            room -= len(text.encode()) + 1 - (images_room - self._images_room)
            if room < 0:
                break
            shown.append(trusted(text))
        return shown

    def _word(self, key: str) -> str:
        return say(self._locale, f"transcript.{key}")

    def _counted(self, key: str, number: int) -> str:
        form = "one" if number == 1 else "many"
        return say(self._locale, f"transcript.{key}.{form}", number=number)

    def _time(self, at: int) -> "Markup":
        return time_tag(self._locale, at, self._zone)

    def _size(self, size: int) -> str:
        if size < 1000:
            return say(self._locale, "transcript.bytes", size=size)
        unit, shown = ("kb", size / 1000) if size < 1_000_000 else ("mb", size / 1_000_000)
        return say(self._locale, f"transcript.{unit}", size=max(1, round(shown)))

    def _image_of(self, file: File) -> str:
        """The image as an address that holds it, where it is one and there is room for it."""
        kind = image_type(file.data or b"")
        if kind is None or file.data is None or len(file.data) > MOST_IMAGE_BYTES:
            return ""
        address = f"data:{kind};base64,{base64.b64encode(file.data).decode()}"
        if len(address) > self._images_room:
            return ""
        self._images_room -= len(address)
        return address


def image_type(data: bytes) -> str | None:
    """The type of an image that browsers draw and nothing more, by its first bytes."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return None
