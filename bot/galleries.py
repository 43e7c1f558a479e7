"""A campaign as files: a table of its entries for a spreadsheet, and a page of what was made.

The page is one as `bot.pages` has them. It names those who agreed to it and nobody else; a link in
it is followed only by whoever presses it, and tells its host nothing. In the table no cell can be a
formula: spreadsheets would work it out, and strangers have written it.
"""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Final

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
from domain.errors import Refused
from domain.links import checked_link, host_of

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["MOST_BYTES", "Gallery", "Table", "Work", "render", "table"]

COLUMNS: Final = (
    "reference",
    "state",
    "title",
    "url",
    "why",
    "author",
    "author_mention",
    "named",
    "reviewer",
    "review",
    "entered",
    "done",
)
_FRAME_ROOM: Final = 20_000
_CUTS: Final = re.compile(r"([;\t\n])")
_LEAD: Final = re.compile(r'[\s"]*')


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """An entry as it is handed out. `named`: its author agrees to be named. Times are UTC ms."""

    reference: str
    state: str
    title: str
    url: str
    why: str
    author_id: int
    author: str
    named: bool
    reviewer: str
    review: str
    entered_at: int
    done_at: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Gallery:
    """A campaign and what was done for it, in order.

    Times are shown in `timezone`, an IANA name; one that is unknown here is taken for UTC. `locale`
    is the reader's.
    """

    name: str
    text: str
    guild: str
    closes_at: int
    timezone: str
    locale: str
    works: tuple[Work, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The file, and how many entries did not fit into it."""

    data: bytes
    left_out: int


def table(works: Iterable[Work], *, timezone: str) -> Table:
    """The entries as comma-separated values, in UTF-8, at most `MOST_BYTES` long.

    It begins with the mark by which spreadsheets know the encoding. Members' ids stand there as
    mentions: as numbers they would lose their last digits. Times are ISO 8601 in `timezone`.
    """
    zone = zone_of(timezone)
    kept = ["\ufeff" + _row(COLUMNS)]
    room = MOST_BYTES - len(kept[0].encode())
    left_out = 0
    for work in works:
        row = _row(_cells(work, zone))
        room -= len(row.encode())
        if room < 0:
            left_out += 1
        else:
            kept.append(row)
    return Table(data="".join(kept).encode(), left_out=left_out)


def _cells(work: Work, zone: tzinfo) -> tuple[str, ...]:
    return (
        work.reference,
        work.state,
        work.title,
        work.url,
        work.why,
        work.author,
        f"<@{work.author_id}>",
        "yes" if work.named else "no",
        work.reviewer,
        work.review,
        _iso(work.entered_at, zone),
        "" if work.done_at is None else _iso(work.done_at, zone),
    )


def _row(cells: Iterable[str]) -> str:
    line = io.StringIO()
    csv.writer(line, quoting=csv.QUOTE_ALL).writerow([_inert(cell) for cell in cells])
    return line.getvalue()


def _inert(cell: str) -> str:
    """The text with an apostrophe before all that a spreadsheet could take for a formula.

    That is what it begins with, and what follows a separator or a line's end too: a spreadsheet
    that expects other separators, as in Germany, cuts cells there.
    """
    return "".join(map(_guarded, _CUTS.split(written(cell))))


def _guarded(text: str) -> str:
    lead = _LEAD.match(text)
    start = lead.end() if lead else 0
    # Some spreadsheets take the wide forms of these signs for the signs.
    is_sign = unicodedata.normalize("NFKC", text[start : start + 1]) in ("=", "+", "-", "@")
    return f"{text[:start]}'{text[start:]}" if is_sign else text


def _iso(at: int, zone: tzinfo) -> str:
    return datetime.fromtimestamp(at // 1000, zone).isoformat()


def render(gallery: Gallery) -> bytes:
    """The page, in UTF-8, at most `MOST_BYTES` long; works that don't fit are counted at its end.

    It may take seconds for thousands of works: best called on a thread.
    """
    return _Writer(gallery).page().encode()


class _Writer:
    """Fills the templates for one gallery."""

    def __init__(self, gallery: Gallery) -> None:
        self._gallery = gallery
        self._locale = gallery.locale
        self._zone = zone_of(gallery.timezone)
        self._helpers = {
            "word": self._word,
            "counted": self._counted,
            "time": self._time,
            "link_of": _link_of,
            "host_of": host_of,
            "named": named,
            "written": written,
        }

    def page(self) -> str:
        works = self._works()
        text, style_hash = style("gallery.css")
        return (
            environment()
            .get_template("gallery.html")
            .render(
                self._helpers,
                page=self._gallery,
                works=works,
                left_out=len(self._gallery.works) - len(works),
                zone=str(self._zone),
                language=language(self._locale),
                style=text,
                style_hash=style_hash,
            )
        )

    def _works(self) -> "list[Markup]":
        """As many works as there is room for, from the first on."""
        template = environment().get_template("gallery_work.html")
        room = MOST_BYTES - _FRAME_ROOM
        shown: list[Markup] = []
        for work in self._gallery.works:
            text = template.render(self._helpers, work=work)
            room -= len(text.encode()) + 1
            if room < 0:
                break
            shown.append(trusted(text))
        return shown

    def _word(self, key: str) -> str:
        return say(self._locale, f"made.{key}")

    def _counted(self, key: str, number: int) -> str:
        form = "one" if number == 1 else "many"
        return say(self._locale, f"made.{key}.{form}", number=number)

    def _time(self, at: int) -> "Markup":
        return time_tag(self._locale, at, self._zone)


def _link_of(url: str) -> str:
    """The link, if it is one that may be followed."""
    try:
        return checked_link(url)
    except Refused:
        return ""
