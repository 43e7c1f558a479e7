"""Logging: one line an event, a stable event name plus ids, on standard error.

Any module logs with the standard library alone:

    log = logging.getLogger(__name__)
    log.info("request_claimed", extra={"request": 7, "by": 42})

The message is the event's name and `extra` its fields. Fields are ids, states, counts and codes;
what people wrote is never one of them.
"""

import json
import logging
import re
import sys
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Literal, TextIO

HIDDEN = "(hidden)"

# At DEBUG they log bodies, SQL parameters and addresses with tokens in them.
TALKATIVE = ("discord", "aiosqlite", "aiohttp", "asyncio")

# The standard library's own attributes of a record: all others are fields.
_OWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime"}

_TOKEN_IN_ADDRESS = re.compile(r"((?:/interactions|/webhooks)/[0-9]+/)[^/\s\"'?]+")
_PLAIN = re.compile(r"[^\s\"=\x00-\x1f\x7f-\x9f\u2028\u2029]+")


Render = Callable[[logging.LogRecord, dict[str, object], str], str]
"""Makes the text of a record from its fields and traceback."""


def set_up(
    *,
    level: Literal["debug", "info", "warning", "error"],
    style: Literal["console", "json"],
    secrets: Iterable[str] = (),
    stream: TextIO | None = None,
) -> None:
    """Log to stream (default: standard error), in place of an earlier set-up of ours.

    No line holds one of secrets, nor the token of an interaction or a webhook, wherever in a
    message, field or traceback it stood.
    """
    handler = _StewardHandler(stream or sys.stderr)
    handler.setFormatter(_Formatter(_json if style == "json" else _console, secrets))
    root = logging.getLogger()
    for earlier in [one for one in root.handlers if isinstance(one, _StewardHandler)]:
        root.removeHandler(earlier)
    root.addHandler(handler)
    number = logging.getLevelNamesMapping()[level.upper()]
    root.setLevel(number)
    for name in TALKATIVE:
        logging.getLogger(name).setLevel(max(number, logging.INFO))


class _StewardHandler(logging.StreamHandler[TextIO]):
    """A stream handler that a later set-up can tell from others."""


class _Formatter(logging.Formatter):
    def __init__(self, render: Render, secrets: Iterable[str]) -> None:
        super().__init__()
        self._render = render
        self._secrets = tuple(secret for secret in secrets if secret)

    def format(self, record: logging.LogRecord) -> str:
        """One line for the event; in console style the traceback's lines follow."""
        fields = {name: value for name, value in vars(record).items() if name not in _OWN}
        trace = self.formatException(record.exc_info) if record.exc_info else ""
        text = self._render(record, fields, trace)
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return _TOKEN_IN_ADDRESS.sub(rf"\g<1>{HIDDEN}", text)


def _json(record: logging.LogRecord, fields: dict[str, object], trace: str) -> str:
    head = {
        "at": _time(record),
        "level": record.levelname.lower(),
        "logger": record.name,
        "event": record.getMessage(),
    }
    tail = {"traceback": trace} if trace else {}
    return json.dumps(head | fields | head | tail, default=str)


def _console(record: logging.LogRecord, fields: dict[str, object], trace: str) -> str:
    words = [
        _time(record),
        f"{record.levelname:<7}",
        f"{record.name}:",
        " ".join(record.getMessage().splitlines()),
        *(f"{name}={_plain(value)}" for name, value in fields.items()),
    ]
    return " ".join(words) + (f"\n{trace}" if trace else "")


def _time(record: logging.LogRecord) -> str:
    moment = datetime.fromtimestamp(record.created, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _plain(value: object) -> str:
    text = str(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text)
