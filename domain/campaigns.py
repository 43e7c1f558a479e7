"""A campaign: open, then draining, then closed, and how many places it has promised.

`transition(campaign, event)` is the only way from one state to the next. An event that the table
does not allow raises `Refused` and changes nothing. `accepted_count` counts promises made: nothing
ever lowers it, so a withdrawn entry frees no place.
"""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

from domain.errors import Refused

SLUG_LIMIT: Final = 50


# States. What else there is to know of a campaign is the same in each of them.


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """Takes entries, before its deadline and up to its capacity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draining:
    """Takes no more; what it has promised is worked off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """Every promise is kept."""


State = Open | Draining | Closed

STATE_NAMES: Final[dict[type[State], str]] = {
    Open: "open",
    Draining: "draining",
    Closed: "closed",
}
TERMINAL: Final = frozenset({Closed})


@dataclass(frozen=True, slots=True, kw_only=True)
class Campaign:
    """One campaign. People call it by its `slug`; `closes_at` is UTC milliseconds."""

    id: int
    guild_id: int
    channel_id: int
    slug: str
    name: str
    text: str
    capacity: int
    accepted_count: int
    closes_at: int
    created_by: int
    created_at: int
    revision: int
    state: State

    @property
    def state_name(self) -> str:
        return STATE_NAMES[type(self.state)]

    @property
    def places_left(self) -> int:
        return self.capacity - self.accepted_count


# What can happen to a campaign. `refused_with` is the answer where the table has no row.


@dataclass(frozen=True, slots=True, kw_only=True)
class EditCampaign:
    refused_with: ClassVar[str] = "campaign_not_open"
    name: str
    slug: str
    text: str
    channel_id: int
    capacity: int
    closes_at: int
    now: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Accept:
    """One more entry is promised its place."""

    refused_with: ClassVar[str] = "campaign_not_open"
    now: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginDraining:
    refused_with: ClassVar[str] = "campaign_not_open"


@dataclass(frozen=True, slots=True, kw_only=True)
class Close:
    """`unfinished` is how many entries are queued, leased or returned."""

    refused_with: ClassVar[str] = "campaign_not_draining"
    unfinished: int


Event = EditCampaign | Accept | BeginDraining | Close

EVENT_NAMES: Final[dict[type[Event], str]] = {
    EditCampaign: "edit_campaign",
    Accept: "accept",
    BeginDraining: "begin_draining",
    Close: "close",
}


def check_terms(*, capacity: int, accepted_count: int, closes_at: int, now: int) -> None:
    """Raise `invalid_capacity` or `invalid_deadline` for what a campaign can't promise."""
    if capacity < max(1, accepted_count):
        raise Refused("invalid_capacity", number=accepted_count)
    if closes_at <= now:
        raise Refused("invalid_deadline")


def _edit(campaign: Campaign, event: EditCampaign) -> Campaign:
    check_terms(
        capacity=event.capacity,
        accepted_count=campaign.accepted_count,
        closes_at=event.closes_at,
        now=event.now,
    )
    return replace(
        campaign,
        name=event.name,
        slug=event.slug,
        text=event.text,
        channel_id=event.channel_id,
        capacity=event.capacity,
        closes_at=event.closes_at,
    )


def _accept(campaign: Campaign, event: Accept) -> Campaign:
    if event.now >= campaign.closes_at:
        raise Refused("submission_deadline_passed", name=campaign.name, until=campaign.closes_at)
    if campaign.accepted_count >= campaign.capacity:
        raise Refused("campaign_at_capacity", name=campaign.name)
    return replace(campaign, accepted_count=campaign.accepted_count + 1)


def _drain(campaign: Campaign, _: BeginDraining) -> Campaign:
    return replace(campaign, state=Draining())


def _close(campaign: Campaign, event: Close) -> Campaign:
    if event.unfinished:
        raise Refused("unfinished_entries", name=campaign.name, number=event.unfinished)
    return replace(campaign, state=Closed())


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table: where an event is allowed, where it may lead, and on what condition."""

    source: type[State]
    event: type[Event]
    targets: tuple[type[State], ...]
    guard: str
    apply: Callable[[Campaign, Any], Campaign]


_TERMS: Final = "a place for each promise (`invalid_capacity`), ends later (`invalid_deadline`)"
_ROOM: Final = (
    "before the deadline (`submission_deadline_passed`), a place left (`campaign_at_capacity`)"
)

TABLE: Final = (
    Row(Open, EditCampaign, (Open,), _TERMS, _edit),
    Row(Open, Accept, (Open,), _ROOM, _accept),
    Row(Open, BeginDraining, (Draining,), "", _drain),
    Row(Draining, Close, (Closed,), "nothing unfinished (`unfinished_entries`)", _close),
)

_RULES: Final = {(row.source, row.event): row for row in TABLE}


def transition(campaign: Campaign, event: Event) -> Campaign:
    """The campaign after `event`, its revision one higher.

    Raises `Refused` when the table has no such row, or the row's condition does not hold.
    """
    row = _RULES.get((type(campaign.state), type(event)))
    if row is None:
        raise Refused(event.refused_with, name=campaign.name)
    return replace(row.apply(campaign, event), revision=campaign.revision + 1)


def slug_of(name: str) -> str:
    """What people type for a campaign of that name: letters and digits, joined by hyphens.

    Accents go and letters of every script stay. Empty for a name without letters or digits.
    """
    plain = "".join(
        character
        for character in unicodedata.normalize("NFKD", name).casefold()
        if unicodedata.category(character) not in ("Mn", "Me")
    )
    joined = "-".join(re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", plain)))
    return joined[:SLUG_LIMIT].rstrip("-")
