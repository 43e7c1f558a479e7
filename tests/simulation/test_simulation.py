"""Seeded runs against the real services and worker: whatever goes wrong, every promise is kept."""

from pathlib import Path

import pytest

from tests.simulation.story import play

SEEDS = range(40)


@pytest.mark.parametrize("trouble", [0.0, 0.2, 0.5])
async def test_every_request_ends_with_one_first_message_one_card_and_one_thread(
    trouble: float, tmp_path: Path, project_root: Path
) -> None:
    wrong = {}
    for seed in SEEDS:
        found = await play(
            tmp_path / f"{seed}.db", project_root / "storage/migrations", seed, trouble=trouble
        )
        if found:
            wrong[seed] = found
    assert wrong == {}
