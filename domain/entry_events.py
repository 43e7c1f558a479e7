"""What can happen to an entry of a campaign.

`refused_with` is what a person is told where `domain.entries.TABLE` has no row for the state.
"""

from dataclasses import dataclass
from typing import ClassVar, Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """A reviewer takes it, under a fresh token."""

    refused_with: ClassVar[str] = "invalid_lease"
    reviewer_id: int
    token: str
    lease_until: int
    now: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Complete:
    refused_with: ClassVar[str] = "entry_not_leased"
    token: str
    summary: str
    now: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EditEntry:
    refused_with: ClassVar[str] = "entry_not_leased"
    token: str
    title: str
    url: str
    why: str
    now: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtendLease:
    refused_with: ClassVar[str] = "entry_not_leased"
    token: str
    lease_until: int
    now: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SendBack:
    refused_with: ClassVar[str] = "entry_not_leased"
    token: str
    words: str
    now: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveUp:
    refused_with: ClassVar[str] = "entry_not_leased"
    token: str
    now: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaseElapsed:
    refused_with: ClassVar[str] = "lease_not_elapsed"
    now: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reclaim:
    """An organizer gives a stuck lease back."""

    refused_with: ClassVar[str] = "entry_not_leased"
    organizer_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The author answers what it was sent back with; None leaves as it is what it stands for."""

    refused_with: ClassVar[str] = "entry_not_returned"
    author_id: int
    words: str
    title: str | None = None
    url: str | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdraw:
    refused_with: ClassVar[str] = "entry_already_completed"
    author_id: int


Event = (
    Lease
    | Complete
    | EditEntry
    | ExtendLease
    | SendBack
    | GiveUp
    | LeaseElapsed
    | Reclaim
    | Answer
    | Withdraw
)

EVENT_NAMES: Final[dict[type[Event], str]] = {
    Lease: "lease",
    Complete: "complete",
    EditEntry: "edit",
    ExtendLease: "extend",
    SendBack: "send_back",
    GiveUp: "give_up",
    LeaseElapsed: "lease_elapsed",
    Reclaim: "reclaim",
    Answer: "answer",
    Withdraw: "withdraw",
}
