"""What the pages that Steward hands out have in common: inert HTML files that need nothing else.

They have no script, reach for nothing in the network, and say so to the browser: the policy of each
allows its own style and what its template says. Whatever people wrote is escaped by the template
engine, which is loaded with the first page: an idle bot has no need of its ten megabytes.
"""

import base64
import hashlib
import re
from datetime import UTC, datetime, tzinfo
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from bot.words.sentences import say
from domain.text import shorten, tidy

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

MOST_BYTES: Final = 8_000_000
"""The most that a file takes; Discord takes 10 MB a message from anybody."""

_MOST_TEXT: Final = 20_000
_MOST_NAME: Final = 200
_TEMPLATES: Final = Path(__file__).parent / "templates"
_UNPRINTABLE: Final = re.compile(r"[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@cache
def environment() -> "Environment":
    """The template engine: it escapes every value, and fails on one that is missing."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - see above

    return Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def style(name: str) -> "tuple[Markup, str]":
    """A page's style, and the hash by which its policy allows it and no other."""
    from markupsafe import Markup  # noqa: PLC0415 - with the first page

    text = (_TEMPLATES / name).read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return Markup(text), digest  # noqa: S704 - our own file


def trusted(text: str) -> "Markup":
    """What one of our templates has written, and so escaped, for another to take as it stands."""
    from markupsafe import Markup  # noqa: PLC0415 - with the first page

    return Markup(text)  # noqa: S704 - see above


def time_tag(locale: str, at: int, zone: tzinfo) -> "Markup":
    """A time (UTC ms) as a clock in the zone shows it, to people and to machines."""
    from markupsafe import Markup  # noqa: PLC0415 - with the first page

    moment = datetime.fromtimestamp(at // 1000, zone)
    shown = say(
        locale,
        "transcript.time",
        year=moment.year,
        month=moment.month,
        day=moment.day,
        hour=moment.hour,
        minute=moment.minute,
    )
    return Markup('<time datetime="{}">{}</time>').format(moment.isoformat(), shown)


def zone_of(name: str) -> tzinfo:
    """The time zone of that IANA name; UTC for one that is unknown here."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return UTC


def named(text: str) -> str:
    """A name, a title: one line, with nothing in it that turns what stands around it."""
    return tidy(text, limit=_MOST_NAME) or "?"


def written(text: str) -> str:
    """Words as they were written, without characters that no page may hold."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return shorten(_UNPRINTABLE.sub("", plain), _MOST_TEXT)
