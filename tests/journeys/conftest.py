"""Stories in a town of their own."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.journeys.town import Town
from tests.journeys.town import town as open_town


@pytest.fixture
async def town(tmp_path: Path) -> AsyncIterator[Town]:
    """A town with nobody serving it yet."""
    async with open_town(tmp_path) as made:
        yield made
