"""A request for help: its states, its events, and the one table that joins them.

`transition(request, event)` is the only way from one state to the next. An event that the table
does not allow raises `Refused` with the event's own code and changes nothing. Values are frozen;
time, ids and keys come in with the event.

A lease is a promise with an end: whoever holds one owns the request until `lease_until` (UTC
milliseconds). A delivery key names one try to open the member's DM; a result is believed only when
it carries the key of the try that is under way, so a late answer to an old try can't do harm.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, assert_never

from domain.errors import Refused
from domain.request_events import (
    EVENT_NAMES,
    Claim,
    DeliveryDeferred,
    DeliveryFailed,
    DmOpened,
    Drop,
    End,
    Event,
    Extend,
    HandOver,
    LeaseElapsed,
    ReconciledAbsent,
    Release,
    Resolve,
    StartOpen,
    Take,
    Unassign,
    Withdraw,
)

__all__ = [
    "ENDED_BY_MEMBER",
    "ERASED",
    "EVENT_NAMES",
    "OUTCOME_UNKNOWN",
    "STATE_NAMES",
    "TABLE",
    "TERMINAL",
    "Active",
    "Claim",
    "Claimed",
    "DeliveryDeferred",
    "DeliveryFailed",
    "DmOpened",
    "Drop",
    "Dropped",
    "End",
    "Event",
    "Extend",
    "HandOver",
    "LeaseElapsed",
    "NeedsReconcile",
    "Opening",
    "Queued",
    "ReconciledAbsent",
    "Release",
    "Request",
    "Resolve",
    "Resolved",
    "Route",
    "Row",
    "StartOpen",
    "State",
    "Take",
    "Unassign",
    "Withdraw",
    "Withdrawn",
    "owner_of",
    "transition",
]

OUTCOME_UNKNOWN: Final = "delivery_outcome_unknown"
ENDED_BY_MEMBER: Final = "ended by the member"
ERASED: Final = "(erased)"
"""Stands for a topic or a resolution that is kept no longer."""


class Route(StrEnum):
    """How the member is reached: their DM, or a private thread in the help channel."""

    DM = "dm"
    THREAD = "thread"


# States. Each carries only the fields that mean something in it.


@dataclass(frozen=True, slots=True, kw_only=True)
class Queued:
    attempts: int = 0
    last_problem: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    attempts: int
    owner_id: int
    lease_until: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    attempts: int
    owner_id: int
    delivery_key: str
    lease_until: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedsReconcile:
    attempts: int
    owner_id: int
    delivery_key: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Active:
    attempts: int
    owner_id: int | None
    conversation_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    owner_id: int | None
    conversation_id: str
    resolution: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawn:
    attempts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    attempts: int
    dropped_by: int
    reason: str


State = Queued | Claimed | Opening | NeedsReconcile | Active | Resolved | Withdrawn | Dropped

STATE_NAMES: Final[dict[type[State], str]] = {
    Queued: "queued",
    Claimed: "claimed",
    Opening: "opening",
    NeedsReconcile: "needs_reconcile",
    Active: "active",
    Resolved: "resolved",
    Withdrawn: "withdrawn",
    Dropped: "dropped",
}
TERMINAL: Final = frozenset({Resolved, Withdrawn, Dropped})


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request. `reference` is what people see; `revision` counts the events it has accepted."""

    id: int
    reference: str
    guild_id: int
    member_id: int
    topic: str
    details: str
    source_locale: str
    route: Route
    reopens: int | None
    created_at: int
    revision: int
    state: State

    @property
    def state_name(self) -> str:
        return STATE_NAMES[type(self.state)]


# What each row of the table does. A guard that does not hold raises the event's own refusal.


def _require(holds: bool, event: Event, **details: int | None) -> None:
    if not holds:
        raise Refused(event.refused_with, **details)


def _not_for_oneself(request: Request, staff_id: int) -> None:
    if staff_id == request.member_id:
        raise Refused("own_request")


def _claim(request: Request, state: Queued, event: Claim) -> State:
    _not_for_oneself(request, event.owner_id)
    return Claimed(attempts=state.attempts, owner_id=event.owner_id, lease_until=event.lease_until)


def _start_open(_: Request, state: Claimed, event: StartOpen) -> State:
    _require(state.owner_id == event.owner_id, event, owner_id=state.owner_id)
    return Opening(
        attempts=state.attempts + 1,
        owner_id=state.owner_id,
        delivery_key=event.delivery_key,
        lease_until=event.lease_until,
    )


def _deferred(_: Request, state: Opening, event: DeliveryDeferred) -> State:
    _require(state.delivery_key == event.delivery_key, event)
    return replace(state, lease_until=event.lease_until)


def _dm_opened(_: Request, state: Opening | NeedsReconcile, event: DmOpened) -> State:
    _require(state.delivery_key == event.delivery_key, event)
    return Active(
        attempts=state.attempts, owner_id=state.owner_id, conversation_id=event.conversation_id
    )


def _delivery_failed(_: Request, state: Opening, event: DeliveryFailed) -> State:
    _require(state.delivery_key == event.delivery_key, event)
    if event.definitive:
        return Queued(attempts=state.attempts, last_problem=event.reason)
    return NeedsReconcile(
        attempts=state.attempts,
        owner_id=state.owner_id,
        delivery_key=state.delivery_key,
        reason=event.reason,
    )


def _claim_elapsed(_: Request, state: Claimed, event: LeaseElapsed) -> State:
    _require(event.now >= state.lease_until, event)
    return Queued(attempts=state.attempts)


def _opening_elapsed(_: Request, state: Opening, event: LeaseElapsed) -> State:
    _require(event.now >= state.lease_until, event)
    return NeedsReconcile(
        attempts=state.attempts,
        owner_id=state.owner_id,
        delivery_key=state.delivery_key,
        reason=OUTCOME_UNKNOWN,
    )


def _absent(_: Request, state: NeedsReconcile, event: ReconciledAbsent) -> State:
    _require(state.delivery_key == event.delivery_key, event)
    return Queued(attempts=state.attempts, last_problem=event.problem)


def _drop(_: Request, state: NeedsReconcile, event: Drop) -> State:
    return Dropped(attempts=state.attempts, dropped_by=event.staff_id, reason=event.reason)


def _resolve(_: Request, state: Active, event: Resolve) -> State:
    _require(state.owner_id == event.owner_id, event, owner_id=state.owner_id)
    return Resolved(
        owner_id=state.owner_id,
        conversation_id=state.conversation_id,
        resolution=event.resolution,
    )


def _end(request: Request, state: Active, event: End) -> State:
    _require(request.member_id == event.member_id, event)
    return Resolved(
        owner_id=state.owner_id,
        conversation_id=state.conversation_id,
        resolution=ENDED_BY_MEMBER,
    )


def _release(_: Request, state: Claimed, event: Release) -> State:
    _require(state.owner_id == event.owner_id, event, owner_id=state.owner_id)
    return Queued(attempts=state.attempts)


def _extend(_: Request, state: Claimed, event: Extend) -> State:
    _require(state.owner_id == event.owner_id, event, owner_id=state.owner_id)
    _require(event.lease_until > state.lease_until, event, owner_id=state.owner_id)
    return replace(state, lease_until=event.lease_until)


def _hand_over(request: Request, state: Active, event: HandOver) -> State:
    allowed = event.actor_is_organizer or state.owner_id == event.actor_id
    _require(allowed, event, owner_id=state.owner_id)
    _not_for_oneself(request, event.to)
    return replace(state, owner_id=event.to)


def _unassign(_: Request, state: Active, __: Unassign) -> State:
    return replace(state, owner_id=None)


def _take(request: Request, state: Active, event: Take) -> State:
    _require(state.owner_id is None, event, owner_id=state.owner_id)
    _not_for_oneself(request, event.owner_id)
    return replace(state, owner_id=event.owner_id)


def _withdraw(request: Request, state: Queued | Claimed | NeedsReconcile, event: Withdraw) -> State:
    _require(request.member_id == event.member_id, event)
    return Withdrawn(attempts=state.attempts)


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table: where an event is allowed, where it may lead, and on what condition."""

    source: type[State]
    event: type[Event]
    targets: tuple[type[State], ...]
    guard: str
    apply: Callable[[Request, Any, Any], State]


TABLE: Final = (
    Row(Queued, Claim, (Claimed,), "not the member", _claim),
    Row(Claimed, StartOpen, (Opening,), "same owner", _start_open),
    Row(Opening, DeliveryDeferred, (Opening,), "same key", _deferred),
    Row(Opening, DmOpened, (Active,), "same key", _dm_opened),
    Row(NeedsReconcile, DmOpened, (Active,), "same key", _dm_opened),
    Row(Opening, DeliveryFailed, (Queued, NeedsReconcile), "same key", _delivery_failed),
    Row(Claimed, LeaseElapsed, (Queued,), "lease run out", _claim_elapsed),
    Row(Opening, LeaseElapsed, (NeedsReconcile,), "lease run out", _opening_elapsed),
    Row(NeedsReconcile, ReconciledAbsent, (Queued,), "same key", _absent),
    Row(NeedsReconcile, Drop, (Dropped,), "staff", _drop),
    Row(Active, Resolve, (Resolved,), "same owner", _resolve),
    Row(Active, End, (Resolved,), "the member", _end),
    Row(Claimed, Release, (Queued,), "same owner", _release),
    Row(Claimed, Extend, (Claimed,), "same owner, later", _extend),
    Row(Active, HandOver, (Active,), "the owner or an organizer", _hand_over),
    Row(Active, Unassign, (Active,), "", _unassign),
    Row(Active, Take, (Active,), "no owner, not the member", _take),
    Row(Queued, Withdraw, (Withdrawn,), "the member", _withdraw),
    Row(Claimed, Withdraw, (Withdrawn,), "the member", _withdraw),
    Row(NeedsReconcile, Withdraw, (Withdrawn,), "the member", _withdraw),
)

_RULES: Final = {(row.source, row.event): row for row in TABLE}


def transition(request: Request, event: Event) -> Request:
    """The request after `event`, its revision one higher.

    Raises `Refused` when the table has no such row, or the row's condition does not hold.
    """
    row = _RULES.get((type(request.state), type(event)))
    if row is None:
        raise Refused(event.refused_with, owner_id=owner_of(request.state))
    state = row.apply(request, request.state, event)
    return replace(request, state=state, revision=request.revision + 1)


def owner_of(state: State) -> int | None:
    """The coordinator who owns a request in `state`, or None where nobody does."""
    match state:
        case Claimed() | Opening() | NeedsReconcile() | Active() | Resolved():
            return state.owner_id
        case Queued() | Withdrawn() | Dropped():
            return None
        case _:
            assert_never(state)
