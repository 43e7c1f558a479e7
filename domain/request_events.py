"""What can happen to a request.

`refused_with` is what a person is told where `domain.requests.TABLE` has no row for the state.
"""

from dataclasses import dataclass
from typing import ClassVar, Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    refused_with: ClassVar[str] = "request_not_available"
    owner_id: int
    lease_until: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StartOpen:
    refused_with: ClassVar[str] = "claim_not_owned"
    owner_id: int
    delivery_key: str
    lease_until: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryDeferred:
    """The try is known not to have been done (a 429, say): same key, a new lease."""

    refused_with: ClassVar[str] = "stale_delivery_failure"
    delivery_key: str
    lease_until: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DmOpened:
    refused_with: ClassVar[str] = "stale_delivery_result"
    delivery_key: str
    conversation_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryFailed:
    """The try ended without a message (`definitive`), or nobody knows how it ended."""

    refused_with: ClassVar[str] = "stale_delivery_failure"
    delivery_key: str
    definitive: bool
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaseElapsed:
    refused_with: ClassVar[str] = "lease_not_elapsed"
    now: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReconciledAbsent:
    """There is no message. `problem`: because a call in doubt was refused after all, and why."""

    refused_with: ClassVar[str] = "reconciliation_mismatch"
    delivery_key: str
    problem: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    refused_with: ClassVar[str] = "request_not_available"
    staff_id: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolve:
    refused_with: ClassVar[str] = "active_request_not_owned"
    owner_id: int
    resolution: str


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    refused_with: ClassVar[str] = "active_request_not_owned"
    member_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    refused_with: ClassVar[str] = "claim_not_owned"
    owner_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Extend:
    refused_with: ClassVar[str] = "claim_not_owned"
    owner_id: int
    lease_until: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOver:
    refused_with: ClassVar[str] = "active_request_not_owned"
    actor_id: int
    actor_is_organizer: bool
    to: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Unassign:
    refused_with: ClassVar[str] = "active_request_not_owned"
    actor_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Take:
    refused_with: ClassVar[str] = "request_not_available"
    owner_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdraw:
    refused_with: ClassVar[str] = "request_not_available"
    member_id: int


Event = (
    Claim
    | StartOpen
    | DeliveryDeferred
    | DmOpened
    | DeliveryFailed
    | LeaseElapsed
    | ReconciledAbsent
    | Drop
    | Resolve
    | End
    | Release
    | Extend
    | HandOver
    | Unassign
    | Take
    | Withdraw
)

EVENT_NAMES: Final[dict[type[Event], str]] = {
    Claim: "claim",
    StartOpen: "start_open",
    DeliveryDeferred: "delivery_deferred",
    DmOpened: "dm_opened",
    DeliveryFailed: "delivery_failed",
    LeaseElapsed: "lease_elapsed",
    ReconciledAbsent: "reconciled_absent",
    Drop: "drop",
    Resolve: "resolve",
    End: "end",
    Release: "release",
    Extend: "extend",
    HandOver: "hand_over",
    Unassign: "unassign",
    Take: "take",
    Withdraw: "withdraw",
}
