"""Who writes very much is carried at a pace, in order, and told once that nothing is lost."""

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


def notices(talk: Talk) -> int:
    return talk.said(talk.dm).count("One moment")


async def flood(talk: Talk, number: int, *, name: str = "m") -> list[str]:
    texts = [f"{name}{one}" for one in range(number)]
    await talk.hear(*(talk.member_writes(text) for text in texts))
    return texts


async def test_the_rest_waits_and_goes_on_by_itself_in_order(talk: Talk) -> None:
    texts = await flood(talk, 75)
    await talk.run(5_000)
    assert talk.shown(talk.thread) == texts[:30]
    await talk.run(MINUTE)
    assert talk.shown(talk.thread) == texts[:60]
    await talk.run(MINUTE)
    assert talk.shown(talk.thread) == texts
    assert notices(talk) == 1


async def test_a_later_flood_is_told_again(talk: Talk) -> None:
    await flood(talk, 31)
    await talk.run(10 * MINUTE)
    await flood(talk, 31, name="n")
    await talk.run(10 * MINUTE)
    assert notices(talk) == 2
    assert len(talk.shown(talk.thread)) == 62


async def test_who_writes_steadily_is_not_held_up(talk: Talk) -> None:
    for number in range(90):
        await talk.hear(talk.member_writes(f"m{number}"))
        await talk.run(2_100)
    assert len(talk.shown(talk.thread)) == 90
    assert notices(talk) == 0


async def test_the_desk_is_not_held_up_by_the_member_nor_at_all(talk: Talk) -> None:
    await flood(talk, 40)
    answers = [f"s{number}" for number in range(40)]
    await talk.hear(*(talk.staff_writes(text) for text in answers))
    await talk.run(5_000)
    assert talk.shown(talk.dm) == answers
    assert len(talk.shown(talk.thread)) == 30


async def test_what_was_written_long_before_it_was_heard_goes_on_at_once(talk: Talk) -> None:
    for number in range(50):
        talk.member_writes(f"m{number}")
    await talk.run(5 * MINUTE)
    talk.living.intake.gap()
    await talk.run(30_000)
    assert len(talk.shown(talk.thread)) == 50
    assert notices(talk) == 0


async def test_what_waits_can_be_edited_and_deleted(talk: Talk) -> None:
    await flood(talk, 30)
    changed, gone = talk.member_writes("draft"), talk.member_writes("oops")
    await talk.hear(changed, gone)
    await talk.run(5_000)
    await talk.edit(changed, "final")
    await talk.delete(gone)
    await talk.run(2 * MINUTE)
    assert talk.shown(talk.thread)[30:] == ["final"]


async def test_a_clock_that_is_set_back_holds_nobody_up(talk: Talk) -> None:
    await flood(talk, 30)
    await talk.run(1_000)
    await talk.living.ledger.write(
        lambda connection: connection.execute("UPDATE dm_pace SET began_at = began_at + 3600000")
    )
    await flood(talk, 5, name="n")
    await talk.run(1_000)
    assert len(talk.shown(talk.thread)) == 35


async def test_a_restart_forgets_no_pace(talk: Talk) -> None:
    texts = await flood(talk, 45)
    await talk.run(5_000)
    await talk.living.kill()
    talk.house = None
    talk._up_at = talk.clock.now() + 1
    await talk.run(5_000)
    assert talk.shown(talk.thread) == texts[:30]
    await talk.run(3 * MINUTE)
    assert talk.shown(talk.thread) == texts
    assert notices(talk) == 1
