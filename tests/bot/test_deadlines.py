"""Deadlines as people type them: what is meant, in whose time, and what is refused."""

import contextlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.deadlines import LONGEST, read_deadline
from domain.errors import Refused

BERLIN = "Europe/Berlin"
WEDNESDAY_NOON = "2026-06-10 12:00"


def millis(wall: str, zone: str = BERLIN, fold: int = 0) -> int:
    at = datetime.fromisoformat(wall).replace(tzinfo=ZoneInfo(zone), fold=fold)
    return int(at.timestamp() * 1000)


def read(typed: str, *, now: str = WEDNESDAY_NOON, zone: str = BERLIN, locale: str = "de") -> str:
    """What is read, as a clock in the zone shows it."""
    at = read_deadline(typed, zone=zone, now=millis(now, zone), locale=locale)
    return f"{datetime.fromtimestamp(at / 1000, ZoneInfo(zone)):%Y-%m-%d %H:%M}"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("3d", "2026-06-13 12:00"),
        ("12h", "2026-06-11 00:00"),
        ("90m", "2026-06-10 13:30"),
        ("1d12h", "2026-06-12 00:00"),
        ("1d 12h", "2026-06-12 00:00"),
        (" IN 3 Days ", "2026-06-13 12:00"),
        ("in 2 Wochen", "2026-06-24 12:00"),
        ("3 Tage und 2 Stunden", "2026-06-13 14:00"),
        ("45 min", "2026-06-10 12:45"),
    ],
)
def test_a_length_of_time_begins_now(typed: str, meant: str) -> None:
    assert read(typed) == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("friday 18:00", "2026-06-12 18:00"),
        ("Fri 6pm", "2026-06-12 18:00"),
        ("friday at 6 pm", "2026-06-12 18:00"),
        ("next friday 18:00", "2026-06-12 18:00"),
        ("friday 18", "2026-06-12 18:00"),
        ("friday noon", "2026-06-12 12:00"),
        ("Freitag 18:00", "2026-06-12 18:00"),
        ("am Freitag um 18 Uhr", "2026-06-12 18:00"),
        ("freitag 18.30 Uhr", "2026-06-12 18:30"),
        ("fr 18:00", "2026-06-12 18:00"),
        ("Sonnabend 20:15", "2026-06-13 20:15"),
        ("bis Montag 9:00", "2026-06-15 09:00"),
        ("tomorrow 9am", "2026-06-11 09:00"),
        ("tomorrow noon", "2026-06-11 12:00"),
        ("morgen 9 Uhr", "2026-06-11 09:00"),
        ("übermorgen 18:00", "2026-06-12 18:00"),
        ("18:00", "2026-06-10 18:00"),
        ("11:00", "2026-06-11 11:00"),
    ],
)
def test_a_day_that_is_near_is_read_in_english_and_german(typed: str, meant: str) -> None:
    assert read(typed) == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("2026-12-31 18:00", "2026-12-31 18:00"),
        ("2026-12-31T18:00", "2026-12-31 18:00"),
        ("31.12.2026 18:00", "2026-12-31 18:00"),
        ("31.12. 18 Uhr", "2026-12-31 18:00"),
        ("31. Dezember 2026 um 18:00", "2026-12-31 18:00"),
        ("31 december 18:00", "2026-12-31 18:00"),
        ("Dec 31 6pm", "2026-12-31 18:00"),
        ("5.1. 18:00", "2027-01-05 18:00"),
    ],
)
def test_a_date_is_read_as_people_write_it(typed: str, meant: str) -> None:
    assert read(typed) == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("friday", "2026-06-12 23:59"),
        ("tomorrow", "2026-06-11 23:59"),
        ("heute", "2026-06-10 23:59"),
        ("2026-12-31", "2026-12-31 23:59"),
        ("31.12.", "2026-12-31 23:59"),
    ],
)
def test_a_day_without_a_time_lasts_until_its_end(typed: str, meant: str) -> None:
    assert read(typed) == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("wednesday 18:00", "2026-06-10 18:00"),
        ("Mittwoch 12:01", "2026-06-10 12:01"),
        ("wednesday 12:00", "2026-06-17 12:00"),
        ("wednesday 9:00", "2026-06-17 09:00"),
        ("mi 18", "2026-06-10 18:00"),
        ("wednesday, 17 june 18:00", "2026-06-17 18:00"),
    ],
)
def test_todays_weekday_is_today_while_its_time_is_to_come(typed: str, meant: str) -> None:
    assert read(typed) == meant


@pytest.mark.parametrize(
    ("typed", "locale", "meant"),
    [
        ("03/04/2027 18:00", "en-US", "2027-03-04 18:00"),
        ("03/04/2027 18:00", "en-GB", "2027-04-03 18:00"),
        ("03/04/2027 18:00", "de", "2027-04-03 18:00"),
        ("03.04.2027 18:00", "en-US", "2027-04-03 18:00"),
        ("12/31/2026 18:00", "de", "2026-12-31 18:00"),
    ],
)
def test_the_order_of_month_and_day_is_the_readers_and_with_points_the_day_is_first(
    typed: str, locale: str, meant: str
) -> None:
    assert read(typed, locale=locale) == meant


@pytest.mark.parametrize("typed", ["friday 18:00", "2026-06-12 18:00", "Freitag 18 Uhr"])
@pytest.mark.parametrize("zone", [BERLIN, "America/New_York", "Asia/Kolkata", "Pacific/Apia"])
def test_a_clocks_time_is_the_guilds(typed: str, zone: str) -> None:
    now = millis("2026-06-10 12:00", zone)
    assert read_deadline(typed, zone=zone, now=now) == millis("2026-06-12 18:00", zone)


def test_a_zone_that_is_typed_counts() -> None:
    now = millis(WEDNESDAY_NOON)
    for typed in ("2026-12-31 18:00 UTC", "2026-12-31T18:00Z", "2026-12-31 20:00+02:00"):
        assert read_deadline(typed, zone=BERLIN, now=now) == millis("2026-12-31 18:00", "UTC")


@pytest.mark.parametrize("zone", ["Nowhere/Town", "", "../../etc/passwd"])
def test_a_zone_that_is_none_is_taken_for_utc(zone: str) -> None:
    now = millis(WEDNESDAY_NOON, "UTC")
    assert read_deadline("friday 18:00", zone=zone, now=now) == millis("2026-06-12 18:00", "UTC")


@pytest.mark.parametrize(
    "typed",
    [
        "",
        " ",
        "soon",
        "x",
        "3",
        "2026",
        "20261231",
        "1798740000",
        "may",
        "next month",
        "now",
        "0d",
        "-3d",
        "3 days ago",
        "vor 3 Tagen",
        "2025-12-31 18:00",
        "2026-06-10 12:00",
        "2026-02-30 18:00",
        "friday 25:00",
        "2026-12-31 18:61",
        "99999d",
        "99999w 99999w 99999w 99999w",
        "9999-12-31 23:59",
        "2032-01-01 18:00",
        "3d " * 1000,
        "<t:1798740000:f>",
        "\u202e00:81 yadirf",
        "١٢",
    ],
)
def test_what_cannot_be_read_or_is_over_or_is_years_away_is_refused(typed: str) -> None:
    with pytest.raises(Refused) as refused:
        read_deadline(typed, zone=BERLIN, now=millis(WEDNESDAY_NOON), locale="de")
    assert refused.value.code == "invalid_deadline"


# In Berlin the clock goes from 02:00 to 03:00 on 2027-03-28, and from 03:00 back to 02:00 on
# 2026-10-25.


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("2027-03-28 02:30", "2027-03-28 03:30"),
        ("2027-03-28 02:00", "2027-03-28 03:00"),
        ("sunday 2:30", "2027-03-28 03:30"),
        ("2027-03-28 01:59", "2027-03-28 01:59"),
        ("2027-03-28 03:00", "2027-03-28 03:00"),
    ],
)
def test_a_time_that_the_clock_skips_is_as_long_after_the_jump(typed: str, shown: str) -> None:
    assert read(typed, now="2027-03-27 12:00") == shown


@pytest.mark.parametrize("typed", ["2026-10-25 02:30", "sunday 2:30", "Sonntag 2 Uhr"])
def test_a_time_that_comes_twice_is_the_second_one(typed: str) -> None:
    minute = 30 if "30" in typed else 0
    at = read_deadline(typed, zone=BERLIN, now=millis("2026-10-24 12:00"))
    assert at == millis(f"2026-10-25 02:{minute:02}", fold=1)


def test_between_the_two_the_second_one_is_still_to_come() -> None:
    now = millis("2026-10-25 02:45", fold=0)
    assert read_deadline("2026-10-25 02:30", zone=BERLIN, now=now) == millis(
        "2026-10-25 02:30", fold=1
    )


@pytest.mark.parametrize("day", ["2027-03-27", "2026-10-24"])
def test_days_keep_the_clocks_time_and_hours_their_length_over_a_change(day: str) -> None:
    now = millis(f"{day} 18:00")
    next_day = datetime.fromisoformat(day) + timedelta(days=1)
    assert read_deadline("1d", zone=BERLIN, now=now) == millis(f"{next_day:%Y-%m-%d} 18:00")
    assert read_deadline("24h", zone=BERLIN, now=now) == now + 24 * 3_600_000
    assert read_deadline("1d 90m", zone=BERLIN, now=now) == (
        millis(f"{next_day:%Y-%m-%d} 18:00") + 90 * 60_000
    )


def test_a_day_that_ends_in_another_offset_than_it_began_ends_on_its_own_clock() -> None:
    assert read("sunday", now="2027-03-27 12:00") == "2027-03-28 23:59"
    assert read("sunday", now="2026-10-24 12:00") == "2026-10-25 23:59"


WORDS = "3|d|12|h|:|00|friday|freitag|tomorrow|.|-|2026|next|um|uhr|pm|+|UTC|vor|ago|in|mai|/|T|Z|٣"
TYPED = st.lists(st.sampled_from([*WORDS.split("|"), " "]) | st.text(max_size=3), max_size=8).map(
    "".join
)


@settings(max_examples=150, deadline=None)
@given(TYPED, st.sampled_from([BERLIN, "America/St_Johns", "Pacific/Apia", "Nowhere"]))
def test_whatever_is_typed_is_in_the_future_or_refused(typed: str, zone: str) -> None:
    now = millis("2026-10-25 01:30")
    with contextlib.suppress(Refused):
        at = read_deadline(typed, zone=zone, now=now)
        assert now < at <= now + LONGEST.total_seconds() * 1000


def test_several_threads_at_once_read_what_each_of_them_typed() -> None:
    days = [f"2026-07-{day:02} 18:00" for day in range(1, 29)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(read, days)) == days


def run(code: str, **environment: str) -> str:
    root = Path(__file__).resolve().parents[2]
    ran = subprocess.run(
        [sys.executable, "-c", code],
        cwd=root,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return ran.stdout.strip()


def test_the_machines_own_zone_changes_nothing() -> None:
    code = (
        "from bot.deadlines import read_deadline as read\n"
        f"print(read('friday 18:00', zone='{BERLIN}', now={millis(WEDNESDAY_NOON)}))"
    )
    meant = str(millis("2026-06-12 18:00"))
    assert {run(code, TZ=zone) for zone in ("Asia/Tokyo", "America/Los_Angeles")} == {meant}


def test_an_idle_bot_does_not_hold_the_reader_of_dates_and_a_length_needs_none() -> None:
    code = (
        "import sys\n"
        "from bot.deadlines import read_deadline as read\n"
        "read('3d', zone='UTC', now=0)\n"
        "print('dateparser' in sys.modules)\n"
        "read('tomorrow', zone='UTC', now=0)\n"
        "print('dateparser' in sys.modules)"
    )
    assert run(code).split() == ["False", "True"]
