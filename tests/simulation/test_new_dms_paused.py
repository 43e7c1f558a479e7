"""Discord stops new DMs for an hour: no request and no claim is lost, and all open in order."""

import asyncio
import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from domain.requests import Route
from storage import channels, desks, requests
from tests.simulation.house import create
from tests.simulation.simulated_discord import Trouble
from tests.simulation.story import GUILD, START, Story

T = TypeVar("T")
HOUR_MS = 3_600_000
MEMBERS = 8


class PausedStory(Story):
    """Every opening of a DM answers 40003 for the first hour. Member 1 has set the desk up."""

    def _plan(self, effect: str, _target: int) -> Trouble:
        if effect == "open_dm" and self.clock.now() < START + HOUR_MS:
            return Trouble(kind="not_done", problem="new_dms_paused", pauses_new_dms=True)
        return Trouble()

    async def set_up(self) -> None:
        """The desk is there."""
        await self._set_up()

    async def break_desk(self, problem: str) -> None:
        """Something of the desk is missing."""
        assert self.house is not None
        await self.house.ledger.write(
            lambda connection: desks.note_problem(connection, GUILD, problem)
        )

    def openings(self) -> list[int]:
        """Whose DMs were asked for."""
        return [target for effect, target in self.discord.calls if effect == "open_dm"]

    def told(self) -> int:
        """How many messages are in the DM of whoever has set the desk up."""
        return len(self.discord.of(self.discord.dm_channels.get(1, -1)))

    async def ask_and_claim(self, member_id: int) -> None:
        """A member's request is claimed at once."""
        await self._ask(member_id)
        await self._claim_all()

    def look(self, fn: Callable[[sqlite3.Connection], T]) -> T:
        """Read the ledger."""
        assert self.house is not None
        return self.house.ledger.look(fn)

    async def run_until(self, end: int) -> None:
        """Let the time go by."""
        await self._run_until(end)

    async def end(self) -> None:
        """The process ends."""
        assert self.house is not None
        await self.house.kill()

    async def play(self) -> None:
        """All ask and are claimed at once; then an hour and a half goes by."""
        await self._set_up()
        for member_id in range(1, MEMBERS + 1):
            await self._ask(member_id)
        await self._claim_all()
        await self._run_until(START + HOUR_MS + HOUR_MS // 2)


async def paused_story(tmp_path: Path, project_root: Path) -> PausedStory:
    """A story whose desk is set up."""
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    path = tmp_path / "steward.db"
    create(path, project_root / "storage/migrations")
    story = PausedStory(path, seed=7, trouble=0.0, members=MEMBERS, route=Route.DM)
    await story.set_up()
    return story


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


async def test_an_organizer_is_told_of_a_problem_when_no_request_waits_for_a_dm(
    tmp_path: Path, project_root: Path
) -> None:
    story = await paused_story(tmp_path, project_root)
    await story.break_desk("missing_access")
    await story.run_until(START + 1)
    assert story.openings() == [1]
    kept = story.look(channels.pause)
    assert kept is not None
    assert (kept.until - START, kept.tries) == (60_000, 1)
    await story.run_until(START + HOUR_MS)
    assert 5 <= len(story.openings()) <= 9  # less and less often
    assert story.told() == 0
    await story.run_until(START + HOUR_MS + 900_001)
    assert story.told() == 1
    assert story.look(channels.pause) is None
    await story.end()


async def test_a_problem_keeps_its_place_behind_requests_that_wait_for_a_dm(
    tmp_path: Path, project_root: Path
) -> None:
    story = await paused_story(tmp_path, project_root)
    await story.ask_and_claim(2)
    await story.run_until(START + 1)
    assert story.openings() == [2]
    await story.break_desk("missing_access")
    await story.run_until(START + HOUR_MS - 1)
    assert set(story.openings()) == {2}
    await story.run_until(START + HOUR_MS + 1_800_000)
    assert story.told() == 1
    await story.end()
