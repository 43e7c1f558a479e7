"""A gateway session ends and another begins: what nobody told of is read, whatever comes live."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.simulation.talk import MINUTE, Talk


@pytest.fixture
async def talk(tmp_path: Path, project_root: Path) -> AsyncIterator[Talk]:
    made = await Talk.begin(tmp_path / "ledger.db", project_root / "storage/migrations")
    yield made
    if made.house is not None:
        await made.house.kill()


def reads(talk: Talk) -> int:
    return sum(effect == "read_back" for effect, _ in talk.discord.calls)


async def test_a_live_message_before_a_new_session_is_ready_makes_it_skip_nothing(
    talk: Talk,
) -> None:
    talk.living.intake.cut()
    await talk.run(MINUTE)  # long away: what can be read has been read
    talk.member_writes("unheard")
    live = talk.member_writes("live")
    talk.living.intake.cut()  # the session has begun
    await talk.hear(live)
    await talk.run(MINUTE)
    talk.living.intake.gap()  # and is ready
    await talk.run(MINUTE)
    assert talk.shown(talk.thread) == ["unheard", "live"]


async def test_a_short_absence_is_read_once_and_after_it(talk: Talk) -> None:
    talk.living.intake.gap()
    await talk.run(MINUTE)
    before = reads(talk)
    talk.living.intake.cut()
    await talk.run(2_000)
    talk.member_writes("unheard")
    talk.living.intake.cut()
    await talk.run(2_000)
    assert reads(talk) == before
    talk.living.intake.gap()
    await talk.run(MINUTE)
    assert talk.shown(talk.thread) == ["unheard"]
    assert reads(talk) == before + 2  # the thread, and the DM
