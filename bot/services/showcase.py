"""What the showcase's use cases share: its rules, and the one way to move anything on."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from domain import campaigns as campaign_rules
from domain import entries as entry_rules
from domain.campaigns import Accept, BeginDraining, Campaign
from domain.entries import (
    Answer,
    Complete,
    EditEntry,
    Entry,
    Leased,
    LeaseElapsed,
    SendBack,
    Withdraw,
)
from domain.errors import Refused
from domain.links import checked_link
from domain.text import tidy
from storage import buttons, campaign_cards, campaigns, entries, showcase_words
from storage.database import Connection

TITLE_LIMIT: Final = 100
WHY_LIMIT: Final = 1000
WORDS_LIMIT: Final = 1000
_TOLD: Final = (SendBack, Complete, EditEntry)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowcaseRules:
    """The settings that the showcase goes by; times in milliseconds."""

    review_lease_ms: int = 3_600_000


USUAL: Final = ShowcaseRules()


def in_guild(connection: Connection, guild_id: int, campaign_id: int) -> Campaign:
    """The guild's campaign; raises `Refused("campaign_not_found")` for another's, too."""
    campaign = campaigns.load(connection, campaign_id)
    if campaign.guild_id != guild_id:
        raise Refused("campaign_not_found")
    return campaign


def entry_in_guild(connection: Connection, guild_id: int, entry_id: int) -> Entry:
    """The guild's entry; raises `Refused("entry_not_found")` for another's, too."""
    entry = entries.load(connection, entry_id)
    if entry.guild_id != guild_id:
        raise Refused("entry_not_found")
    return entry


def move_campaign(
    connection: Connection,
    campaign: Campaign,
    event: campaign_rules.Event,
    *,
    actor_id: int | None,
    now: int,
) -> Campaign:
    """The campaign one event on, stored with its history row; its card is to be drawn again.

    `actor_id` is None where Steward itself acts. Raises `Refused`, with nothing written.
    """
    after = campaign_rules.transition(campaign, event)
    campaigns.save(connection, after)
    if not isinstance(event, Accept):
        name = campaign_rules.EVENT_NAMES[type(event)]
        campaigns.record(connection, after, name, actor_id, now)
    campaign_cards.touch(connection, after.id, after.guild_id, now)
    return after


def move_entry(
    connection: Connection,
    entry: Entry,
    event: entry_rules.Event,
    *,
    actor_id: int | None,
    now: int,
) -> Entry:
    """The entry one event on, stored with its history row; the same one where nothing changes.

    Its campaign's card is to be drawn again, and its author told where it concerns them. What ends
    or leaves a reviewer's hands leaves them no button. Raises `Refused`, with nothing written.
    """
    after = entry_rules.transition(entry, event)
    if after is entry:
        return entry
    name = entry_rules.EVENT_NAMES[type(event)]
    note = _note(entry, after, event)
    entries.save(connection, after, event=name, actor_id=actor_id, now=now, note=note)
    campaign_cards.touch(connection, after.campaign_id, after.guild_id, now)
    if isinstance(event, Withdraw):
        buttons.void_subject(connection, subject_of(after))
    if isinstance(event, _TOLD):
        showcase_words.put(connection, after.id, after.revision, after.author_id, now)
    return after


def subject_of(entry: Entry) -> str:
    """What the one-visit buttons for an entry act on."""
    return f"entry:{entry.id}"


def _note(before: Entry, after: Entry, event: entry_rules.Event) -> str | None:
    """What the history keeps of a step beside its name: words, and what stood there before."""
    words = ""
    match event:
        case SendBack() | Answer():
            words = event.words
        case Complete():
            words = event.summary
        case _:
            pass
    changed = {
        name: getattr(before, name)
        for name in ("title", "url", "why")
        if getattr(before, name) != getattr(after, name)
    }
    if not words and not changed:
        return None
    return json.dumps({"words": words, "before": changed}, ensure_ascii=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What was said at a step of an entry, and the fields that it changed, as they were before."""

    words: str
    before: dict[str, str]


def read_note(note: str | None) -> Note:
    """The note of a history row."""
    return Note(**json.loads(note)) if note else Note(words="", before={})


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What is nominated, checked and tidied."""

    title: str
    url: str
    why: str


def checked_work(title: str, url: str, why: str) -> Work:
    """What a person typed, ready to be kept. Raises `Refused`: `empty_title`, `invalid_url`."""
    tidied = tidy(title, limit=TITLE_LIMIT)
    if not tidied:
        raise Refused("empty_title")
    return Work(title=tidied, url=checked_link(url), why=tidy(why, limit=WHY_LIMIT, lines=True))


def drain_due(connection: Connection, now: int, *, limit: int) -> tuple[Campaign, ...]:
    """Begin draining what has reached its deadline; answer which campaigns."""
    return tuple(
        move_campaign(connection, campaign, BeginDraining(), actor_id=None, now=now)
        for campaign in campaigns.due(connection, now, limit=limit)
    )


def expire_due(connection: Connection, now: int, *, limit: int) -> tuple[Entry, ...]:
    """Put entries back whose lease has run out; answer which."""
    return tuple(
        move_entry(connection, entry, LeaseElapsed(now=now), actor_id=None, now=now)
        for entry in entries.due_leases(connection, now, limit=limit)
    )


def warn_ending(connection: Connection, entry_ids: Iterable[int], now: int) -> None:
    """Tell reviewers that their time for these entries is nearly over: once a lease's step."""
    for entry_id in entry_ids:
        entry = entries.load(connection, entry_id)
        if isinstance(entry.state, Leased):
            showcase_words.put(connection, entry_id, entry.revision, entry.state.reviewer_id, now)
