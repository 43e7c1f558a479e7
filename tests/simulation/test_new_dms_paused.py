"""Discord stops new DMs for an hour: no request and no claim is lost, and all open in order."""

import asyncio
from functools import partial
from pathlib import Path

from domain.requests import Route
from storage import requests
from tests.simulation.house import create
from tests.simulation.simulated_discord import Trouble
from tests.simulation.story import START, Story

HOUR_MS = 3_600_000
MEMBERS = 8


class PausedStory(Story):
    """Every opening of a DM answers 40003 for the first hour."""

    def _plan(self, effect: str, _target: int) -> Trouble:
        if effect == "open_dm" and self.clock.now() < START + HOUR_MS:
            return Trouble(kind="not_done", problem="new_dms_paused", pauses_new_dms=True)
        return Trouble()

    async def play(self) -> None:
        """All ask and are claimed at once; then an hour and a half goes by."""
        await self._set_up()
        for member_id in range(1, MEMBERS + 1):
            await self._ask(member_id)
        await self._claim_all()
        await self._run_until(START + HOUR_MS + HOUR_MS // 2)


async def test_an_hour_without_new_dms_ends_with_all_delivered_in_order(
    tmp_path: Path, project_root: Path
) -> None:
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    path = tmp_path / "steward.db"
    create(path, project_root / "storage/migrations")
    story = PausedStory(path, seed=7, trouble=0.0, members=MEMBERS, route=Route.DM)
    await story.play()
    assert story.findings() == []
    assert story.house is not None
    first = [
        min(one.message_id for one in story.discord.of(story.discord.dm_channels[member_id]))
        for member_id in range(1, MEMBERS + 1)
    ]
    assert first == sorted(first)
    asked = sum(1 for effect, _ in story.discord.calls if effect == "open_dm")
    assert asked <= MEMBERS + 12  # one at a time knocks, less and less often
    for request_id in range(1, MEMBERS + 1):
        events = story.house.ledger.look(partial(requests.history, request_id=request_id))
        assert "lease_elapsed" not in [row.event for row in events]
        assert [row.event for row in events].count("claim") == 1
    await story.house.kill()
