"""A conversation under odd circumstances: nothing is lost, doubled, misplaced or held up."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.services import listening
from tests.simulation.simulated_discord import Plan, Trouble
from tests.simulation.story import GUILD
from tests.simulation.talk import MINUTE, Talk


@pytest.fixture
async def talk(tmp_path: Path, project_root: Path) -> AsyncIterator[Talk]:
    made = await Talk.begin(tmp_path / "ledger.db", project_root / "storage/migrations")
    yield made
    if made.house is not None:
        await made.house.kill()


def slow(effect: str, target: int, **more: object) -> Plan:
    """That takes twenty seconds."""
    trouble = Trouble(delay_ms=20_000, **more)  # type: ignore[arg-type]
    return lambda one, at: trouble if (one, at) == (effect, target) else Trouble()


async def lose_thread(talk: Talk) -> None:
    """Somebody deletes the thread, and the gateway tells it."""
    old, now = talk.thread, talk.clock.now()
    talk.discord.gone.add(old)
    await talk.living.ledger.write(lambda c: listening.thread_lost(c, GUILD, old, now))


async def test_what_is_deleted_while_it_is_read_late_is_not_carried(talk: Talk) -> None:
    written = talk.member_writes("a secret")
    talk.discord.plan = slow("read_back", talk.dm)
    talk.living.intake.gap()
    await talk.run(1000)
    await talk.delete(written)
    await talk.run(10 * MINUTE)
    ever = [one.shown.text for one in talk.discord.messages if one.channel_id == talk.thread]
    assert not any("a secret" in text for text in ever)


async def test_what_is_edited_while_it_is_read_late_is_carried_as_it_stands(talk: Talk) -> None:
    written = talk.member_writes("draft")
    talk.discord.plan = slow("read_back", talk.dm)
    talk.living.intake.gap()
    await talk.run(1000)
    await talk.edit(written, "better")
    await talk.run(10 * MINUTE)
    assert talk.shown(talk.thread) == ["better"]


async def test_what_comes_while_a_channel_can_be_read_again_is_not_taken_for_deleted(
    talk: Talk,
) -> None:
    dm = talk.dm
    talk.discord.plan = lambda effect, target: Trouble(
        kind="parked" if (effect, target) == ("read_back", dm) else "none"
    )
    talk.living.intake.gap()
    await talk.run(MINUTE)
    talk.discord.plan = slow("read_back", dm)
    talk.living.intake.gap()
    await talk.run(1000)
    await talk.hear(talk.member_writes("hello"))
    await talk.run(10 * MINUTE)
    assert talk.shown(talk.thread) == ["hello"]


async def lose_thread_of(talk: Talk, thread_id: int) -> None:
    now = talk.clock.now()
    talk.discord.gone.add(thread_id)
    await talk.living.ledger.write(lambda c: listening.thread_lost(c, GUILD, thread_id, now))
