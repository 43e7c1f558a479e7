"""Fixtures that every room's tests share."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.clock import FakeClock

# 2026-01-01T00:00:00Z.
NEW_YEAR_MS = 1_767_225_600_000


@pytest.fixture
def clock() -> FakeClock:
    """A clock that stands at the start of 2026 until a test moves it."""
    return FakeClock(NEW_YEAR_MS)


@pytest.fixture(scope="session")
def project_root() -> Path:
    """The checkout's folder."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture
def logging_restored() -> Iterator[None]:
    """Puts levels and handlers back as they were, for tests that set logging up."""
    names = ("", *logging.root.manager.loggerDict)
    levels = {name: logging.getLogger(name).level for name in names}
    handlers = list(logging.root.handlers)
    yield
    logging.root.handlers[:] = handlers
    for name in ("", *logging.root.manager.loggerDict):
        logging.getLogger(name).setLevel(levels.get(name, logging.NOTSET))
