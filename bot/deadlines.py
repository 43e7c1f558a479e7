"""Deadlines as people type them: `3d`, `friday 18:00`, `31.12. 18 Uhr`, `2026-12-31 18:00`.

What is typed is a clock's time in the guild's zone, unless it names a zone of its own. A length of
time is read here: days and weeks keep the clock's time, hours and minutes are as long as they are
everywhere. Dates and weekdays, in English and German, are read by dateparser, which is loaded with
the first of them: an idle bot has no need of its twenty megabytes.

Where a clock is put forward, a time that it skips is taken as long after the jump as it lies behind
it: 02:30 becomes 03:30. Where a clock is put back, a time that comes twice is the second one, so
that nobody is late who went by the clock.
"""

import re
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

from domain.errors import Refused
from domain.text import tidy

if TYPE_CHECKING:
    from dateparser.date import DateDataParser  # type: ignore[import-untyped]

LONGEST: Final = timedelta(days=5 * 366)
"""Nothing closes later than that: it is taken for a slip of the finger."""

_MOST = 60
_HOURS = {"h": 60, "hour": 60, "hours": 60, "std": 60, "stunde": 60, "stunden": 60}
_MINUTES = {"m": 1, "min": 1, "mins": 1, "minute": 1, "minutes": 1, "minuten": 1}
_DAYS = {"d": 1, "day": 1, "days": 1, "tag": 1, "tage": 1, "tagen": 1}
_WEEKS = {"w": 7, "week": 7, "weeks": 7, "woche": 7, "wochen": 7}
_BY_CLOCK = _DAYS | _WEEKS
_ELAPSED = _HOURS | _MINUTES
_ONE_LENGTH = rf"(\d{{1,5}}) ?({'|'.join(sorted(_BY_CLOCK | _ELAPSED, key=len, reverse=True))})"
_LENGTH = re.compile(rf"(?:in )?{_ONE_LENGTH}(?:(?:,| and| und)? ?{_ONE_LENGTH})*", re.ASCII)
_WEEKDAYS = (
    "monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tue|wed|thu|fri|sat|sun"
    "|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|mo|di|mi|do|fr|sa|so"
)
_NEAR = "today|tomorrow|heute|morgen|übermorgen"
_WEEKDAY = re.compile(rf"(?:{_WEEKDAYS})(?: \d{{1,2}}:\d\d| \d{{1,2}}(?::\d\d)? ?[ap]m)?", re.ASCII)
_BARE_HOUR = re.compile(rf"({_WEEKDAYS}|{_NEAR}) (\d{{1,2}})", re.ASCII)
_LEAD = re.compile(r"^(?:until|by|on|bis|am) (?:zum )?")
_JOINED = re.compile(rf"({_WEEKDAYS}|{_NEAR}|\d|\.),? (?:at|um) (?=\d)", re.ASCII)
_CLOCK = re.compile(r"\b(\d{1,2})(?:[:.](\d\d))? ?(?:uhr|o'?clock)\b", re.ASCII)
_DATED = frozenset({"time", "day", "week"})
_lock = Lock()


def read_deadline(typed: str, *, zone: str, now: int, locale: str = "en") -> int:
    """The time that is meant, in UTC milliseconds, later than `now`.

    `zone` is an IANA name; one that is unknown here is taken for UTC. A day without a time lasts
    until 23:59. `locale` tells whose order of month and day `03/04/2026` has. Raises
    `Refused("invalid_deadline")` for what can't be read, is over, or is years away. It may take
    half a second the first time: best called on a thread, and it may be called on several.
    """
    clock = _zone(zone)
    at = datetime.fromtimestamp(now / 1000, UTC)
    words = _plain(typed)
    try:
        meant = _length(words, at, clock) or _date(words, at, clock, locale)
    except (ValueError, OverflowError) as error:
        raise Refused("invalid_deadline") from error
    if meant is None or not at < meant <= at + LONGEST:
        raise Refused("invalid_deadline")
    return round(meant.timestamp() * 1000)


def _plain(typed: str) -> str:
    """What was typed in the one form that the rest reads."""
    if len(typed) > _MOST:
        return ""
    words = tidy(typed, limit=_MOST).lower().rstrip(".!")
    words = _LEAD.sub("", words).replace("sonnabend", "samstag").replace(" noon", " 12:00")
    words = _CLOCK.sub(lambda found: f"{found[1]}:{found[2] or '00'}", words)
    words = _JOINED.sub(r"\1 ", words)
    bare = _BARE_HOUR.fullmatch(words)
    return f"{bare[1]} {bare[2]}:00" if bare else words


def _length(words: str, at: datetime, clock: tzinfo) -> datetime | None:
    """So much later; None where no length of time is typed."""
    if not _LENGTH.fullmatch(words):
        return None
    days = minutes = 0
    for number, unit in re.findall(_ONE_LENGTH, words, re.ASCII):
        days += int(number) * _BY_CLOCK.get(unit, 0)
        minutes += int(number) * _ELAPSED.get(unit, 0)
    if days:
        wall = at.astimezone(clock).replace(tzinfo=None) + timedelta(days=days)
        at = _on_the_clock(wall, clock)
    return at + timedelta(minutes=minutes)


def _date(words: str, at: datetime, clock: tzinfo, locale: str) -> datetime | None:
    """The day, and its time if there is one; None where neither can be made out."""
    if not words or words.isdecimal():
        return None
    # A microsecond that nobody types: a time that equals the base's is taken for no time at all.
    base = at.astimezone(clock).replace(tzinfo=None, microsecond=1)
    with _lock:
        found = _parser(base, _order(words, locale)).get_date_data(words)
    read: datetime | None = found.date_obj
    if read is None or found.period not in _DATED:
        return None
    if found.period == "day":
        read = read.replace(hour=23, minute=59, second=0)
    read = read.replace(microsecond=0)
    if read.tzinfo is not None:
        return read.astimezone(UTC)
    if _WEEKDAY.fullmatch(words):
        read = _nearest(read, base)
    return _on_the_clock(read, clock)


def _nearest(read: datetime, base: datetime) -> datetime:
    """The weekday that comes next at that time: it may be today."""
    week = timedelta(days=7)
    while read - week > base:
        read -= week
    while read <= base:
        read += week
    return read


def _on_the_clock(wall: datetime, clock: tzinfo) -> datetime:
    """When the clock shows that; see above for a time that it skips, or shows twice."""
    first, second = (wall.replace(tzinfo=clock, fold=fold).astimezone(UTC) for fold in (0, 1))
    return max(first, second)


def _order(words: str, locale: str) -> str:
    """Whose order the day and the month have: with points, and outside the US, the day is first."""
    return "MDY" if locale in ("en", "en-US") and not re.search(r"\d\.\s?\d", words) else "DMY"


def _parser(base: datetime, order: str) -> "DateDataParser":
    from dateparser.date import DateDataParser  # noqa: PLC0415 - with the first date

    settings: dict[str, Any] = {
        "DATE_ORDER": order,
        "PREFER_DATES_FROM": "future",
        "RELATIVE_BASE": base,
        "RETURN_TIME_AS_PERIOD": True,
        "TIMEZONE": "UTC",
    }
    return DateDataParser(languages=["en", "de"], settings=settings)


@cache
def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return UTC
