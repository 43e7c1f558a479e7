"""A request in each of its states, and each event as it is accepted there."""

from dataclasses import replace

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
    Route,
    StartOpen,
    State,
    Take,
    Unassign,
    Withdraw,
    Withdrawn,
)

MEMBER, OWNER, OTHER = 1, 2, 3
LEASE, LATER = 1_000_000, 2_000_000
KEY, OLD_KEY, NEW_KEY = "key-of-this-try-0001", "key-of-an-old-try-00", "key-of-a-new-try-001"
CONVERSATION = "conversation-0000001"

STATES: dict[str, State] = {
    "queued": Queued(attempts=2, last_problem="dms_closed"),
    "claimed": Claimed(attempts=2, owner_id=OWNER, lease_until=LEASE),
    "opening": Opening(attempts=2, owner_id=OWNER, delivery_key=KEY, lease_until=LEASE),
    "needs_reconcile": NeedsReconcile(
        attempts=2, owner_id=OWNER, delivery_key=KEY, reason="http_502"
    ),
    "active": Active(attempts=2, owner_id=OWNER, conversation_id=CONVERSATION),
    "active_unassigned": Active(attempts=2, owner_id=None, conversation_id=CONVERSATION),
    "resolved": Resolved(owner_id=OWNER, conversation_id=CONVERSATION, resolution="Answered."),
    "withdrawn": Withdrawn(attempts=2),
    "dropped": Dropped(attempts=2, dropped_by=OTHER, reason="spam"),
}

EVENTS: dict[str, Event] = {
    "claim": Claim(owner_id=OWNER, lease_until=LATER),
    "start_open": StartOpen(owner_id=OWNER, delivery_key=NEW_KEY, lease_until=LATER),
    "delivery_deferred": DeliveryDeferred(delivery_key=KEY, lease_until=LATER),
    "dm_opened": DmOpened(delivery_key=KEY, conversation_id=CONVERSATION),
    "delivery_failed": DeliveryFailed(delivery_key=KEY, definitive=True, reason="dms_closed"),
    "delivery_failed_unknown": DeliveryFailed(
        delivery_key=KEY, definitive=False, reason="http_502"
    ),
    "lease_elapsed": LeaseElapsed(now=LEASE),
    "reconciled_absent": ReconciledAbsent(delivery_key=KEY),
    "drop": Drop(staff_id=OTHER, reason="spam"),
    "resolve": Resolve(owner_id=OWNER, resolution="Answered."),
    "end": End(member_id=MEMBER),
    "release": Release(owner_id=OWNER),
    "extend": Extend(owner_id=OWNER, lease_until=LATER),
    "hand_over": HandOver(actor_id=OWNER, actor_is_organizer=False, to=OTHER),
    "unassign": Unassign(actor_id=OTHER),
    "take": Take(owner_id=OWNER),
    "withdraw": Withdraw(member_id=MEMBER),
}

QUEUED = Request(
    id=7,
    reference="K4X9P",
    guild_id=70,
    member_id=MEMBER,
    topic="Printer",
    details="It eats paper.",
    source_locale="en-GB",
    route=Route.DM,
    reopens=None,
    created_at=500_000,
    revision=0,
    state=Queued(attempts=0),
)


def in_state(name: str) -> Request:
    """The request in that state, some events on."""
    return replace(QUEUED, revision=9, state=STATES[name])
