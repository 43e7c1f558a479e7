"""Authors are told of each step in their DM where they allow it, and reviewers of their time."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from domain.entries import Leased, Queued
from storage import showcase_words
from tests.simulation.fete import HOUR, MINUTE, REX, Fete
from tests.simulation.simulated_discord import Trouble
from tests.simulation.story import GUILD


@pytest.fixture
async def fete(tmp_path: Path, project_root: Path) -> AsyncIterator[Fete]:
    made = await Fete.begin(tmp_path / "ledger.db", project_root / "storage/migrations")
    yield made
    if made.house is not None:
        await made.house.kill()


def waiting(fete: Fete) -> int:
    row = fete.living.ledger.look(
        lambda c: c.execute("SELECT count(*) FROM showcase_word").fetchone()
    )
    return int(row[0])


async def test_an_author_is_asked_and_then_told_that_it_is_done(fete: Fete) -> None:
    entry = await fete.nominate(1, locale="de")
    await fete.send_back(await fete.held())
    await fete.run(MINUTE)
    (asked,) = fete.dms(1)
    assert asked.title.startswith(entry.reference)
    assert asked.fields[0].value == "Which wind?"
    assert [button.label for button in asked.buttons] == ["Antworten"]
    await fete.living.nominations.answer(entry.id, 1, "A strong one.", fete.clock.now())
    await fete.approve(await fete.held())
    await fete.run(MINUTE)
    assert fete.dms(1)[-1].fields[0].value == "A fine kite."
    assert len(fete.dms(1)) == 2
    assert waiting(fete) == 0


async def test_a_question_that_is_over_before_it_is_told_is_not_told(fete: Fete) -> None:
    entry = await fete.nominate(1)
    await fete.send_back(await fete.held())
    await fete.living.nominations.withdraw(GUILD, entry.id, 1, fete.clock.now())
    await fete.run(MINUTE)
    assert fete.dms(1) == []


async def test_who_has_closed_their_dms_holds_nothing_up(fete: Fete) -> None:
    for author_id in (1, 2):
        await fete.nominate(author_id)
    fete.discord.dm_channels[1] = 77
    fete.discord.closed_dms.add(77)
    for _ in (1, 2):
        await fete.approve(await fete.held())
    await fete.run(5 * MINUTE)
    assert fete.dms(1) == []
    assert len(fete.dms(2)) == 1
    assert waiting(fete) == 0


async def test_who_can_not_be_written_to_at_all_is_let_be(fete: Fete) -> None:
    await fete.nominate(1)
    fete.discord.plan = lambda effect, _: (
        Trouble(kind="refused", problem="no_mutual_guild") if effect == "open_dm" else Trouble()
    )
    await fete.approve(await fete.held())
    await fete.run(5 * MINUTE)
    assert waiting(fete) == 0
    assert fete.dms(1) == []


async def test_new_dms_are_opened_at_the_pace_that_is_set(fete: Fete) -> None:
    for author_id in range(1, 13):
        await fete.nominate(author_id)
        await fete.approve(await fete.held())
    await fete.run(MINUTE - 5000)
    assert sum(effect == "open_dm" for effect, _ in fete.discord.calls) == 5
    await fete.run(5 * MINUTE)
    assert all(len(fete.dms(author_id)) == 1 for author_id in range(1, 13))


async def test_a_request_for_help_goes_before_words_to_new_people(fete: Fete) -> None:
    for author_id in range(11, 21):
        await fete.nominate(author_id)
        await fete.approve(await fete.held())
    await fete._ask(1)
    await fete._claim()
    await fete.run(MINUTE - 5000)
    opened = [target for effect, target in fete.discord.calls if effect == "open_dm"]
    assert 1 in opened


@pytest.mark.parametrize("kind", ["killed_before", "killed_after", "lost_after", "not_done"])
@pytest.mark.parametrize("effect", ["open_dm", "send"])
async def test_a_word_is_said_once_whatever_happens_to_the_call(
    fete: Fete, effect: str, kind: str
) -> None:
    await fete.nominate(1)
    await fete.run(MINUTE)
    met: list[int] = []

    def plan(called: str, target: int) -> Trouble:
        if called == effect and not met:
            met.append(target)
            return Trouble(kind=kind)
        return Trouble()

    fete.discord.plan = plan
    await fete.approve(await fete.held())
    await fete.run(10 * MINUTE)
    assert met
    assert len(fete.dms(1)) == 1


@pytest.mark.parametrize("fate", ["before", "after"])
@pytest.mark.parametrize("step", range(1, 8))
async def test_a_word_is_said_once_whichever_commit_is_the_last(
    fete: Fete, step: int, fate: str
) -> None:
    await fete.nominate(1)
    await fete.run(MINUTE)
    await fete.approve(await fete.held())
    last = fete.living.ledger.commits + step
    fete.living.ledger.at_commit = lambda number: fate if number == last else None
    await fete.run(10 * MINUTE)
    assert len(fete.dms(1)) == 1


async def test_a_reviewer_is_told_once_before_their_time_is_over(fete: Fete) -> None:
    await fete.nominate(1)
    held = await fete.held()
    assert isinstance(held.entry.state, Leased)
    await fete.run(48 * MINUTE - 10_000)
    assert fete.dms(REX.member_id) == []
    assert ("review_ending", held.entry.id) not in fete.living.told
    await fete.run(MINUTE)
    assert fete.living.told.count(("review_ending", held.entry.id)) == 1
    (told,) = fete.dms(REX.member_id)
    assert held.entry.reference in told.title
    assert [button.label for button in told.buttons] == ["Extend", "Give back"]
    await fete.living.kill()  # the next process knows what it has told
    fete.house = None
    fete._up_at = fete.clock.now() + 1000
    await fete.run(5 * MINUTE)
    assert len(fete.dms(REX.member_id)) == 1
    await fete.living.reviews.extend(GUILD, held.entry.id, REX, fete.clock.now())
    await fete.run(49 * MINUTE)
    assert len(fete.dms(REX.member_id)) == 2
    await fete.run(HOUR)
    assert fete.entry(held.entry.id).state == Queued()
    assert len(fete.dms(REX.member_id)) == 2


async def test_a_reviewer_who_is_done_is_not_told(fete: Fete) -> None:
    await fete.nominate(1)
    held = await fete.held()
    await fete.run(40 * MINUTE)
    await fete.approve(held)
    await fete.run(HOUR)
    assert fete.dms(REX.member_id) == []
    assert fete.living.ledger.look(lambda c: showcase_words.to_person(c, REX.member_id)) == ()
