"""Reviewers take, decide, hold for longer and give back: on cards that they alone see."""

from typing import Any

import pytest

from bot.services.showcase import USUAL
from bot.words.sentences import say
from domain.entries import Done, Leased, Queued, Returned
from tests.cogs.conftest import Scene
from tests.cogs.fairground import Fairground, button, opened
from tests.cogs.people import labels, press, press_together, shown, submit

STALE = say("en", "refused.stale_button")
LEASE = USUAL.review_lease_ms
DECISIONS = ["Approve", "Edit", "Send back"]


@pytest.fixture
async def fair(scene: Scene) -> Fairground:
    """One open campaign, and nothing entered."""
    return await Fairground.begin(scene)


async def test_the_whole_life_of_an_entry(fair: Fairground) -> None:
    await fair.nominate(fair.scene.ada)
    card = await fair.take(fair.rex)
    assert card.ephemeral
    assert labels(card) == ["Approve", "Edit", "Send back", "Extend", "Give back"]
    assert "Red kite" in shown(card)
    assert "It flies." in shown(card)
    assert "https://example.org/kite" in shown(card)

    asked = await fair.rex.click(card.response, label="Send back")
    assert [row["component"]["custom_id"] for row in asked.modal["components"]] == ["words"]
    back = await fair.rex.submit_modal(asked, {"words": "Which wind?"})
    assert "back with its author" in shown(back)
    assert (await fair.entry()).state == Returned(reviewer_id=fair.rex.id, words="Which wind?")

    answered = await fair.send(fair.scene.ada, "answer-entry:1", words="A strong one.")
    assert "waits for a reviewer again" in shown(answered)

    again = await fair.rita.slash(fair.scene.general, "review next", campaign="kites")
    assert "Which wind?" in shown(again)
    assert "A strong one." in shown(again)
    form = await fair.rita.click(again.response, label="Edit")
    values = {
        row["component"]["custom_id"]: row["component"]["value"] for row in form.modal["components"]
    }
    assert values == {"title": "Red kite", "url": "https://example.org/kite", "why": "It flies."}
    edited = await fair.rita.submit_modal(form, values | {"title": "A red kite"})
    assert "put right" in shown(edited)
    assert labels(edited)[:3] == DECISIONS

    form = await fair.rita.click(edited.response, label="Approve")
    done = await fair.rita.submit_modal(form, {"summary": "Flies well."})
    assert "is done" in shown(done)
    entry = await fair.entry()
    assert entry.title == "A red kite"
    assert entry.state == Done(reviewer_id=fair.rita.id, summary="Flies well.")


async def test_from_one_decision_a_reviewer_goes_on_to_the_next_entry(fair: Fairground) -> None:
    await fair.nominate(fair.scene.ada, "One")
    await fair.nominate(fair.scene.ben, "Two")
    card = await fair.take(fair.rex)
    form = await fair.rex.click(card.response, label="Approve")
    done = await fair.rex.submit_modal(form, {"summary": "Good."})
    following = await fair.rex.click(done.response, label="Review next")
    assert "Two" in shown(following)


async def test_a_decision_takes_the_place_of_the_card_and_a_refusal_does_not(
    fair: Fairground,
) -> None:
    await fair.nominate(fair.scene.ada)
    card = await fair.take(fair.rex)
    form = await fair.rex.click(card.response, label="Approve")
    refused = await fair.rex.submit_modal(form, {"summary": "\u200b"})
    assert "no readable text" in shown(refused)
    assert refused.response.id != card.response.id
    form = await fair.rex.click(card.response, label="Approve")
    done = await fair.rex.submit_modal(form, {"summary": "Good."})
    assert done.response.id == card.response.id
    assert labels(done) == ["Review next"]


@pytest.mark.parametrize("command", ["review next", "review mine"])
async def test_only_reviewers_review(fair: Fairground, command: str) -> None:
    await fair.nominate(fair.scene.ben)
    refused = await fair.scene.ada.slash(fair.scene.general, command)
    assert "Only reviewers" in shown(refused)
    assert "Only reviewers" in shown(await fair.take(fair.scene.ada))
    assert await fair.state() == "queued"


async def test_before_a_role_for_reviewers_is_named_it_is_said_how(scene: Scene) -> None:
    await scene.set_up()
    refused = await scene.ada.slash(scene.general, "review next")
    assert "no role for reviewers" in shown(refused)


async def test_nobody_reviews_their_own_entry(fair: Fairground) -> None:
    await fair.nominate(fair.rex)
    for given in (
        await fair.take(fair.rex),
        await fair.rex.slash(fair.scene.general, "review next"),
    ):
        assert "Nothing waits that you may review" in shown(given)
    assert await fair.state() == "queued"
    assert "Red kite" in shown(await fair.take(fair.rita))


async def test_two_who_press_at_the_same_moment_hold_two_entries(fair: Fairground) -> None:
    await fair.nominate(fair.scene.ada, "One")
    await fair.nominate(fair.scene.ben, "Two")
    people = [fair.rex, fair.rita]
    answers = await press_together(fair.scene, people, f"review:{fair.campaign.id}")
    holders = []
    for entry_id in (1, 2):
        state = (await fair.entry(entry_id)).state
        assert isinstance(state, Leased)
        holders.append(state.reviewer_id)
    assert sorted(holders) == sorted(who.id for who in people)
    assert {("One" in shown(one), "Two" in shown(one)) for one in answers} == {
        (True, False),
        (False, True),
    }


async def test_a_press_delivered_twice_takes_one_entry_and_its_card_works(fair: Fairground) -> None:
    await fair.nominate(fair.scene.ada)
    await fair.nominate(fair.scene.ben)
    card = await press(fair.scene, fair.rex, f"review:{fair.campaign.id}", times=2)
    assert [await fair.state(1), await fair.state(2)] == ["leased", "queued"]
    assert "is done" in shown(await fair.send(fair.rex, button(card, "Approve"), summary="Good."))


async def test_a_late_token_changes_nothing_when_somebody_else_has_the_entry(
    fair: Fairground,
) -> None:
    await fair.nominate(fair.scene.ada)
    late = await fair.take(fair.rex)
    await fair.scene.owner.slash(
        fair.scene.general, "review reclaim", entry=(await fair.entry()).reference
    )
    await fair.take(fair.rita)
    for label in DECISIONS:
        assert "rita is reviewing" in shown(await press(fair.scene, fair.rex, button(late, label)))
    for label in ("Extend", "Give back"):
        assert "rita is reviewing" in shown(await press(fair.scene, fair.rex, button(late, label)))
    sent = await fair.send(fair.rex, button(late, "Approve"), summary="My long review")
    assert "rita is reviewing" in shown(sent)
    assert "My long review" in shown(sent)
    state = (await fair.entry()).state
    assert isinstance(state, Leased)
    assert state.reviewer_id == fair.rita.id


async def test_who_holds_it_anew_has_new_buttons_and_the_old_ones_say_so(fair: Fairground) -> None:
    await fair.nominate(fair.scene.ada)
    first = await fair.take(fair.rex)
    await press(fair.scene, fair.rex, button(first, "Give back"))
    second = await fair.take(fair.rex)
    sent = await fair.send(fair.rex, button(first, "Approve"), summary="Twice mine")
    assert STALE in shown(sent)
    assert "Twice mine" in shown(sent)
    assert await fair.state() == "leased"
    assert "is done" in shown(await fair.send(fair.rex, button(second, "Approve"), summary="Good."))


@pytest.mark.parametrize("label", [*DECISIONS, "Extend", "Give back"])
async def test_an_expired_lease_puts_the_entry_back_and_says_so(
    fair: Fairground, label: str
) -> None:
    await fair.nominate(fair.scene.ada)
    card = await fair.take(fair.rex)
    fair.scene.clock.advance(LEASE)
    said = await press(fair.scene, fair.rex, button(card, label))
    assert "had run out" in shown(said)
    assert (await fair.entry()).state == Queued()


@pytest.mark.parametrize(
    ("label", "typed"),
    [
        ("Approve", {"summary": "My long review"}),
        ("Send back", {"words": "My long question"}),
        ("Edit", {"title": "My title", "url": "https://example.org", "why": "My long reason"}),
    ],
)
async def test_a_form_sent_in_too_late_gives_back_what_was_typed(
    fair: Fairground, label: str, typed: dict[str, str]
) -> None:
    await fair.nominate(fair.scene.ada)
    card = await fair.take(fair.rex)
    form = await fair.rex.click(card.response, label=label)
    fair.scene.clock.advance(LEASE)
    said = shown(await fair.rex.submit_modal(form, typed))
    assert "had run out" in said
    assert all(words.replace("https://", "") in said for words in typed.values())
    assert (await fair.entry()).state == Queued()
    assert (await fair.entry()).title == "Red kite"


@pytest.mark.parametrize("typed", [{"title": "\u200b"}, {"url": "ftp://example.org"}])
async def test_an_edit_that_cannot_be_taken_leaves_the_card_in_use(
    fair: Fairground, typed: dict[str, str]
) -> None:
    await fair.nominate(fair.scene.ada)
    card = await fair.take(fair.rex)
    given = {"title": "T", "url": "https://example.org", "why": "My long reason"} | typed
    said = shown(await fair.send(fair.rex, button(card, "Edit"), **given))
    assert "My long reason" in said
    assert (await fair.entry()).title == "Red kite"
    assert "put right" in shown(
        await fair.send(fair.rex, button(card, "Edit"), title="T", url="https://e.org", why="")
    )


async def test_somebody_elses_buttons_and_forms_are_theirs_alone(fair: Fairground) -> None:
    await fair.nominate(fair.scene.ada)
    card = await fair.take(fair.rex)
    for label in DECISIONS:
        said = shown(await press(fair.scene, fair.rita, button(card, label)))
        assert "somebody else's" in said
    said = shown(await fair.send(fair.rita, button(card, "Approve"), summary="Mine now"))
    assert "somebody else's" in said
    assert await fair.state() == "leased"
    assert "is done" in shown(await fair.send(fair.rex, button(card, "Approve"), summary="Good."))


@pytest.mark.parametrize(
    "prefix",
    ["approve", "edit-entry", "send-back", "review", "review-extend", "review-back", "review-show"],
)
async def test_forged_buttons_and_forms_change_nothing(fair: Fairground, prefix: str) -> None:
    await fair.nominate(fair.scene.ada)
    await fair.take(fair.rex)
    before = await fair.entry()
    for argument in ("", "x", "1", "0", "9" * 30, "' OR 1=1", "a:b:c"):
        custom_id = f"{prefix}:{argument}"
        assert shown(await press(fair.scene, fair.rita, custom_id))
        assert shown(await submit(fair.scene, fair.rita, custom_id, {"summary": "x", "words": "x"}))
    assert await fair.entry() == before


async def test_one_decisions_token_is_no_other_decisions(fair: Fairground) -> None:
    await fair.nominate(fair.scene.ada)
    card = await fair.take(fair.rex)
    token = button(card, "Edit").partition(":")[2]
    said = await fair.send(fair.rex, f"approve:{token}", summary="Good.")
    assert "Good." in shown(said)
    assert await fair.state() == "leased"


async def test_a_form_sent_in_twice_or_delivered_twice_decides_once(fair: Fairground) -> None:
    await fair.nominate(fair.scene.ada)
    card = await fair.take(fair.rex)
    approve = button(card, "Approve")
    await submit(fair.scene, fair.rex, approve, {"summary": "Good."}, times=2)
    said = shown(await fair.send(fair.rex, approve, summary="Better."))
    assert "answered already" in said
    assert "Better." in said
    entry = await fair.entry()
    assert (entry.state, entry.revision) == (Done(reviewer_id=fair.rex.id, summary="Good."), 2)


@pytest.mark.parametrize("label", ["Extend", "Give back"])
async def test_extending_and_giving_back_twice_are_once(fair: Fairground, label: str) -> None:
    await fair.nominate(fair.scene.ada)
    card = await fair.take(fair.rex)
    fair.scene.clock.advance(60_000)
    for _ in range(2):
        assert shown(await press(fair.scene, fair.rex, button(card, label)))
    assert (await fair.entry()).revision == 2


async def test_a_role_taken_away_between_the_card_and_the_press_counts(fair: Fairground) -> None:
    await fair.nominate(fair.scene.ada)
    card = await fair.take(fair.rex)
    form = await fair.rex.click(card.response, label="Approve")
    fair.scene.env.backend.remove_member_role(fair.scene.guild.id, fair.rex.id, fair.reviewers.id)
    sent = await fair.rex.submit_modal(form, {"summary": "My long review"})
    assert "Only reviewers" in shown(sent)
    assert "My long review" in shown(sent)
    for label in [*DECISIONS, "Extend", "Give back"]:
        assert "Only reviewers" in shown(await press(fair.scene, fair.rex, button(card, label)))
    assert await fair.state() == "leased"


async def test_extending_renews_the_card_where_it_stands(fair: Fairground) -> None:
    await fair.nominate(fair.scene.ada)
    card = await fair.take(fair.rex)
    fair.scene.clock.advance(LEASE - 1000)
    extended = await fair.rex.click(card.response, label="Extend")
    assert "is yours until" in shown(extended)
    assert extended.response.id == card.response.id
    fair.scene.clock.advance(2000)
    form = await fair.rex.click(extended.response, label="Approve")
    assert "is done" in shown(await fair.rex.submit_modal(form, {"summary": "Good."}))


async def test_what_a_reviewer_holds_is_listed_and_each_card_is_a_press_away(
    fair: Fairground,
) -> None:
    assert "hold nothing" in shown(await fair.rex.slash(fair.scene.general, "review mine"))
    await fair.nominate(fair.scene.ada)
    old = await fair.take(fair.rex)
    mine = await fair.rex.slash(fair.scene.general, "review mine")
    card = await fair.rex.click(mine.response, label=(await fair.entry()).reference)
    assert labels(card)[:3] == DECISIONS
    said = shown(await fair.send(fair.rex, button(old, "Approve"), summary="From the old card"))
    assert "From the old card" in said
    assert await fair.state() == "leased"
    assert "is done" in shown(await fair.send(fair.rex, button(card, "Approve"), summary="Good."))


async def test_a_card_is_shown_to_its_holder_alone(fair: Fairground) -> None:
    await fair.nominate(fair.scene.ada)
    await fair.take(fair.rex)
    said = shown(await press(fair.scene, fair.rita, "review-show:1"))
    assert "rex is reviewing" in said
    assert "It flies." not in said


async def test_an_organizer_reclaims_what_is_stuck_and_nobody_else_does(fair: Fairground) -> None:
    await fair.nominate(fair.scene.ada)
    await fair.take(fair.rex)
    reference = (await fair.entry()).reference
    refused = await fair.rita.slash(fair.scene.general, "review reclaim", entry=reference)
    assert "organizer" in shown(refused).lower()
    assert await fair.state() == "leased"
    done = await fair.scene.owner.slash(
        fair.scene.general, "review reclaim", entry=reference.lower()
    )
    assert "waits in the queue again" in shown(done)
    assert await fair.state() == "queued"
    again = await fair.scene.owner.slash(fair.scene.general, "review reclaim", entry=reference)
    assert "Nobody is reviewing" in shown(again)


async def test_one_campaign_is_reviewed_or_any(fair: Fairground) -> None:
    await fair.nominate(fair.scene.ada)
    boats = await opened(fair.scene, "Boats")
    await fair.nominate(fair.scene.ada, "Tall ship", campaign_id=boats.id, source="i:9")
    ship = await fair.rex.slash(fair.scene.general, "review next", campaign="Boats")
    assert "Tall ship" in shown(ship)
    none = await fair.rex.slash(fair.scene.general, "review next", campaign="boats")
    assert "Nothing waits" in shown(none)
    assert "Red kite" in shown(await fair.rex.slash(fair.scene.general, "review next"))
    unknown = await fair.rex.slash(fair.scene.general, "review next", campaign="` @everyone")
    assert "no such campaign" in shown(unknown)


async def test_campaigns_and_entries_are_suggested_to_those_who_may_use_them(
    fair: Fairground,
) -> None:
    general = fair.scene.general

    async def suggested(who: Any, command: str, option: str, typed: str = "") -> list[str]:
        choices = await who.autocomplete(general, command, option, typed)
        return [choice["value"] for choice in choices]

    assert await suggested(fair.rex, "review next", "campaign", "KI") == ["kites"]
    assert await suggested(fair.scene.ada, "review next", "campaign") == []
    await fair.nominate(fair.scene.ada)
    assert await suggested(fair.scene.owner, "review reclaim", "entry") == []
    await fair.take(fair.rex)
    reference = (await fair.entry()).reference
    assert await suggested(fair.scene.owner, "review reclaim", "entry", "kite") == [reference]
    assert await suggested(fair.rex, "review reclaim", "entry") == []


async def test_the_words_in_a_reviewers_dm_have_buttons_that_work(fair: Fairground) -> None:
    await fair.nominate(fair.scene.ada)
    await fair.take(fair.rex)
    fair.scene.clock.advance(LEASE - 1000)
    card = await press(fair.scene, fair.rex, "review-extend:1", in_dm=True)
    assert "is yours until" in shown(card)
    assert labels(card)[:3] == DECISIONS
    form = await press(fair.scene, fair.rex, button(card, "Approve"), in_dm=True)
    assert form.modal is not None
    done = await submit(
        fair.scene, fair.rex, button(card, "Approve"), {"summary": "Good."}, in_dm=True
    )
    assert "is done" in shown(done)
    following = await press(fair.scene, fair.rex, button(done, "Review next"), in_dm=True)
    assert "Nothing waits" in shown(following)


async def test_in_a_dm_the_roles_are_asked_of_discord(fair: Fairground) -> None:
    await fair.nominate(fair.scene.ada)
    card = await fair.take(fair.rex)
    fair.scene.env.backend.remove_member_role(fair.scene.guild.id, fair.rex.id, fair.reviewers.id)
    presses = ["review-extend:1", "review-back:1", "review-show:1", f"review:{fair.campaign.id}"]
    for custom_id in presses:
        said = shown(await press(fair.scene, fair.rex, custom_id, in_dm=True))
        assert "Only reviewers" in said
    sent = await submit(
        fair.scene, fair.rex, button(card, "Approve"), {"summary": "Mine"}, in_dm=True
    )
    assert "Only reviewers" in shown(sent)
    assert "Mine" in shown(sent)
    assert await fair.state() == "leased"
