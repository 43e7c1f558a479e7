"""What is nominated, as every page shows it: strangers' titles, links and words made harmless."""

from typing import Final

from bot.words.sentences import say
from bot.words.values import Field, Input
from domain.entries import Entry
from domain.errors import Refused
from domain.links import LINK_LIMIT, checked_link, host_of
from domain.text import escape, escape_within, tidy

WORK_TITLE: Final = 100
WORK_TEXT: Final = 1000
"""The most that is typed as a `why`, a `summary`, or words to and from an author."""

_FIELD = 1024
_HOST = 60


def link_to(locale: str, url: str) -> str:
    """A way to the work, with the host that it leads to; a link that is none, as mere text."""
    link = _checked(url)
    if link is None:
        return _as_text(url)
    return f"[{say(locale, 'work.open')}]({link}) · {_host(link)}"


def whole_link(url: str) -> str:
    """The link in full, for whoever has to judge it, under the host that it leads to."""
    link = _checked(url)
    return _as_text(url) if link is None else f"{_host(link)}\n<{link}>"


def _checked(url: str) -> str | None:
    try:
        return checked_link(url)
    except Refused:
        return None


def _as_text(url: str) -> str:
    return escape(tidy(url, limit=WORK_TITLE)) or "?"


def _host(link: str) -> str:
    """Where it leads. Of a long host the end is shown: that is whose it is."""
    host = host_of(link)
    return escape(host if len(host) <= _HOST else f"…{host[-_HOST:]}")


def titled(entry: Entry) -> str:
    """The entry's reference and title."""
    return escape_within(f"{entry.reference} · {entry.title}", 256)


def quoted(locale: str, key: str, words: str) -> tuple[Field, ...]:
    """Somebody's words under a heading; nothing where there are none."""
    shown = escape_within(words, _FIELD)
    return (Field(name=say(locale, key), value=shown),) if shown else ()


def work_inputs(
    locale: str, *, title: str = "", url: str = "", why: str = ""
) -> tuple[Input, Input, Input]:
    """The fields of a form that asks for a work, with what stands there already."""
    return (
        Input(field_id="title", label=say(locale, "work.title"), most=WORK_TITLE, value=title),
        Input(
            field_id="url",
            label=say(locale, "work.url"),
            most=LINK_LIMIT,
            placeholder="https://",
            value=url,
        ),
        Input(
            field_id="why",
            label=say(locale, "work.why"),
            most=WORK_TEXT,
            long=True,
            required=False,
            value=why,
        ),
    )
