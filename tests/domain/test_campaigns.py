"""The table of a campaign's states and events, written down a second time."""

from dataclasses import replace
from itertools import product

import pytest

from domain.campaigns import (
    SLUG_LIMIT,
    Accept,
    BeginDraining,
    Close,
    EditCampaign,
    Event,
    check_terms,
    slug_of,
    transition,
)
from domain.errors import Refused
from tests.domain.showcase_samples import (
    CAMPAIGN,
    CAMPAIGN_EVENTS,
    CAMPAIGN_STATES,
    LATER,
    NOW,
    campaign_in,
)

ALLOWED = {
    ("open", "edit_campaign"): "open",
    ("open", "accept"): "open",
    ("open", "begin_draining"): "draining",
    ("draining", "close"): "closed",
}
REFUSED = {
    "edit_campaign": "campaign_not_open",
    "accept": "campaign_not_open",
    "begin_draining": "campaign_not_open",
    "close": "campaign_not_draining",
}


@pytest.mark.parametrize(("state", "event"), list(product(CAMPAIGN_STATES, CAMPAIGN_EVENTS)))
def test_an_event_leads_where_the_table_says_or_is_refused(state: str, event: str) -> None:
    before = campaign_in(state)
    if (leads_to := ALLOWED.get((state, event))) is None:
        with pytest.raises(Refused) as refused:
            transition(before, CAMPAIGN_EVENTS[event])
        assert refused.value.code == REFUSED[event]
        return
    after = transition(before, CAMPAIGN_EVENTS[event])
    assert after.state_name == leads_to
    assert after.revision == before.revision + 1


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (Accept(now=LATER - 1), None),
        (Accept(now=LATER), "submission_deadline_passed"),
        (Accept(now=LATER + 1), "submission_deadline_passed"),
    ],
)
def test_the_deadline_itself_is_too_late(event: Event, code: str | None) -> None:
    assert _refusal(CAMPAIGN, event) == code


def test_the_last_place_is_given_once() -> None:
    full = transition(CAMPAIGN, Accept(now=NOW))
    assert (full.accepted_count, full.places_left) == (3, 0)
    assert _refusal(full, Accept(now=NOW)) == "campaign_at_capacity"


def test_a_campaign_that_is_full_and_over_is_over() -> None:
    full = replace(CAMPAIGN, accepted_count=CAMPAIGN.capacity)
    assert _refusal(full, Accept(now=LATER)) == "submission_deadline_passed"


def test_nothing_unfinished_is_closed_over() -> None:
    assert _refusal(campaign_in("draining"), Close(unfinished=1)) == "unfinished_entries"
    assert _refusal(campaign_in("open"), Close(unfinished=1)) == "campaign_not_draining"


@pytest.mark.parametrize(
    ("capacity", "accepted", "closes_at", "code"),
    [
        (1, 0, NOW + 1, None),
        (0, 0, NOW + 1, "invalid_capacity"),
        (-1, 0, NOW + 1, "invalid_capacity"),
        (2, 2, NOW + 1, None),
        (1, 2, NOW + 1, "invalid_capacity"),
        (1, 0, NOW, "invalid_deadline"),
        (1, 0, NOW - 1, "invalid_deadline"),
    ],
)
def test_the_terms_of_a_campaign_can_be_kept(
    capacity: int, accepted: int, closes_at: int, code: str | None
) -> None:
    refused = None
    try:
        check_terms(capacity=capacity, accepted_count=accepted, closes_at=closes_at, now=NOW)
    except Refused as refusal:
        refused = refusal.code
    assert refused == code
    edit = CAMPAIGN_EVENTS["edit_campaign"]
    assert isinstance(edit, EditCampaign)
    campaign = replace(CAMPAIGN, accepted_count=accepted)
    assert _refusal(campaign, replace(edit, capacity=capacity, closes_at=closes_at)) == code


def test_an_edit_changes_what_it_names_and_nothing_else() -> None:
    after = transition(CAMPAIGN, CAMPAIGN_EVENTS["edit_campaign"])
    assert after == replace(
        CAMPAIGN,
        name="Autumn show",
        slug="autumn-show",
        text="Something new.",
        channel_id=72,
        capacity=2,
        closes_at=NOW + 1,
        revision=5,
    )


def test_draining_leaves_every_promise_as_it_is() -> None:
    after = transition(CAMPAIGN, BeginDraining())
    assert after.accepted_count == CAMPAIGN.accepted_count


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Summer Show", "summer-show"),
        ("  Summer --- Show!  ", "summer-show"),
        ("Frühling & Größe", "fruhling-grosse"),
        ("夏の展覧会 2026", "夏の展覧会-2026"),
        ("snake_case", "snake-case"),
        ("⁂ ***", ""),
        ("\uff26ull", "full"),
        ("x" * 80, "x" * SLUG_LIMIT),
        ("x" * 49 + " y", "x" * 49),
    ],
)
def test_a_name_is_typed_as_letters_digits_and_hyphens(name: str, slug: str) -> None:
    assert slug_of(name) == slug
    assert slug_of(slug) == slug


def _refusal(campaign: object, event: Event) -> str | None:
    try:
        transition(campaign, event)  # type: ignore[arg-type]
    except Refused as refused:
        return refused.code
    return None
