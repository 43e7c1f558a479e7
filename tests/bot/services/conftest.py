"""A showcase on a ledger of its own."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from storage.database import Database
from tests.bot.services.fair import Fair


@pytest.fixture
async def fair(tmp_path: Path) -> AsyncIterator[Fair]:
    """The guild is set up, and nothing has been entered."""
    async with await Database.open(tmp_path / "fair.db", durability="normal") as database:
        made = Fair(database)
        await made.begin()
        yield made
