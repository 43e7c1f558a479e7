"""The table of an entry's states and events, written down a second time."""

from dataclasses import fields, replace
from itertools import product

import pytest

from domain.entries import (
    Answer,
    Complete,
    Done,
    EditEntry,
    Entry,
    Event,
    ExtendLease,
    GiveUp,
    Lease,
    Leased,
    LeaseElapsed,
    Queued,
    Returned,
    SendBack,
    Withdraw,
    reviewer_of,
    transition,
)
from domain.errors import Refused
from tests.domain.showcase_samples import (
    AUTHOR,
    ENTRY,
    ENTRY_EVENTS,
    ENTRY_STATES,
    LATER,
    LEASE,
    LINK,
    NOW,
    OLD_TOKEN,
    OTHER,
    REVIEWER,
    TOKEN,
    entry_in,
)

ALLOWED = {
    ("queued", "lease"): "leased",
    ("leased", "complete"): "done",
    ("leased", "edit"): "leased",
    ("leased", "extend"): "leased",
    ("leased", "send_back"): "returned",
    ("leased", "give_up"): "queued",
    ("leased", "lease_elapsed"): "queued",
    ("leased", "reclaim"): "queued",
    ("returned", "answer"): "queued",
    ("queued", "withdraw"): "withdrawn",
    ("leased", "withdraw"): "withdrawn",
    ("returned", "withdraw"): "withdrawn",
    ("withdrawn", "withdraw"): "withdrawn",
}
REFUSED = {
    "lease": "invalid_lease",
    "complete": "entry_not_leased",
    "edit": "entry_not_leased",
    "extend": "entry_not_leased",
    "send_back": "entry_not_leased",
    "give_up": "entry_not_leased",
    "lease_elapsed": "lease_not_elapsed",
    "reclaim": "entry_not_leased",
    "answer": "entry_not_returned",
    "withdraw": "entry_already_completed",
}
WITH_A_TOKEN: dict[str, Complete | EditEntry | ExtendLease | SendBack | GiveUp] = {
    name: event
    for name, event in ENTRY_EVENTS.items()
    if isinstance(event, Complete | EditEntry | ExtendLease | SendBack | GiveUp)
}


@pytest.mark.parametrize(("state", "event"), list(product(ENTRY_STATES, ENTRY_EVENTS)))
def test_an_event_leads_where_the_table_says_or_is_refused(state: str, event: str) -> None:
    before = entry_in(state)
    if (leads_to := ALLOWED.get((state, event))) is None:
        assert refusal(before, ENTRY_EVENTS[event]) == REFUSED[event]
        return
    after = transition(before, ENTRY_EVENTS[event])
    assert after.state_name == leads_to
    assert after.revision == before.revision + (state != "withdrawn")


def test_withdrawing_again_changes_nothing() -> None:
    withdrawn = entry_in("withdrawn")
    assert transition(withdrawn, Withdraw(author_id=AUTHOR)) is withdrawn


@pytest.mark.parametrize("event", WITH_A_TOKEN)
@pytest.mark.parametrize("token", [OLD_TOKEN, "", TOKEN.upper()])
def test_another_token_opens_nothing(event: str, token: str) -> None:
    wrong = replace(WITH_A_TOKEN[event], token=token)
    assert refusal(entry_in("leased"), wrong) == "lease_token_mismatch"


@pytest.mark.parametrize("event", WITH_A_TOKEN)
def test_a_lease_lasts_until_its_end_and_not_a_moment_longer(event: str) -> None:
    leased = entry_in("leased")
    last, late = (replace(WITH_A_TOKEN[event], now=now) for now in (LEASE - 1, LEASE))
    assert refusal(leased, last) is None
    assert refusal(leased, late) == "lease_expired"


@pytest.mark.parametrize("event", WITH_A_TOKEN)
def test_whose_token_it_is_comes_before_how_late_it_is(event: str) -> None:
    late = replace(WITH_A_TOKEN[event], token=OLD_TOKEN, now=LATER)
    assert refusal(entry_in("leased"), late) == "lease_token_mismatch"


@pytest.mark.parametrize("blank", ["", " ", "\n\t "])
def test_a_review_says_something(blank: str) -> None:
    leased = entry_in("leased")
    assert refusal(leased, Complete(token=TOKEN, summary=blank, now=NOW)) == "empty_review"
    assert refusal(leased, SendBack(token=TOKEN, words=blank, now=NOW)) == "empty_review"
    late = Complete(token=TOKEN, summary=blank, now=LEASE)
    assert refusal(leased, late) == "lease_expired"


def test_nobody_reviews_their_own_entry() -> None:
    own = Lease(reviewer_id=AUTHOR, token=TOKEN, lease_until=LATER, now=NOW)
    assert refusal(ENTRY, own) == "invalid_lease"


@pytest.mark.parametrize("until", [NOW, NOW - 1])
def test_a_lease_that_is_over_before_it_begins_is_none(until: int) -> None:
    lease = Lease(reviewer_id=REVIEWER, token=TOKEN, lease_until=until, now=NOW)
    assert refusal(ENTRY, lease) == "invalid_lease"


@pytest.mark.parametrize("until", [LEASE, LEASE - 1])
def test_a_lease_is_only_ever_made_longer(until: int) -> None:
    extend = ExtendLease(token=TOKEN, lease_until=until, now=NOW)
    assert refusal(entry_in("leased"), extend) == "invalid_lease"


def test_a_lease_that_still_runs_is_not_taken_away() -> None:
    assert refusal(entry_in("leased"), LeaseElapsed(now=LEASE - 1)) == "lease_not_elapsed"


@pytest.mark.parametrize("state", ENTRY_STATES)
@pytest.mark.parametrize(
    "event", [Answer(author_id=OTHER, words="Mine."), Withdraw(author_id=OTHER)]
)
def test_a_stranger_learns_nothing_of_where_an_entry_stands(state: str, event: Event) -> None:
    assert refusal(entry_in(state), event) == "not_entry_author"


def test_an_edit_leaves_the_lease_as_it_is() -> None:
    before = entry_in("leased")
    after = transition(before, ENTRY_EVENTS["edit"])
    assert after == replace(before, title="Kite", url=LINK, why="", revision=7)


def test_an_answer_changes_what_it_names() -> None:
    before = entry_in("returned")
    after = transition(before, ENTRY_EVENTS["answer"])
    assert after == replace(before, title="A red kite", state=Queued(), revision=7)
    emptied = transition(before, Answer(author_id=AUTHOR, words="Nothing.", why=""))
    assert emptied.why == ""


def test_each_state_carries_what_means_something_in_it() -> None:
    carried = {
        name: {field.name for field in fields(state)} for name, state in ENTRY_STATES.items()
    }
    assert carried == {
        "queued": set(),
        "leased": {"reviewer_id", "token", "lease_until"},
        "returned": {"reviewer_id", "words"},
        "done": {"reviewer_id", "summary"},
        "withdrawn": set(),
    }


def test_who_reviews_it() -> None:
    assert reviewer_of(Queued()) is None
    held = Leased(reviewer_id=REVIEWER, token=TOKEN, lease_until=LEASE)
    for state in (held, Returned(reviewer_id=2, words="x"), Done(reviewer_id=2, summary="x")):
        assert reviewer_of(state) == REVIEWER


def refusal(entry: Entry, event: Event) -> str | None:
    try:
        transition(entry, event)
    except Refused as refused:
        return refused.code
    return None
