"""An entry of a campaign: its states, its events, and the one table that joins them.

`transition(entry, event)` is the only way from one state to the next. An event that the table does
not allow raises `Refused` and changes nothing. Values are frozen; time and tokens come in with the
event.

A reviewer holds an entry under a lease: until `lease_until` (UTC milliseconds), and with a token
that is made anew at each claim. So a late reviewer never completes what somebody else holds now,
and not even what they hold again themselves.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from domain.entry_events import (
    EVENT_NAMES,
    Answer,
    Complete,
    EditEntry,
    Event,
    ExtendLease,
    GiveUp,
    Lease,
    LeaseElapsed,
    Reclaim,
    SendBack,
    Withdraw,
)
from domain.errors import Refused

__all__ = [
    "EVENT_NAMES",
    "STATE_NAMES",
    "TABLE",
    "TERMINAL",
    "UNFINISHED",
    "Answer",
    "Complete",
    "Done",
    "EditEntry",
    "Entry",
    "Event",
    "ExtendLease",
    "GiveUp",
    "Lease",
    "LeaseElapsed",
    "Leased",
    "Queued",
    "Reclaim",
    "Returned",
    "Row",
    "SendBack",
    "State",
    "Withdraw",
    "Withdrawn",
    "reviewer_of",
    "transition",
]


# States. Each carries only the fields that mean something in it.


@dataclass(frozen=True, slots=True, kw_only=True)
class Queued:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Leased:
    reviewer_id: int
    token: str
    lease_until: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """Sent back to its author, with words to answer."""

    reviewer_id: int
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    reviewer_id: int
    summary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawn:
    pass


State = Queued | Leased | Returned | Done | Withdrawn

STATE_NAMES: Final[dict[type[State], str]] = {
    Queued: "queued",
    Leased: "leased",
    Returned: "returned",
    Done: "done",
    Withdrawn: "withdrawn",
}
TERMINAL: Final = frozenset({Done, Withdrawn})
UNFINISHED: Final = ("queued", "leased", "returned")
"""The states in which an entry is a promise still to be kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry. `reference` is what people see; `source` is the message or interaction behind it.

    `named`: its author agrees to be named where the campaign is shown.
    """

    id: int
    reference: str
    campaign_id: int
    guild_id: int
    author_id: int
    source: str
    source_locale: str
    title: str
    url: str
    why: str
    named: bool
    created_at: int
    revision: int
    state: State

    @property
    def state_name(self) -> str:
        return STATE_NAMES[type(self.state)]


# What each row of the table does.


def _lease(entry: Entry, event: Lease) -> Entry:
    if event.lease_until <= event.now or event.reviewer_id == entry.author_id:
        raise Refused("invalid_lease")
    state = Leased(reviewer_id=event.reviewer_id, token=event.token, lease_until=event.lease_until)
    return replace(entry, state=state)


def _held(entry: Entry, event: Complete | EditEntry | ExtendLease | SendBack | GiveUp) -> Leased:
    """The lease that the event's token opens; the reasons why not, in the order that they count."""
    state = entry.state
    assert isinstance(state, Leased)
    if state.token != event.token:
        raise Refused("lease_token_mismatch", owner_id=state.reviewer_id)
    if event.now >= state.lease_until:
        raise Refused("lease_expired", reference=entry.reference)
    return state


def _complete(entry: Entry, event: Complete) -> Entry:
    held = _held(entry, event)
    if not event.summary.strip():
        raise Refused("empty_review")
    return replace(entry, state=Done(reviewer_id=held.reviewer_id, summary=event.summary))


def _edit(entry: Entry, event: EditEntry) -> Entry:
    _held(entry, event)
    return replace(entry, title=event.title, url=event.url, why=event.why)


def _extend(entry: Entry, event: ExtendLease) -> Entry:
    held = _held(entry, event)
    if event.lease_until <= held.lease_until:
        raise Refused("invalid_lease")
    return replace(entry, state=replace(held, lease_until=event.lease_until))


def _send_back(entry: Entry, event: SendBack) -> Entry:
    held = _held(entry, event)
    if not event.words.strip():
        raise Refused("empty_review")
    return replace(entry, state=Returned(reviewer_id=held.reviewer_id, words=event.words))


def _give_up(entry: Entry, event: GiveUp) -> Entry:
    _held(entry, event)
    return replace(entry, state=Queued())


def _elapsed(entry: Entry, event: LeaseElapsed) -> Entry:
    assert isinstance(entry.state, Leased)
    if event.now < entry.state.lease_until:
        raise Refused("lease_not_elapsed")
    return replace(entry, state=Queued())


def _reclaim(entry: Entry, _: Reclaim) -> Entry:
    return replace(entry, state=Queued())


def _answer(entry: Entry, event: Answer) -> Entry:
    return replace(
        entry,
        title=entry.title if event.title is None else event.title,
        url=entry.url if event.url is None else event.url,
        why=entry.why if event.why is None else event.why,
        state=Queued(),
    )


def _withdraw(entry: Entry, _: Withdraw) -> Entry:
    return replace(entry, state=Withdrawn())


def _same(entry: Entry, _: Withdraw) -> Entry:
    return entry


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table: where an event is allowed, where it may lead, and on what condition."""

    source: type[State]
    event: type[Event]
    targets: tuple[type[State], ...]
    guard: str
    apply: Callable[[Entry, Any], Entry]


_HELD: Final = "same token (`lease_token_mismatch`), lease not run out (`lease_expired`)"
_AUTHOR: Final = "the author (`not_entry_author`)"

TABLE: Final = (
    Row(Queued, Lease, (Leased,), "not the author, until later", _lease),
    Row(Leased, Complete, (Done,), f"{_HELD}, a summary (`empty_review`)", _complete),
    Row(Leased, EditEntry, (Leased,), _HELD, _edit),
    Row(Leased, ExtendLease, (Leased,), f"{_HELD}, later (`invalid_lease`)", _extend),
    Row(Leased, SendBack, (Returned,), f"{_HELD}, words (`empty_review`)", _send_back),
    Row(Leased, GiveUp, (Queued,), _HELD, _give_up),
    Row(Leased, LeaseElapsed, (Queued,), "lease run out", _elapsed),
    Row(Leased, Reclaim, (Queued,), "an organizer", _reclaim),
    Row(Returned, Answer, (Queued,), _AUTHOR, _answer),
    Row(Queued, Withdraw, (Withdrawn,), _AUTHOR, _withdraw),
    Row(Leased, Withdraw, (Withdrawn,), _AUTHOR, _withdraw),
    Row(Returned, Withdraw, (Withdrawn,), _AUTHOR, _withdraw),
    Row(Withdrawn, Withdraw, (Withdrawn,), f"{_AUTHOR}; nothing changes", _same),
)

_RULES: Final = {(row.source, row.event): row for row in TABLE}


def transition(entry: Entry, event: Event) -> Entry:
    """The entry after `event`, its revision one higher; the same entry where nothing changes.

    Raises `Refused` when the table has no such row, or the row's condition does not hold. Whose
    entry it is comes first: a stranger learns nothing of where it stands.
    """
    if isinstance(event, Answer | Withdraw) and event.author_id != entry.author_id:
        raise Refused("not_entry_author", reference=entry.reference)
    row = _RULES.get((type(entry.state), type(event)))
    if row is None:
        raise Refused(event.refused_with, reference=entry.reference)
    after = row.apply(entry, event)
    return entry if after is entry else replace(after, revision=entry.revision + 1)


def reviewer_of(state: State) -> int | None:
    """The reviewer who holds, sent back or completed an entry in `state`, or None."""
    return state.reviewer_id if isinstance(state, Leased | Returned | Done) else None
