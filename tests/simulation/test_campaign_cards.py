"""A campaign's card shows the ledger, through crashes, deletions and rushes."""

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from bot.services.campaigns import Changes
from domain.entries import Queued
from storage import outbox
from tests.simulation.fete import CHANNEL, HOUR, MINUTE, OLGA, Fete
from tests.simulation.simulated_discord import Trouble
from tests.simulation.story import GUILD


@pytest.fixture
async def fete(tmp_path: Path, project_root: Path) -> AsyncIterator[Fete]:
    made = await Fete.begin(tmp_path / "ledger.db", project_root / "storage/migrations")
    yield made
    if made.house is not None:
        await made.house.kill()


def edits(fete: Fete) -> int:
    return fete.discord.calls.count(("edit", CHANNEL))


async def test_the_card_is_posted_once_and_edited_in_place(fete: Fete) -> None:
    (first,) = fete.cards()
    assert fete.card().title == "Kites"
    assert fete.field("Places").endswith("50 of 50 left")
    assert [button.label for button in fete.card().buttons] == [
        "Nominate",
        "Withdraw",
        "Review next",
    ]
    await fete.nominate(1)
    await fete.run(MINUTE)
    assert fete.cards() == [first]
    assert fete.field("Places").endswith("49 of 50 left")
    assert fete.field("Reviewed").endswith("0 of 1")
    await fete.approve(await fete.held())
    await fete.run(MINUTE)
    assert fete.field("Reviewed").endswith("1 of 1")


async def test_a_rush_is_shown_by_few_edits(fete: Fete) -> None:
    before = edits(fete)
    for author_id in range(1, 41):
        await fete.nominate(author_id)
        await fete.run(100)
    await fete.run(MINUTE)
    assert fete.field("Places").endswith("10 of 50 left")
    assert edits(fete) - before <= 5


async def test_what_changes_nothing_to_see_is_no_edit(fete: Fete) -> None:
    await fete.nominate(1)
    await fete.run(MINUTE)
    before = edits(fete)
    await fete.held()
    await fete.run(MINUTE)
    assert edits(fete) == before


async def test_the_buttons_go_with_the_state(fete: Fete) -> None:
    await fete.living.campaigns.drain(GUILD, fete.campaign.id, OLGA, fete.clock.now())
    await fete.run(MINUTE)
    assert [button.label for button in fete.card().buttons] == ["Withdraw", "Review next"]


async def test_the_campaign_drains_by_itself_at_its_deadline(fete: Fete) -> None:
    changes = Changes(closes_at=fete.clock.now() + MINUTE)
    await fete.living.campaigns.edit(GUILD, fete.campaign.id, changes, OLGA, fete.clock.now())
    await fete.run(MINUTE - 2000)
    assert fete.state() == "open"
    await fete.run(4000)
    assert fete.state() == "draining"
    await fete.run(MINUTE)
    assert [button.label for button in fete.card().buttons] == ["Withdraw", "Review next"]


async def test_a_card_that_somebody_deletes_comes_back(fete: Fete) -> None:
    (first,) = fete.cards()
    first.deleted = True
    assert await fete.living.receipts.deleted(first.message_id)
    await fete.run(MINUTE)
    (again,) = fete.cards()
    assert again.message_id != first.message_id
    assert fete.field("Places").endswith("50 of 50 left")


async def test_a_card_deleted_while_nobody_looked_comes_back_with_the_next_session(
    fete: Fete,
) -> None:
    (first,) = fete.cards()
    first.deleted = True
    await fete.run(MINUTE)
    assert fete.cards() == []
    fete.living.receipts.session_began()
    await fete.run(MINUTE)
    assert len(fete.cards()) == 1


async def test_a_campaign_moved_to_another_channel_leaves_no_card_behind(fete: Fete) -> None:
    changes = Changes(channel_id=CHANNEL + 1)
    await fete.living.campaigns.edit(GUILD, fete.campaign.id, changes, OLGA, fete.clock.now())
    await fete.run(MINUTE)
    assert fete.cards() == []
    assert len(fete.cards(CHANNEL + 1)) == 1


@pytest.mark.parametrize("fate", ["before", "after"])
@pytest.mark.parametrize("step", range(1, 7))
async def test_killed_at_any_commit_after_a_nomination_the_card_is_right_in_the_end(
    fete: Fete, step: int, fate: str
) -> None:
    await fete.nominate(1)
    here = fete.living
    last = here.ledger.commits + step
    here.ledger.at_commit = lambda number: fate if number == last else None
    await fete.run(5 * MINUTE)
    assert fete.field("Places").endswith("49 of 50 left")


@pytest.mark.parametrize("kind", ["killed_before", "killed_after", "lost_after", "lost_before"])
async def test_a_posting_that_nobody_knows_of_is_one_card_in_the_end(fete: Fete, kind: str) -> None:
    (first,) = fete.cards()
    first.deleted = True
    met: list[int] = []

    def plan(effect: str, target: int) -> Trouble:
        if (effect, target) == ("send", CHANNEL) and not met:
            met.append(target)
            return Trouble(kind=kind)
        return Trouble()

    fete.discord.plan = plan
    await fete.living.receipts.deleted(first.message_id)
    await fete.run(10 * MINUTE)
    assert met
    assert fete.field("Places").endswith("50 of 50 left")


async def test_a_card_that_discord_refuses_is_tried_again_later(fete: Fete) -> None:
    (first,) = fete.cards()
    first.deleted = True
    refused: list[int] = []

    def plan(effect: str, target: int) -> Trouble:
        if (effect, target) == ("send", CHANNEL) and len(refused) < 2:
            refused.append(target)
            return Trouble(kind="refused", problem="unknown_channel")
        return Trouble()

    fete.discord.plan = plan
    await fete.living.receipts.deleted(first.message_id)
    await fete.run(HOUR)
    assert len(refused) == 2
    assert len(fete.cards()) == 1


async def test_a_lease_runs_out_by_itself_however_long_nobody_was_there(fete: Fete) -> None:
    entry = await fete.nominate(1)
    held = await fete.held()
    assert held.entry.id == entry.id
    await fete.living.kill()
    fete.house = None
    fete._up_at = fete.clock.now() + 3 * HOUR
    await fete.run(3 * HOUR + MINUTE)
    assert fete.entry(entry.id).state == Queued()


async def test_nothing_waits_in_the_outbox_when_all_is_shown(fete: Fete) -> None:
    for author_id in range(1, 6):
        await fete.nominate(author_id)
    await fete.run(MINUTE)
    counted = fete.living.ledger.look(partial(outbox.counts))
    assert counted.get("pending", 0) == 0
