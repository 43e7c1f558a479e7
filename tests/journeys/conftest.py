"""Stories in a town of their own."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.journeys.town import Town
from tests.journeys.town import town as open_town
from tests.openapi import OpenApi, load


@pytest.fixture(scope="session")
def openapi(project_root: Path) -> OpenApi | None:
    """Discord's own description of its API, where it lies beside the checkout."""
    return load(project_root)


@pytest.fixture
async def town(tmp_path: Path, openapi: OpenApi | None) -> AsyncIterator[Town]:
    """A town with nobody serving it yet.

    Whatever the story, Steward has asked for nothing that Discord doesn't have, and all that it
    sent was as Discord describes it.
    """
    async with open_town(tmp_path) as made:
        problems = [] if openapi is None else openapi.attach(made.sandbox)
        yield made
        assert made.sandbox.world.unknown == []
        assert problems == []
