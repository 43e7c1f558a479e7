"""Organizers run campaigns: terms that can be kept, and nothing is closed over."""

import asyncio
from typing import Any

import pytest

from bot.services.campaigns import Changes
from bot.services.showcase import drain_due
from domain.campaigns import Campaign, Closed, Draining, Open
from domain.errors import Refused
from storage import campaign_cards, campaigns
from tests.bot.services.fair import (
    CHANNEL,
    GUILD,
    MEMBER,
    NOW,
    ORGANIZER,
    Fair,
    code,
    reviewer,
)


async def close(fair: Fair, campaign: Campaign) -> Campaign:
    """Through both questions."""
    asked = await fair.campaigns.ask_close(GUILD, campaign.id, ORGANIZER, fair.now)
    sure = await fair.confirmations.confirm(asked.onward, ORGANIZER.member_id, fair.now)
    return await fair.campaigns.close(GUILD, sure.onward, ORGANIZER, fair.now)


async def test_a_campaign_is_opened_once_by_one_interaction(fair: Fair) -> None:
    first = await fair.open("Summer  Show", interaction_id=77)
    again = await fair.open("Summer  Show", interaction_id=77)
    assert first == again
    assert (first.name, first.slug, first.state) == ("Summer Show", "summer-show", Open())
    assert await fair.campaigns.by_slug(GUILD, "Summer Show") == first


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"name": "***"}, "empty_name"),
        ({"name": "KITES!"}, "campaign_exists"),
        ({"capacity": 0}, "invalid_capacity"),
        ({"closes_at": NOW}, "invalid_deadline"),
        ({"guild_id": 99}, "desk_not_ready"),
    ],
)
async def test_what_can_not_be_kept_is_not_promised(
    fair: Fair, changes: dict[str, Any], expected: str
) -> None:
    await fair.open("Kites")
    with pytest.raises(Refused, match=expected):
        await fair.open(**{"name": "Boats", **changes})
    assert len(await fair.campaigns.live(GUILD)) == 1


async def test_a_closed_campaigns_name_stays_taken(fair: Fair) -> None:
    campaign = await fair.open("Kites")
    await fair.campaigns.drain(GUILD, campaign.id, ORGANIZER, fair.now)
    await close(fair, campaign)
    with pytest.raises(Refused, match="campaign_exists"):
        await fair.open("Kites")


async def test_only_organizers_run_campaigns(fair: Fair) -> None:
    campaign = await fair.open()
    acts = (
        fair.campaigns.edit(GUILD, campaign.id, Changes(capacity=9), MEMBER, fair.now),
        fair.campaigns.drain(GUILD, campaign.id, reviewer(), fair.now),
        fair.campaigns.ask_close(GUILD, campaign.id, MEMBER, fair.now),
        fair.campaigns.progress(GUILD, campaign.id, MEMBER),
        fair.campaigns.page(GUILD, MEMBER),
    )
    outcomes = await asyncio.gather(*acts, return_exceptions=True)
    assert {code(outcome) for outcome in outcomes} == {"not_organizer"}


async def test_another_guilds_campaign_is_not_there(fair: Fair) -> None:
    campaign = await fair.open()
    await fair.begin(GUILD + 1)
    with pytest.raises(Refused, match="campaign_not_found"):
        await fair.campaigns.drain(GUILD + 1, campaign.id, ORGANIZER, fair.now)
    with pytest.raises(Refused, match="campaign_not_found"):
        await fair.campaigns.by_slug(GUILD + 1, campaign.slug)


async def test_an_edit_changes_what_it_names(fair: Fair) -> None:
    campaign = await fair.open(capacity=2)
    await fair.nominate(campaign, 1)
    await fair.nominate(campaign, 2)
    edit = fair.campaigns.edit
    with pytest.raises(Refused, match="invalid_capacity"):
        await edit(GUILD, campaign.id, Changes(capacity=1), ORGANIZER, fair.now)
    more = await edit(GUILD, campaign.id, Changes(capacity=3), ORGANIZER, fair.now)
    assert (more.capacity, more.name, more.closes_at) == (3, "Kites", campaign.closes_at)
    await fair.nominate(campaign, 3)
    renamed = await edit(GUILD, campaign.id, Changes(name="Big kites"), ORGANIZER, fair.now)
    assert renamed.slug == "big-kites"
    await fair.open("Kites")
    with pytest.raises(Refused, match="campaign_exists"):
        await edit(GUILD, campaign.id, Changes(name="kites"), ORGANIZER, fair.now)
    same = await edit(GUILD, campaign.id, Changes(name="BIG kites"), ORGANIZER, fair.now)
    assert (same.slug, same.name) == ("big-kites", "BIG kites")


async def test_a_campaign_in_another_channel_gets_a_card_there(fair: Fair) -> None:
    campaign = await fair.open()
    card = await fair.database.read(lambda c: campaign_cards.find(c, campaign.id))
    assert card is not None
    changes = Changes(channel_id=CHANNEL + 1)
    await fair.campaigns.edit(GUILD, campaign.id, changes, ORGANIZER, fair.now)
    moved = await fair.database.read(lambda c: campaign_cards.find(c, campaign.id))
    assert moved is not None
    assert moved.posts == card.posts + 1


async def test_draining_takes_no_more_and_edits_no_terms(fair: Fair) -> None:
    campaign = await fair.open()
    assert (await fair.campaigns.drain(GUILD, campaign.id, ORGANIZER, fair.now)).state == Draining()
    with pytest.raises(Refused, match="campaign_not_open"):
        await fair.nominate(campaign, 1)
    with pytest.raises(Refused, match="campaign_not_open"):
        await fair.campaigns.drain(GUILD, campaign.id, ORGANIZER, fair.now)
    changes = Changes(capacity=99, name="kites")
    with pytest.raises(Refused, match="campaign_not_open"):
        await fair.campaigns.edit(GUILD, campaign.id, changes, ORGANIZER, fair.now)


async def test_campaigns_drain_by_themselves_at_their_deadline(fair: Fair) -> None:
    soon, later = await fair.open(closes_at=NOW + 1), await fair.open("Boats", closes_at=NOW + 2)
    assert await fair.database.read(campaigns.next_due) == NOW + 1
    assert await fair.database.write(lambda c: drain_due(c, NOW, limit=9)) == ()
    drained = await fair.database.write(lambda c: drain_due(c, NOW + 1, limit=9))
    assert [campaign.id for campaign in drained] == [soon.id]
    assert await fair.database.read(campaigns.next_due) == NOW + 2
    history = await fair.database.read(lambda c: campaigns.history(c, soon.id))
    assert [(row.event, row.actor_id) for row in history] == [
        ("create", ORGANIZER.member_id),
        ("begin_draining", None),
    ]
    assert later.state == Open()


async def test_nothing_is_closed_while_a_promise_is_open(fair: Fair) -> None:
    campaign = await fair.open()
    with pytest.raises(Refused, match="campaign_not_draining"):
        await fair.campaigns.ask_close(GUILD, campaign.id, ORGANIZER, fair.now)
    for author_id in (1, 2, 3):
        await fair.nominate(campaign, author_id)
    await fair.campaigns.drain(GUILD, campaign.id, ORGANIZER, fair.now)
    held = await fair.held()
    button = (await fair.held(reviewer(1))).tokens["send_back"]
    await fair.reviews.send_back(GUILD, button, "Why?", reviewer(1), fair.now)
    with pytest.raises(Refused, match="unfinished_entries") as refused:
        await fair.campaigns.ask_close(GUILD, campaign.id, ORGANIZER, fair.now)
    assert refused.value.details["number"] == 3
    told = await fair.campaigns.progress(GUILD, campaign.id, ORGANIZER)
    assert [entry.state_name for entry in told.open_entries] == ["leased", "returned", "queued"]
    assert told.names[reviewer().member_id] == "Rex 0"
    assert told.unfinished == 3
    await fair.approve(held)
    for author_id, entry in ((2, told.open_entries[1]), (3, told.open_entries[2])):
        await fair.nominations.withdraw(GUILD, entry.id, author_id, fair.now)
    assert (await close(fair, campaign)).state == Closed()


async def test_what_is_unfinished_is_paged(fair: Fair) -> None:
    campaign = await fair.open()
    for author_id in range(12):
        await fair.nominate(campaign, author_id)
    first = await fair.campaigns.progress(GUILD, campaign.id, ORGANIZER)
    assert len(first.open_entries) == 10
    assert first.next_after is not None
    rest = await fair.campaigns.progress(GUILD, campaign.id, ORGANIZER, after_id=first.next_after)
    assert len(rest.open_entries) == 2
    assert rest.next_after is None


async def test_a_reopened_promise_between_the_questions_stops_the_closing(fair: Fair) -> None:
    """What counts is the ledger at the last press, not at the question."""
    campaign = await fair.open()
    await fair.campaigns.drain(GUILD, campaign.id, ORGANIZER, fair.now)
    asked = await fair.campaigns.ask_close(GUILD, campaign.id, ORGANIZER, fair.now)
    sure = await fair.confirmations.confirm(asked.onward, ORGANIZER.member_id, fair.now)
    await fair.database.write(
        lambda c: (
            c.execute("INSERT INTO entry_count VALUES (?, 'queued', 1)", (campaign.id,)).rowcount
        )
    )
    with pytest.raises(Refused, match="unfinished_entries"):
        await fair.campaigns.close(GUILD, sure.onward, ORGANIZER, fair.now)


async def test_closing_twice_closes_once(fair: Fair) -> None:
    campaign = await fair.open()
    await fair.campaigns.drain(GUILD, campaign.id, ORGANIZER, fair.now)
    asked = await fair.campaigns.ask_close(GUILD, campaign.id, ORGANIZER, fair.now)
    sure = await fair.confirmations.confirm(asked.onward, ORGANIZER.member_id, fair.now)
    outcomes = await asyncio.gather(
        *(fair.campaigns.close(GUILD, sure.onward, ORGANIZER, fair.now) for _ in range(5)),
        return_exceptions=True,
    )
    codes = [code(outcome) for outcome in outcomes]
    assert codes.count(None) == 1
    assert codes.count("button_used") == 4


async def test_campaigns_are_listed_newest_first(fair: Fair) -> None:
    made = [await fair.open(f"Show {number}") for number in range(12)]
    first = await fair.campaigns.page(GUILD, ORGANIZER)
    rest = await fair.campaigns.page(GUILD, ORGANIZER, before=first[-1].id)
    assert [one.id for one in (*first, *rest)] == [one.id for one in reversed(made)]
