"""The table of a request's states and events, written down a second time."""

from dataclasses import FrozenInstanceError, fields, replace
from itertools import product
from typing import Any, get_args

import pytest

from domain import requests
from domain.errors import Refused
from domain.requests import (
    Active,
    Claim,
    Claimed,
    DeliveryDeferred,
    DeliveryFailed,
    DmOpened,
    Drop,
    Dropped,
    End,
    Event,
    Extend,
    HandOver,
    LeaseElapsed,
    NeedsReconcile,
    Opening,
    Queued,
    ReconciledAbsent,
    Release,
    Request,
    Resolve,
    Resolved,
    StartOpen,
    State,
    Take,
    Withdraw,
    Withdrawn,
    owner_of,
    transition,
)
from tests.domain.samples import (
    CONVERSATION,
    EVENTS,
    KEY,
    LATER,
    LEASE,
    MEMBER,
    NEW_KEY,
    OLD_KEY,
    OTHER,
    OWNER,
    STATES,
    in_state,
)

ACTIVE = Active(attempts=2, owner_id=OWNER, conversation_id=CONVERSATION)
UNASSIGNED = Active(attempts=2, owner_id=None, conversation_id=CONVERSATION)
IN_DOUBT = NeedsReconcile(attempts=2, owner_id=OWNER, delivery_key=KEY, reason="http_502")
TIMED_OUT = replace(IN_DOUBT, reason="delivery_outcome_unknown")
ENDED = Resolved(owner_id=OWNER, conversation_id=CONVERSATION, resolution="ended by the member")

# What each event of the samples makes of each state where it is allowed; everywhere else it isn't.
LEADS_TO: dict[tuple[str, str], State] = {
    ("queued", "claim"): Claimed(attempts=2, owner_id=OWNER, lease_until=LATER),
    ("claimed", "start_open"): Opening(
        attempts=3, owner_id=OWNER, delivery_key=NEW_KEY, lease_until=LATER
    ),
    ("opening", "delivery_deferred"): Opening(
        attempts=2, owner_id=OWNER, delivery_key=KEY, lease_until=LATER
    ),
    ("opening", "dm_opened"): ACTIVE,
    ("needs_reconcile", "dm_opened"): ACTIVE,
    ("opening", "delivery_failed"): Queued(attempts=2, last_problem="dms_closed"),
    ("opening", "delivery_failed_unknown"): IN_DOUBT,
    ("claimed", "lease_elapsed"): Queued(attempts=2),
    ("opening", "lease_elapsed"): TIMED_OUT,
    ("needs_reconcile", "reconciled_absent"): Queued(attempts=2),
    ("needs_reconcile", "drop"): Dropped(attempts=2, dropped_by=OTHER, reason="spam"),
    ("active", "resolve"): Resolved(
        owner_id=OWNER, conversation_id=CONVERSATION, resolution="Answered."
    ),
    ("active", "end"): ENDED,
    ("active_unassigned", "end"): replace(ENDED, owner_id=None),
    ("claimed", "release"): Queued(attempts=2),
    ("claimed", "extend"): Claimed(attempts=2, owner_id=OWNER, lease_until=LATER),
    ("active", "hand_over"): replace(ACTIVE, owner_id=OTHER),
    ("active", "unassign"): UNASSIGNED,
    ("active_unassigned", "unassign"): UNASSIGNED,
    ("active_unassigned", "take"): ACTIVE,
    ("queued", "withdraw"): Withdrawn(attempts=2),
    ("claimed", "withdraw"): Withdrawn(attempts=2),
    ("needs_reconcile", "withdraw"): Withdrawn(attempts=2),
}

REFUSED_WITH = {
    "claim": "request_not_available",
    "start_open": "claim_not_owned",
    "delivery_deferred": "stale_delivery_failure",
    "dm_opened": "stale_delivery_result",
    "delivery_failed": "stale_delivery_failure",
    "delivery_failed_unknown": "stale_delivery_failure",
    "lease_elapsed": "lease_not_elapsed",
    "reconciled_absent": "reconciliation_mismatch",
    "drop": "request_not_available",
    "resolve": "active_request_not_owned",
    "end": "active_request_not_owned",
    "release": "claim_not_owned",
    "extend": "claim_not_owned",
    "hand_over": "active_request_not_owned",
    "unassign": "active_request_not_owned",
    "take": "request_not_available",
    "withdraw": "request_not_available",
}


def refusal(request: Request, event: Event) -> Refused:
    with pytest.raises(Refused) as refused:
        transition(request, event)
    return refused.value


@pytest.mark.parametrize(("state", "event"), list(product(STATES, EVENTS)))
def test_an_event_is_allowed_exactly_where_the_table_says(state: str, event: str) -> None:
    before = in_state(state)
    expected = LEADS_TO.get((state, event))
    if expected is None:
        assert refusal(before, EVENTS[event]).code == REFUSED_WITH[event]
        assert before == in_state(state)
    else:
        assert transition(before, EVENTS[event]) == replace(before, revision=10, state=expected)


GUARDED: dict[str, tuple[str, Event, str]] = {
    "nobody claims their own request": (
        "queued",
        Claim(owner_id=MEMBER, lease_until=LATER),
        "own_request",
    ),
    "another coordinator doesn't open a claimed request": (
        "claimed",
        StartOpen(owner_id=OTHER, delivery_key=NEW_KEY, lease_until=LATER),
        "claim_not_owned",
    ),
    "a deferral of an old try": (
        "opening",
        DeliveryDeferred(delivery_key=OLD_KEY, lease_until=LATER),
        "stale_delivery_failure",
    ),
    "a success of an old try": (
        "opening",
        DmOpened(delivery_key=OLD_KEY, conversation_id=CONVERSATION),
        "stale_delivery_result",
    ),
    "a success of an old try while another is in doubt": (
        "needs_reconcile",
        DmOpened(delivery_key=OLD_KEY, conversation_id=CONVERSATION),
        "stale_delivery_result",
    ),
    "a failure of an old try": (
        "opening",
        DeliveryFailed(delivery_key=OLD_KEY, definitive=True, reason="dms_closed"),
        "stale_delivery_failure",
    ),
    "a doubt about an old try": (
        "opening",
        DeliveryFailed(delivery_key=OLD_KEY, definitive=False, reason="http_502"),
        "stale_delivery_failure",
    ),
    "a claim's lease a millisecond too early": (
        "claimed",
        LeaseElapsed(now=LEASE - 1),
        "lease_not_elapsed",
    ),
    "an opening's lease a millisecond too early": (
        "opening",
        LeaseElapsed(now=LEASE - 1),
        "lease_not_elapsed",
    ),
    "the absence of an old try": (
        "needs_reconcile",
        ReconciledAbsent(delivery_key=OLD_KEY),
        "reconciliation_mismatch",
    ),
    "another coordinator doesn't resolve": (
        "active",
        Resolve(owner_id=OTHER, resolution="Answered."),
        "active_request_not_owned",
    ),
    "another member doesn't end": ("active", End(member_id=OTHER), "active_request_not_owned"),
    "another coordinator doesn't give back": (
        "claimed",
        Release(owner_id=OTHER),
        "claim_not_owned",
    ),
    "another coordinator doesn't extend": (
        "claimed",
        Extend(owner_id=OTHER, lease_until=LATER),
        "claim_not_owned",
    ),
    "an extension that ends when the lease does": (
        "claimed",
        Extend(owner_id=OWNER, lease_until=LEASE),
        "claim_not_owned",
    ),
    "an extension that ends earlier": (
        "claimed",
        Extend(owner_id=OWNER, lease_until=LEASE - 1),
        "claim_not_owned",
    ),
    "a bystander doesn't hand over": (
        "active",
        HandOver(actor_id=OTHER, actor_is_organizer=False, to=OTHER),
        "active_request_not_owned",
    ),
    "nobody hands a request over to its own member": (
        "active",
        HandOver(actor_id=OWNER, actor_is_organizer=True, to=MEMBER),
        "own_request",
    ),
    "nobody takes their own request": ("active_unassigned", Take(owner_id=MEMBER), "own_request"),
    "another member doesn't withdraw": (
        "queued",
        Withdraw(member_id=OTHER),
        "request_not_available",
    ),
}


@pytest.mark.parametrize("case", GUARDED)
def test_an_event_whose_condition_does_not_hold_is_refused(case: str) -> None:
    state, event, code = GUARDED[case]
    assert refusal(in_state(state), event).code == code


def test_an_organizer_hands_over_what_they_do_not_own() -> None:
    event = HandOver(actor_id=OTHER, actor_is_organizer=True, to=OTHER)
    for state in ("active", "active_unassigned"):
        assert owner_of(transition(in_state(state), event).state) == OTHER


def test_the_loser_of_a_race_learns_who_owns_the_request() -> None:
    late = Claim(owner_id=OTHER, lease_until=LATER)
    assert refusal(in_state("claimed"), late).details == {"owner_id": OWNER}


def test_every_start_counts_as_an_attempt_and_nothing_else_does() -> None:
    def goes(request: Request, *events: Event) -> Request:
        for event in events:
            request = transition(request, event)
        return request

    claim, keys = Claim(owner_id=OWNER, lease_until=LATER), (KEY, NEW_KEY)
    first, second = (StartOpen(owner_id=OWNER, delivery_key=key, lease_until=LEASE) for key in keys)
    failed = DeliveryFailed(delivery_key=KEY, definitive=True, reason="dms_closed")
    request = goes(in_state("queued"), claim, first)
    assert request.state == Opening(attempts=3, owner_id=OWNER, delivery_key=KEY, lease_until=LEASE)
    deferred = DeliveryDeferred(delivery_key=KEY, lease_until=LATER)
    assert goes(request, deferred, failed).state == Queued(attempts=3, last_problem="dms_closed")
    again = goes(request, failed, claim, second)
    assert again.state == Opening(
        attempts=4, owner_id=OWNER, delivery_key=NEW_KEY, lease_until=LEASE
    )
    assert again.revision == in_state("queued").revision + 5


def test_the_problem_of_an_earlier_try_is_forgotten_once_somebody_claims() -> None:
    claimed = transition(in_state("queued"), EVENTS["claim"])
    released = transition(claimed, Release(owner_id=OWNER))
    assert released.state == Queued(attempts=2, last_problem=None)


def test_only_what_is_over_can_no_longer_change() -> None:
    alive = {state for state, _ in LEADS_TO}
    over = {name for name, state in STATES.items() if type(state) in requests.TERMINAL}
    assert over == {"resolved", "withdrawn", "dropped"} == set(STATES) - alive


def test_the_table_names_each_rows_targets_truly() -> None:
    seen: dict[tuple[type, type], set[type]] = {}
    for (state, event), after in LEADS_TO.items():
        key = (type(STATES[state]), type(EVENTS[event]))
        seen.setdefault(key, set()).add(type(after))
    assert seen == {(row.source, row.event): set(row.targets) for row in requests.TABLE}
    assert len(requests.TABLE) == len(seen)


def test_every_state_and_event_has_its_name() -> None:
    assert set(get_args(State)) == set(requests.STATE_NAMES)
    assert set(get_args(Event)) == set(requests.EVENT_NAMES)
    for names in (requests.STATE_NAMES, requests.EVENT_NAMES):
        assert len(set(names.values())) == len(names)
    assert {type(event) for event in EVENTS.values()} == set(requests.EVENT_NAMES)


# What a state may be built without: a try that has no problem, an owner that there isn't.
MAY_MISS = {("queued", "attempts"), ("queued", "last_problem")}


@pytest.mark.parametrize("name", STATES)
def test_a_state_with_a_field_missing_or_too_many_can_not_be_built(name: str) -> None:
    state = STATES[name]
    build: Any = type(state)
    values = {field.name: getattr(state, field.name) for field in fields(state)}
    assert build(**values) == state
    for missing in values:
        if (name, missing) not in MAY_MISS:
            with pytest.raises(TypeError):
                build(**{key: values[key] for key in values if key != missing})
    everything = {field.name for each in STATES.values() for field in fields(each)}
    for extra in everything - values.keys():
        with pytest.raises(TypeError):
            build(**values, **{extra: 1})


FROZEN = {"request": in_state("queued"), **STATES, **EVENTS}


@pytest.mark.parametrize("name", FROZEN)
def test_values_are_frozen(name: str) -> None:
    value = FROZEN[name]
    for field in fields(value):
        with pytest.raises(FrozenInstanceError):
            setattr(value, field.name, 1)
    with pytest.raises((AttributeError, TypeError)):
        setattr(value, "scribble", 1)  # noqa: B010 - mypy would refuse it, too


def test_a_refusal_that_nobody_has_a_word_for_can_not_be_raised() -> None:
    with pytest.raises(ValueError, match="no_such_code"):
        Refused("no_such_code")
    assert all(event.refused_with == Refused(event.refused_with).code for event in EVENTS.values())


def test_staff_may_give_up_what_nobody_could_settle() -> None:
    dropped = transition(in_state("needs_reconcile"), Drop(staff_id=OTHER, reason="gone"))
    assert dropped.state == Dropped(attempts=2, dropped_by=OTHER, reason="gone")
    assert owner_of(dropped.state) is None
