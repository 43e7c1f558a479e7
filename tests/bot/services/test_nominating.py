"""Members nominate: places are promised once each, and every promise is counted."""

import asyncio

import pytest

from bot.services.nominations import Ways
from domain.entries import Queued
from domain.errors import Refused
from storage import entries
from tests.bot.services.fair import (
    GUILD,
    HOUR,
    LINK,
    NOW,
    ORGANIZER,
    Fair,
    code,
    reviewer,
)


async def test_500_members_for_50_places_get_exactly_50(fair: Fair) -> None:
    campaign = await fair.open(capacity=50)
    outcomes = await asyncio.gather(
        *(fair.nominate(campaign, 1000 + member) for member in range(500)), return_exceptions=True
    )
    codes = [code(outcome) for outcome in outcomes]
    assert codes.count(None) == 50
    assert codes.count("campaign_at_capacity") == 450
    told = await fair.campaigns.progress(GUILD, campaign.id, ORGANIZER)
    assert told.campaign.accepted_count == 50
    assert told.counts == {"queued": 50}
    references = await fair.database.read(
        lambda c: {one.reference for one in entries.unfinished(c, campaign.id, limit=1000)}
    )
    assert len(references) == 50


async def test_the_last_place_is_raced_for_by_100_and_given_to_one(fair: Fair) -> None:
    campaign = await fair.open(capacity=2)
    await fair.nominate(campaign, 1)
    outcomes = await asyncio.gather(
        *(fair.nominate(campaign, 1000 + member) for member in range(100)), return_exceptions=True
    )
    assert [code(outcome) for outcome in outcomes].count(None) == 1
    assert await fair.counts(campaign) == {"queued": 2}


async def test_the_same_nomination_five_times_is_one_entry_and_one_receipt(fair: Fair) -> None:
    campaign = await fair.open()
    receipts = await asyncio.gather(*(fair.nominate(campaign, 1, source="i:77") for _ in range(5)))
    assert len({receipt.entry.id for receipt in receipts}) == 1
    assert sum(not receipt.repeated for receipt in receipts) == 1
    assert await fair.counts(campaign) == {"queued": 1}
    told = await fair.campaigns.progress(GUILD, campaign.id, ORGANIZER)
    assert told.campaign.accepted_count == 1


async def test_the_first_receipt_comes_back_whatever_the_campaign_is_now(fair: Fair) -> None:
    campaign = await fair.open(capacity=1)
    first = await fair.nominate(campaign, 1, source="i:77")
    await fair.campaigns.drain(GUILD, campaign.id, ORGANIZER, fair.now)
    fair.now += 48 * HOUR
    again = await fair.nominate(campaign, 1, source="i:77", title="Another")
    assert again.repeated
    assert again.entry == first.entry


async def test_an_author_has_one_entry_ever_even_after_withdrawing(fair: Fair) -> None:
    campaign = await fair.open(capacity=2)
    first = await fair.nominate(campaign, 1)
    await fair.nominations.withdraw(GUILD, first.entry.id, 1, fair.now)
    with pytest.raises(Refused, match="author_already_submitted") as refused:
        await fair.nominate(campaign, 1)
    assert refused.value.details["reference"] == first.entry.reference
    other = await fair.open("Boats")
    assert (await fair.nominate(other, 1)).entry.campaign_id == other.id


async def test_a_withdrawal_frees_no_place(fair: Fair) -> None:
    campaign = await fair.open(capacity=1)
    first = await fair.nominate(campaign, 1)
    await fair.nominations.withdraw(GUILD, first.entry.id, 1, fair.now)
    with pytest.raises(Refused, match="campaign_at_capacity"):
        await fair.nominate(campaign, 2)


async def test_the_deadline_passes_in_the_middle_of_a_form(fair: Fair) -> None:
    campaign = await fair.open(closes_at=NOW + HOUR)
    ways = await fair.nominations.ways(GUILD, 1, campaign.id, NOW + HOUR - 1)
    assert ways.campaigns == (campaign,)
    fair.now = NOW + HOUR
    with pytest.raises(Refused, match="submission_deadline_passed"):
        await fair.nominate(campaign, 1)
    assert await fair.counts(campaign) == {}


async def test_a_form_is_not_shown_for_what_would_be_refused(fair: Fair) -> None:
    campaign = await fair.open(capacity=1)
    await fair.nominate(campaign, 1)
    ways = fair.nominations.ways
    own = await ways(GUILD, 1, campaign.id, fair.now)
    assert [one.entry.author_id for one in own.mine] == [1]
    assert own.campaigns == ()
    for guild_id, expected in ((GUILD, "campaign_at_capacity"), (GUILD + 1, "campaign_not_found")):
        for named in (campaign.id, campaign.slug):
            with pytest.raises(Refused, match=expected):
                await ways(guild_id, 2, named, fair.now)


async def test_without_a_name_the_one_open_campaign_is_meant(fair: Fair) -> None:
    assert await fair.nominations.ways(GUILD, 1, None, fair.now) == Ways()
    first = await fair.open()
    ways = await fair.nominations.ways(GUILD, 1, None, fair.now)
    assert [one.id for one in ways.campaigns] == [first.id]
    second = await fair.open(name="Boats", closes_at=NOW + HOUR)
    ways = await fair.nominations.ways(GUILD, 1, None, fair.now)
    assert [one.id for one in ways.campaigns] == [first.id, second.id]
    ways = await fair.nominations.ways(GUILD, 1, None, NOW + HOUR)
    assert [one.id for one in ways.campaigns] == [first.id]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"title": "  \u200b "}, "empty_title"),
        ({"url": "javascript:alert(1)"}, "invalid_url"),
        ({"url": "https://me:secret@example.org"}, "invalid_url"),
        ({"campaign_id": 99}, "campaign_not_found"),
        ({"guild_id": GUILD + 1}, "campaign_not_found"),
    ],
)
async def test_what_is_refused_takes_no_place(
    fair: Fair, changes: dict[str, str], expected: str
) -> None:
    campaign = await fair.open(capacity=1)
    with pytest.raises(Refused, match=expected):
        await fair.nominate(campaign, 1, **changes)
    assert (await fair.nominate(campaign, 2)).campaign.places_left == 0


async def test_what_was_typed_is_tidied(fair: Fair) -> None:
    campaign = await fair.open()
    typed = {
        "title": "A\u202e kite\n\nof  mine",
        "url": " HTTPS://Example.org ",
        "why": "a\n\n\n\nb",
    }
    entry = (await fair.nominate(campaign, 1, **typed)).entry
    assert (entry.title, entry.url, entry.why) == (
        "A kite of mine",
        "https://example.org",
        "a\n\nb",
    )


async def test_withdrawing_again_is_no_harm_and_strangers_can_not(fair: Fair) -> None:
    campaign = await fair.open()
    entry = (await fair.nominate(campaign, 1)).entry
    with pytest.raises(Refused, match="not_entry_author"):
        await fair.nominations.withdraw(GUILD, entry.id, 2, fair.now)
    with pytest.raises(Refused, match="entry_not_found"):
        await fair.nominations.withdraw(GUILD + 1, entry.id, 1, fair.now)
    once = await fair.nominations.withdraw(GUILD, entry.id, 1, fair.now)
    again = await fair.nominations.withdraw(GUILD, entry.id, 1, fair.now + 1)
    assert once == again
    history = await fair.database.read(lambda c: entries.history(c, entry.id))
    assert [row.event for row in history] == ["submit", "withdraw"]


async def test_a_withdrawal_at_the_moment_of_completion_has_one_winner(fair: Fair) -> None:
    campaign = await fair.open(capacity=40)
    held = []
    for author_id in range(1, 41):
        await fair.nominate(campaign, author_id)
        held.append(await fair.held())

    async def both(index: int) -> list[object]:
        entry = held[index].entry
        acts = [
            fair.approve(held[index]),
            fair.nominations.withdraw(GUILD, entry.id, entry.author_id, fair.now),
        ]
        return await asyncio.gather(*(acts if index % 2 else acts[::-1]), return_exceptions=True)

    for outcomes in await asyncio.gather(*(both(index) for index in range(40))):
        codes = {code(outcome) for outcome in outcomes}
        assert codes in (
            {None, "entry_already_completed"},
            {None, "stale_button"},
        )
    counts = await fair.counts(campaign)
    assert sum(counts.values()) == 40
    assert set(counts) == {"done", "withdrawn"}


async def test_an_answer_puts_the_entry_back_with_what_it_changes(fair: Fair) -> None:
    campaign = await fair.open()
    await fair.nominate(campaign, 1)
    held = await fair.held()
    button = held.tokens["send_back"]
    await fair.reviews.send_back(GUILD, button, "Which wind?", reviewer(), fair.now)
    entry_id = held.entry.id
    with pytest.raises(Refused, match="not_entry_author"):
        await fair.nominations.answer(entry_id, 2, "Mine.", fair.now)
    with pytest.raises(Refused, match="invalid_url"):
        await fair.nominations.answer(entry_id, 1, "A", fair.now, changes={"url": "nowhere"})
    after = await fair.nominations.answer(
        entry_id, 1, "A strong one.", fair.now, changes={"title": "A red kite"}
    )
    assert (after.title, after.url, after.state) == ("A red kite", LINK, Queued())
    with pytest.raises(Refused, match="entry_not_returned"):
        await fair.nominations.answer(entry_id, 1, "Again.", fair.now)
    told = await fair.held(reviewer(1))
    assert [row.event for row in told.history] == [
        "submit",
        "lease",
        "send_back",
        "answer",
        "lease",
    ]


async def test_an_author_agrees_to_be_named_or_not(fair: Fair) -> None:
    campaign = await fair.open()
    entry = (await fair.nominate(campaign, 1)).entry
    assert not entry.named
    agreed = await fair.nominations.agree(GUILD, entry.id, 1, named=True)
    assert agreed.entry.named
    for guild_id, author_id, expected in (
        (GUILD, 2, "not_entry_author"),
        (GUILD + 1, 1, "entry_not_found"),
    ):
        with pytest.raises(Refused, match=expected):
            await fair.nominations.agree(guild_id, entry.id, author_id, named=False)
    (mine,) = await fair.nominations.mine(GUILD, 1)
    assert mine.entry.named
    assert mine.campaign.id == campaign.id
