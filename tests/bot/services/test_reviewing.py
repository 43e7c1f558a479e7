"""Reviewers take entries under leases: nobody's work is done twice, and nothing is stuck."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from bot.services.reviews import Held
from bot.services.showcase import expire_due, read_note
from bot.services.suggesting import Suggesting
from domain.entries import Done, Leased, Queued, Returned
from domain.errors import Refused
from storage import buttons, entries, showcase_words
from tests.bot.services.fair import (
    GUILD,
    HOUR,
    LEASE,
    LINK,
    MEMBER,
    ORGANIZER,
    Fair,
    reviewer,
)


async def test_20_reviewers_complete_200_entries_and_no_entry_twice(fair: Fair) -> None:
    campaign = await fair.open(capacity=200)
    await asyncio.gather(*(fair.nominate(campaign, 1000 + author) for author in range(200)))
    held_now: set[int] = set()
    completed: list[int] = []

    async def work(number: int) -> None:
        who = reviewer(number)
        while (
            held := await fair.reviews.claim_next(GUILD, campaign.id, who, fair.now)
        ) is not None:
            assert held.entry.id not in held_now
            held_now.add(held.entry.id)
            await fair.approve(held, who)
            completed.append(held.entry.id)

    await asyncio.gather(*(work(number) for number in range(20)))
    assert len(completed) == len(set(completed)) == 200
    assert await fair.counts(campaign) == {"done": 200}


async def test_the_oldest_entry_comes_first_and_never_ones_own(fair: Fair) -> None:
    campaign = await fair.open()
    own = (await fair.nominate(campaign, reviewer().member_id)).entry
    other = (await fair.nominate(campaign, 5)).entry
    assert (await fair.held()).entry.id == other.id
    assert await fair.reviews.claim_next(GUILD, campaign.id, reviewer(), fair.now) is None
    assert (await fair.held(reviewer(1))).entry.id == own.id


async def test_one_campaign_is_reviewed_or_any(fair: Fair) -> None:
    kites, boats = await fair.open(), await fair.open("Boats")
    await fair.nominate(kites, 1)
    await fair.nominate(boats, 1)
    claim = fair.reviews.claim_next
    first = await claim(GUILD, boats.id, reviewer(), fair.now)
    assert first is not None
    assert first.entry.campaign_id == boats.id
    assert await claim(GUILD, boats.id, reviewer(), fair.now) is None
    assert (await fair.held()).entry.campaign_id == kites.id
    with pytest.raises(Refused, match="campaign_not_found"):
        await claim(GUILD, 99, reviewer(), fair.now)


@pytest.mark.parametrize("duration", [0, -1])
async def test_a_lease_of_no_time_is_refused(fair: Fair, duration: int) -> None:
    await fair.nominate(await fair.open(), 1)
    with pytest.raises(Refused, match="invalid_lease"):
        await fair.reviews.claim_next(GUILD, None, reviewer(), fair.now, duration_ms=duration)


async def test_only_reviewers_and_organizers_review(fair: Fair) -> None:
    await fair.nominate(await fair.open(), 1)
    with pytest.raises(Refused, match="not_reviewer"):
        await fair.reviews.claim_next(GUILD, None, MEMBER, fair.now)
    held = await fair.held(ORGANIZER)
    with pytest.raises(Refused, match="not_reviewer"):
        await fair.approve(held, replace(ORGANIZER, role_ids=frozenset()))
    with pytest.raises(Refused, match="not_organizer"):
        await fair.reviews.reclaim(GUILD, held.entry.id, reviewer(), fair.now)


async def test_a_late_token_never_completes_what_is_held_anew_in_1000_interleavings(
    fair: Fair,
) -> None:
    rng = random.Random(7)
    campaign = await fair.open(capacity=1000)
    await asyncio.gather(*(fair.nominate(campaign, 1000 + author) for author in range(1000)))
    late = [await fair.held() for _ in range(1000)]
    fair.now += LEASE
    while await fair.database.write(lambda c: expire_due(c, fair.now, limit=500)):
        pass

    seen: list[str] = []

    async def press(old: Held) -> None:
        with pytest.raises(Refused) as refused:
            await fair.approve(old)
        seen.append(refused.value.code)

    async def anew() -> None:
        """Somebody takes the oldest entry anew, maybe the one who held it before."""
        who = reviewer(rng.randrange(3))
        assert await fair.reviews.claim_next(GUILD, campaign.id, who, fair.now) is not None

    for start in range(0, 1000, 50):
        acts = [*(press(old) for old in late[start : start + 50]), *(anew() for _ in range(50))]
        rng.shuffle(acts)
        await asyncio.gather(*acts)
    assert len(seen) == 1000
    assert set(seen) == {"entry_not_leased", "lease_token_mismatch", "stale_button"}
    assert "done" not in await fair.counts(campaign)


async def test_a_lease_that_has_run_out_puts_the_entry_back_and_commits(fair: Fair) -> None:
    campaign = await fair.open()
    await fair.nominate(campaign, 1)
    held = await fair.held()
    fair.now += LEASE
    with pytest.raises(Refused, match="lease_expired"):
        await fair.approve(held)
    entry = await fair.entry(held.entry.id)
    assert entry.state == Queued()
    assert await fair.counts(campaign) == {"queued": 1}
    with pytest.raises(Refused, match="button_used"):
        await fair.approve(held)
    history = await fair.database.read(lambda c: entries.history(c, entry.id))
    assert [(row.event, row.actor_id) for row in history][-1] == ("lease_elapsed", None)


@pytest.mark.parametrize("act", ["complete", "send_back", "edit", "extend", "give_up"])
async def test_whatever_comes_too_late_puts_the_entry_back(fair: Fair, act: str) -> None:
    await fair.nominate(await fair.open(), 1)
    held = await fair.held()
    late, who, reviews, entry_id = fair.now + LEASE, reviewer(), fair.reviews, held.entry.id
    tokens = held.tokens
    acts: dict[str, Callable[[], Awaitable[object]]] = {
        "complete": lambda: reviews.complete(GUILD, tokens["approve"], "Good.", who, late),
        "send_back": lambda: reviews.send_back(GUILD, tokens["send_back"], "Why?", who, late),
        "edit": lambda: reviews.edit(
            GUILD, tokens["edit"], who, late, title="Kite", url=LINK, why=""
        ),
        "extend": lambda: reviews.extend(GUILD, entry_id, who, late),
        "give_up": lambda: reviews.give_up(GUILD, entry_id, who, late),
    }
    with pytest.raises(Refused, match="lease_expired"):
        await acts[act]()
    assert (await fair.entry(entry_id)).state == Queued()


async def test_a_blank_review_changes_nothing_and_uses_no_button(fair: Fair) -> None:
    await fair.nominate(await fair.open(), 1)
    held = await fair.held()
    with pytest.raises(Refused, match="empty_review"):
        await fair.approve(held, summary=" \u200b ")
    assert isinstance((await fair.approve(held)).state, Done)


async def test_a_decision_uses_up_the_other_buttons(fair: Fair) -> None:
    await fair.nominate(await fair.open(), 1)
    held = await fair.held()
    await fair.approve(held)
    with pytest.raises(Refused, match="button_used"):
        await fair.reviews.send_back(GUILD, held.tokens["send_back"], "Why?", reviewer(), fair.now)
    with pytest.raises(Refused, match="button_used"):
        await fair.approve(held)


async def test_a_button_works_for_its_own_decision_and_person_alone(fair: Fair) -> None:
    await fair.nominate(await fair.open(), 1)
    held = await fair.held()
    with pytest.raises(Refused, match="stale_button"):
        await fair.reviews.complete(GUILD, held.tokens["send_back"], "Good.", reviewer(), fair.now)
    with pytest.raises(Refused, match="not_your_button"):
        await fair.approve(held, reviewer(1))
    with pytest.raises(Refused, match="stale_button"):
        await fair.reviews.complete(GUILD, "no-such-button-00000", "Good.", reviewer(), fair.now)
    assert isinstance((await fair.approve(held)).state, Done)


async def test_an_edit_keeps_the_lease_and_gives_fresh_buttons(fair: Fair) -> None:
    await fair.nominate(await fair.open(), 1)
    held = await fair.held()
    edited = await fair.reviews.edit(
        GUILD, held.tokens["edit"], reviewer(), fair.now, title="Red kite", url=LINK, why=""
    )
    assert edited.entry.state == held.entry.state
    assert (edited.entry.title, edited.entry.why) == ("Red kite", "")
    with pytest.raises(Refused, match="button_used"):
        await fair.approve(held)
    note = read_note(edited.history[-1].note)
    assert note.before == {"title": "Kite 1", "why": "It flies."}
    assert isinstance((await fair.approve(edited)).state, Done)


async def test_extending_gives_a_full_lease_from_now_on(fair: Fair) -> None:
    await fair.nominate(await fair.open(), 1)
    held = await fair.held()
    fair.now += LEASE - 1
    extended = await fair.reviews.extend(GUILD, held.entry.id, reviewer(), fair.now)
    assert isinstance(extended.entry.state, Leased)
    assert extended.entry.state.lease_until == fair.now + LEASE
    with pytest.raises(Refused, match="stale_button"):
        await fair.approve(held)
    fair.now += HOUR // 2
    assert isinstance((await fair.approve(extended)).state, Done)


async def test_giving_back_is_the_holders_and_reclaiming_an_organizers(fair: Fair) -> None:
    await fair.nominate(await fair.open(), 1)
    held = await fair.held()
    with pytest.raises(Refused, match="lease_token_mismatch") as refused:
        await fair.reviews.give_up(GUILD, held.entry.id, reviewer(1), fair.now)
    assert refused.value.details["owner_name"] == "Rex 0"
    after = await fair.reviews.give_up(GUILD, held.entry.id, reviewer(), fair.now)
    assert after.state == Queued()
    with pytest.raises(Refused, match="entry_not_leased"):
        await fair.reviews.give_up(GUILD, held.entry.id, reviewer(), fair.now)
    again = await fair.held(reviewer(1))
    reclaimed = await fair.reviews.reclaim(GUILD, again.entry.id, ORGANIZER, fair.now)
    assert reclaimed.state == Queued()
    with pytest.raises(Refused, match="entry_not_leased"):
        await fair.approve(again, reviewer(1))


async def test_what_a_reviewer_holds_is_shown_again_with_fresh_buttons(fair: Fair) -> None:
    campaign = await fair.open()
    await fair.nominate(campaign, 1)
    held = await fair.held()
    (mine,) = await fair.reviews.mine(GUILD, reviewer())
    assert mine == held.entry
    shown = await fair.reviews.show(GUILD, mine.id, reviewer(), fair.now)
    with pytest.raises(Refused, match="stale_button"):
        await fair.approve(held)
    assert isinstance((await fair.approve(shown)).state, Done)
    assert await fair.reviews.mine(GUILD, reviewer()) == ()


async def test_a_button_is_over_after_seven_days_and_then_not_kept(fair: Fair) -> None:
    campaign = await fair.open(closes_at=fair.now + 365 * 24 * HOUR)
    await fair.nominate(campaign, 1)
    held = await fair.held()
    fair.now += 7 * 24 * HOUR
    with pytest.raises(Refused, match="stale_button"):
        await fair.approve(held)
    pruned = await fair.database.write(lambda c: buttons.prune(c, fair.now, limit=100))
    assert pruned == 3
    with pytest.raises(Refused, match="stale_button"):
        await fair.approve(held)


async def test_an_author_is_to_be_told_of_what_concerns_them(fair: Fair) -> None:
    await fair.nominate(await fair.open(), 1)
    held = await fair.held()
    edited = await fair.reviews.edit(
        GUILD, held.tokens["edit"], reviewer(), fair.now, title="Red kite", url=LINK, why=""
    )
    back = await fair.reviews.send_back(
        GUILD, edited.tokens["send_back"], "Which wind?", reviewer(), fair.now
    )
    assert back.state == Returned(reviewer_id=reviewer().member_id, words="Which wind?")
    await fair.nominations.answer(back.id, 1, "A strong one.", fair.now)
    await fair.approve(await fair.held())
    words = await fair.database.read(lambda c: showcase_words.to_person(c, 1))
    history = await fair.database.read(lambda c: entries.history(c, back.id))
    assert [history[word.revision].event for word in words] == ["edit", "send_back", "complete"]


async def test_a_withdrawn_entry_leaves_its_reviewer_no_button(fair: Fair) -> None:
    await fair.nominate(await fair.open(), 1)
    held = await fair.held()
    await fair.nominations.withdraw(GUILD, held.entry.id, 1, fair.now)
    with pytest.raises(Refused, match="stale_button"):
        await fair.approve(held)
    with pytest.raises(Refused, match="entry_not_leased"):
        await fair.reviews.extend(GUILD, held.entry.id, reviewer(), fair.now)


async def test_before_a_form_is_shown_the_button_is_looked_at_and_not_used(fair: Fair) -> None:
    await fair.nominate(await fair.open(), 1)
    held = await fair.held()
    check, who = fair.reviews.check_can_decide, reviewer()
    token = held.tokens["approve"]
    for _ in range(2):
        assert await check(token, "approve", who.member_id, fair.now, actor=who) == held.entry
    with pytest.raises(Refused, match="stale_button"):
        await check(token, "edit", who.member_id, fair.now, actor=who)
    with pytest.raises(Refused, match="not_your_button"):
        await check(token, "approve", reviewer(1).member_id, fair.now, actor=reviewer(1))
    with pytest.raises(Refused, match="not_reviewer"):
        await check(token, "approve", who.member_id, fair.now, actor=replace(MEMBER, member_id=800))
    await fair.reviews.reclaim(GUILD, held.entry.id, ORGANIZER, fair.now)
    await fair.held(reviewer(1))
    with pytest.raises(Refused, match="lease_token_mismatch") as refused:
        await check(token, "approve", who.member_id, fair.now)
    assert refused.value.details["owner_name"] == "Rex 1"


async def test_whoever_opens_a_form_too_late_finds_the_entry_back_in_the_queue(fair: Fair) -> None:
    await fair.nominate(await fair.open(), 1)
    held = await fair.held()
    fair.now += LEASE
    woken = fair.woken
    with pytest.raises(Refused, match="lease_expired"):
        await fair.reviews.check_can_decide(
            held.tokens["edit"], "edit", reviewer().member_id, fair.now
        )
    assert (await fair.entry(held.entry.id)).state == Queued()
    assert fair.woken > woken


async def test_extending_twice_in_one_moment_is_extending_once(fair: Fair) -> None:
    await fair.nominate(await fair.open(), 1)
    held = await fair.held()
    again = await fair.reviews.extend(GUILD, held.entry.id, reviewer(), fair.now)
    assert again.entry == held.entry
    assert isinstance((await fair.approve(again)).state, Done)


async def test_only_what_may_be_chosen_is_suggested(fair: Fair) -> None:
    kites, boats = await fair.open(), await fair.open("Boats")
    suggesting = Suggesting(fair.database)
    assert await suggesting.to_review(GUILD, reviewer(), "") == (kites, boats)
    assert await suggesting.to_review(GUILD, ORGANIZER, "bOa") == (boats,)
    with pytest.raises(Refused, match="not_reviewer"):
        await suggesting.to_review(GUILD, MEMBER, "")
    await fair.nominate(kites, 1)
    await fair.nominate(kites, 2)
    held = (await fair.held()).entry
    assert await suggesting.to_reclaim(GUILD, ORGANIZER, "") == (held,)
    assert await suggesting.to_reclaim(GUILD, ORGANIZER, held.reference.lower()) == (held,)
    assert await suggesting.to_reclaim(GUILD, ORGANIZER, "boat") == ()
    with pytest.raises(Refused, match="not_organizer"):
        await suggesting.to_reclaim(GUILD, reviewer(), "")


async def test_an_answers_form_is_for_the_author_of_what_was_sent_back(fair: Fair) -> None:
    await fair.nominate(await fair.open(), 1)
    held = await fair.held()
    with pytest.raises(Refused, match="entry_not_returned"):
        await fair.nominations.to_answer(held.entry.id, 1)
    back = await fair.reviews.send_back(
        GUILD, held.tokens["send_back"], "Which wind?", reviewer(), fair.now
    )
    assert await fair.nominations.to_answer(back.id, 1) == back
    with pytest.raises(Refused, match="not_entry_author"):
        await fair.nominations.to_answer(back.id, 2)


async def test_a_press_in_a_dm_finds_its_guild(fair: Fair) -> None:
    await fair.nominate(await fair.open(), 1)
    held = await fair.held()
    assert await fair.reviews.guild_of_campaign(held.campaign.id) == GUILD
    assert await fair.reviews.entry(held.entry.id) == held.entry
    token, who = held.tokens["approve"], reviewer().member_id
    assert await fair.reviews.guild_behind(token, who, fair.now) == GUILD
    with pytest.raises(Refused, match="not_your_button"):
        await fair.reviews.guild_behind(token, 1, fair.now)


async def test_the_same_press_delivered_again_takes_no_second_entry(fair: Fair) -> None:
    campaign = await fair.open()
    await fair.nominate(campaign, 1)
    await fair.nominate(campaign, 2)

    async def press(interaction_id: int) -> Held:
        held = await fair.reviews.claim_next(
            GUILD, None, reviewer(), fair.now, interaction_id=interaction_id
        )
        assert held is not None
        return held

    first = await press(77)
    fair.now += 1000
    assert await press(77) == first
    assert await fair.counts(campaign) == {"queued": 1, "leased": 1}
    second = await press(770)
    assert second.entry.id != first.entry.id
    await fair.approve(first)
    await fair.approve(second)
