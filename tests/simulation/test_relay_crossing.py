"""What becomes of a message's changes that cross with its copy on the way."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.simulation.simulated_discord import Plan, Trouble
from tests.simulation.talk import MINUTE, Talk


@pytest.fixture
async def talk(tmp_path: Path, project_root: Path) -> AsyncIterator[Talk]:
    made = await Talk.begin(tmp_path / "ledger.db", project_root / "storage/migrations")
    yield made
    if made.house is not None:
        await made.house.kill()


def first(effect: str, target: int, trouble: Trouble) -> Plan:
    """That goes wrong the first time, and nothing else ever."""
    left = [trouble]

    def plan(one: str, at: int) -> Trouble:
        return left.pop() if left and (one, at) == (effect, target) else Trouble()

    return plan


REFUSED_LATE = Trouble(kind="refused", delay_ms=20_000, problem="automod")
LOST_LATE = Trouble(kind="lost_before", delay_ms=20_000)


async def test_a_deletion_outlives_the_refusal_of_an_edit_before_it(talk: Talk) -> None:
    written = talk.staff_writes("wrong person")
    await talk.hear(written)
    await talk.run(MINUTE)
    talk.discord.plan = first("edit", talk.dm, REFUSED_LATE)
    written = await talk.edit(written, "worse")
    await talk.run(1000)
    await talk.delete(written)
    await talk.run(10 * MINUTE)
    assert talk.shown(talk.dm) == []


async def test_an_edit_outlives_the_refusal_of_an_edit_before_it(talk: Talk) -> None:
    written = talk.staff_writes("draft")
    await talk.hear(written)
    await talk.run(MINUTE)
    talk.discord.plan = first("edit", talk.dm, REFUSED_LATE)
    written = await talk.edit(written, "worse")
    await talk.run(1000)
    await talk.edit(written, "better")
    await talk.run(10 * MINUTE)
    assert talk.shown(talk.dm) == ["better"]


@pytest.mark.parametrize("pieces", [1, 3])
async def test_an_edit_outlives_the_refusal_of_what_it_changes(talk: Talk, pieces: int) -> None:
    talk.discord.plan = first("send", talk.dm, REFUSED_LATE)
    written = talk.staff_writes("\n".join("a" * 1500 for _ in range(pieces)))
    await talk.hear(written)
    await talk.run(1000)
    await talk.edit(written, "\n".join("b" * 1500 for _ in range(pieces)))
    await talk.run(10 * MINUTE)
    assert "".join(one.shown.text for one in talk.discord.of(talk.dm)).count("b") >= 1500 * pieces


async def test_what_was_refused_is_carried_once_it_has_been_edited(talk: Talk) -> None:
    talk.discord.plan = first("send", talk.dm, Trouble(kind="refused", problem="automod"))
    written = talk.staff_writes("\n".join("a" * 1500 for _ in range(3)))
    await talk.hear(written)
    await talk.run(MINUTE)
    assert talk.shown(talk.dm) == []
    await talk.edit(written, "\n".join("b" * 1500 for _ in range(2)))
    await talk.run(10 * MINUTE)
    bodies = [one.shown.text.count("b") for one in talk.discord.of(talk.dm) if one.shown.quiet]
    assert bodies == [1500, 1500]


@pytest.mark.parametrize("side", ["member", "staff"])
@pytest.mark.parametrize(
    "trouble", [LOST_LATE, Trouble(kind="not_done", problem="rate", delay_ms=20_000)]
)
async def test_what_was_deleted_while_it_was_on_its_way_in_vain_is_never_posted(
    talk: Talk, side: str, trouble: Trouble
) -> None:
    write = talk.member_writes if side == "member" else talk.staff_writes
    there = talk.thread if side == "member" else talk.dm
    written = write("a secret")
    failing = first("send", there, trouble)
    talk.discord.plan = failing
    await talk.hear(written)
    await talk.run(1000)
    await talk.delete(written)
    await talk.run(20 * MINUTE)
    ever = [one.shown.text for one in talk.discord.messages if one.channel_id == there]
    assert not any("a secret" in text for text in ever)


async def test_what_was_edited_while_it_was_on_its_way_in_vain_is_posted_as_it_stands(
    talk: Talk,
) -> None:
    talk.discord.plan = first("send", talk.dm, LOST_LATE)
    written = talk.staff_writes("draft")
    await talk.hear(written)
    await talk.run(1000)
    await talk.edit(written, "better")
    await talk.run(20 * MINUTE)
    assert talk.shown(talk.dm) == ["better"]
    assert talk.discord.reactions[written.message_id] == {"✅"}


async def test_what_was_refused_while_it_was_edited_is_marked_as_it_fared_then(
    talk: Talk,
) -> None:
    talk.discord.plan = first("send", talk.dm, REFUSED_LATE)
    written = talk.staff_writes("draft")
    await talk.hear(written)
    await talk.run(1000)
    await talk.edit(written, "better")
    await talk.run(20 * MINUTE)
    assert talk.shown(talk.dm) == ["better"]
    assert talk.discord.reactions[written.message_id] == {"✅"}
