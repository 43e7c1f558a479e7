import io
import json
import logging
from typing import Literal

import pytest

from bot import logs

pytestmark = pytest.mark.usefixtures("logging_restored")

log = logging.getLogger("bot.test_logs")


def set_up(style: Literal["console", "json"], *, secrets: tuple[str, ...] = ()) -> io.StringIO:
    stream = io.StringIO()
    logs.set_up(level="debug", style=style, secrets=secrets, stream=stream)
    return stream


def test_a_console_line_has_the_event_and_its_fields() -> None:
    stream = set_up("console")
    log.info("request_claimed", extra={"request": 7, "by": 42, "problem": "two words"})
    (line,) = stream.getvalue().splitlines()
    assert line.endswith('bot.test_logs: request_claimed request=7 by=42 problem="two words"')


def test_a_json_line_is_one_object_with_the_event_and_its_fields() -> None:
    stream = set_up("json")
    log.warning("part_parked", extra={"part": 9, "event": "not this", "odd": {1}})
    (line,) = stream.getvalue().splitlines()
    told = json.loads(line)
    assert told.pop("at").endswith("Z")
    assert told == {
        "level": "warning",
        "logger": "bot.test_logs",
        "event": "part_parked",
        "part": 9,
        "odd": "{1}",
    }


@pytest.mark.parametrize("style", ["console", "json"])
def test_a_field_cannot_forge_a_second_line(style: Literal["console", "json"]) -> None:
    stream = set_up(style)
    log.info("a\nb", extra={"name_of": "x\n2026 INFO forged\u2028\x1b[31m y=1"})
    (line,) = stream.getvalue().splitlines()
    assert "\x1b" not in line


def test_a_traceback_is_in_the_log() -> None:
    for style in ("console", "json"):
        stream = set_up("json" if style == "json" else "console")
        try:
            _ = 1 // 0
        except ZeroDivisionError:
            log.exception("job_failed", extra={"job": "sender"})
        assert "ZeroDivisionError" in stream.getvalue()
        assert len(stream.getvalue().splitlines()) == 1 or style == "console"


@pytest.mark.parametrize("style", ["console", "json"])
def test_no_secret_reaches_the_log_by_any_way(style: Literal["console", "json"]) -> None:
    stream = set_up(style, secrets=("s3cret-token", ""))
    log.info("said s3cret-token", extra={"field": "Bot s3cret-token"})
    log.info("post https://discord.test/api/v10/webhooks/123/aW50ZXJ:hY3Q/messages/@original")
    try:
        raise ValueError("s3cret-token at /interactions/5/aW50ZXJ:hY3Q/callback")
    except ValueError:
        log.exception("job_failed")
    told = stream.getvalue()
    assert "s3cret-token" not in told
    assert "aW50ZXJ" not in told
    assert "/messages/@original" in told
    assert "/callback" in told


@pytest.mark.parametrize("name", ["discord.http", "aiosqlite", "aiohttp.client", "asyncio"])
def test_talkative_libraries_never_log_below_info(name: str) -> None:
    stream = set_up("console")
    logging.getLogger(name).debug("a body")
    logging.getLogger(name).info("a start")
    assert "a body" not in stream.getvalue()
    assert "a start" in stream.getvalue()


def test_a_higher_level_counts_for_the_libraries_too() -> None:
    stream = io.StringIO()
    logs.set_up(level="error", style="console", stream=stream)
    logging.getLogger("discord").warning("a warning")
    assert stream.getvalue() == ""


def test_setting_up_again_replaces_the_earlier_set_up() -> None:
    first, second = set_up("console"), set_up("console")
    log.info("once")
    assert first.getvalue() == ""
    assert second.getvalue().count("once") == 1
