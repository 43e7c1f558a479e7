"""One destination that fails for an hour slows no other, and is not hammered meanwhile."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.simulation.simulated_discord import Trouble
from tests.simulation.talk import MINUTE, Talk

SOON_MS = 1_000


@pytest.fixture
async def talk(tmp_path: Path, project_root: Path) -> AsyncIterator[Talk]:
    made = await Talk.begin(tmp_path / "ledger.db", project_root / "storage/migrations")
    yield made
    if made.house is not None:
        await made.house.kill()


# What may have arrived is asked about under its nonce, while that helps: a few tries a minute.
@pytest.mark.parametrize(("kind", "most"), [("not_done", 30), ("lost_before", 300)])
async def test_what_goes_elsewhere_goes_on_at_once(talk: Talk, kind: str, most: int) -> None:
    talk.discord.plan = lambda effect, target: Trouble(
        kind=kind if (effect, target) == ("send", talk.dm) else "none"
    )
    for minute in range(60):
        await talk.hear(talk.staff_writes(f"s{minute}"), talk.member_writes(f"m{minute}"))
        await talk.run(SOON_MS)
        assert talk.shown(talk.thread) == [f"m{number}" for number in range(minute + 1)]
        await talk.run(MINUTE - SOON_MS)
    assert talk.shown(talk.dm) == []
    tries = sum(called == ("send", talk.dm) for called in talk.discord.calls)
    assert tries <= most
    talk.discord.plan = lambda *_: Trouble()
    await talk.run(10 * MINUTE)
    assert talk.shown(talk.dm) == [f"s{number}" for number in range(60)]
