"""A campaign and its entries as dictionaries: the rules once more, and a machine to play them.

Nothing of the domain's own rules is used here; an event is a name and its fields.
"""

import copy
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from domain import campaigns, entries
from domain.errors import Refused
from tests.domain.showcase_samples import (
    AUTHOR,
    CAMPAIGN,
    ENTRY,
    LINK,
    ORGANIZER,
    OTHER,
    REVIEWER,
)

Fields = Mapping[str, Any]
CAPACITY, CLOSES_AT, LEASE_MS = 3, 2_000_000, 1_000


class CampaignModel:
    """`happens` answers the refusal's code, or None for an event that is accepted."""

    def __init__(self) -> None:
        self.state, self.capacity, self.accepted, self.closes_at = "open", CAPACITY, 0, CLOSES_AT

    def happens(self, event: str, given: Fields) -> str | None:
        code: str | None = getattr(self, event)(given)
        return code

    def edit_campaign(self, given: Fields) -> str | None:
        if self.state != "open":
            return "campaign_not_open"
        if given["capacity"] < 1 or given["capacity"] < self.accepted:
            return "invalid_capacity"
        if given["closes_at"] <= given["now"]:
            return "invalid_deadline"
        self.capacity, self.closes_at = given["capacity"], given["closes_at"]
        return None

    def accept(self, given: Fields) -> str | None:
        if self.state != "open":
            return "campaign_not_open"
        if given["now"] >= self.closes_at:
            return "submission_deadline_passed"
        if self.accepted >= self.capacity:
            return "campaign_at_capacity"
        self.accepted += 1
        return None

    def begin_draining(self, _: Fields) -> str | None:
        if self.state != "open":
            return "campaign_not_open"
        self.state = "draining"
        return None

    def close(self, given: Fields) -> str | None:
        if self.state != "draining":
            return "campaign_not_draining"
        if given["unfinished"] > 0:
            return "unfinished_entries"
        self.state = "closed"
        return None


class EntryModel:
    """One entry of `author_id`; `happens` as in `CampaignModel`."""

    def __init__(self, author_id: int) -> None:
        self.author_id = author_id
        self.work = {"title": ENTRY.title, "url": ENTRY.url, "why": ENTRY.why}
        self.now: dict[str, Any] = {"state": "queued"}

    def happens(self, event: str, given: Fields) -> str | None:
        code: str | None = getattr(self, event)(given)
        return code

    def lease(self, given: Fields) -> str | None:
        wrong = given["reviewer_id"] == self.author_id or given["lease_until"] <= given["now"]
        if self.now["state"] != "queued" or wrong:
            return "invalid_lease"
        held = {name: given[name] for name in ("reviewer_id", "token", "lease_until")}
        self.now = {"state": "leased", **held}
        return None

    def _not_held(self, given: Fields) -> str | None:
        if self.now["state"] != "leased":
            return "entry_not_leased"
        if self.now["token"] != given["token"]:
            return "lease_token_mismatch"
        return "lease_expired" if self.now["lease_until"] <= given["now"] else None

    def _reviewed(self, given: Fields, state: str, words: str) -> str | None:
        if code := self._not_held(given):
            return code
        if given[words].isspace() or not given[words]:
            return "empty_review"
        who = self.now["reviewer_id"]
        self.now = {"state": state, "reviewer_id": who, words: given[words]}
        return None

    def complete(self, given: Fields) -> str | None:
        return self._reviewed(given, "done", "summary")

    def send_back(self, given: Fields) -> str | None:
        return self._reviewed(given, "returned", "words")

    def edit(self, given: Fields) -> str | None:
        if code := self._not_held(given):
            return code
        self.work = {name: given[name] for name in self.work}
        return None

    def extend(self, given: Fields) -> str | None:
        if code := self._not_held(given):
            return code
        if given["lease_until"] <= self.now["lease_until"]:
            return "invalid_lease"
        self.now["lease_until"] = given["lease_until"]
        return None

    def give_up(self, given: Fields) -> str | None:
        return self._not_held(given) or self._queued()

    def _queued(self) -> str | None:
        self.now = {"state": "queued"}
        return None

    def lease_elapsed(self, given: Fields) -> str | None:
        if self.now["state"] != "leased" or given["now"] < self.now["lease_until"]:
            return "lease_not_elapsed"
        return self._queued()

    def reclaim(self, _: Fields) -> str | None:
        return self._queued() if self.now["state"] == "leased" else "entry_not_leased"

    def answer(self, given: Fields) -> str | None:
        if given["author_id"] != self.author_id:
            return "not_entry_author"
        if self.now["state"] != "returned":
            return "entry_not_returned"
        self.work.update({name: given[name] for name in self.work if given[name] is not None})
        return self._queued()

    def withdraw(self, given: Fields) -> str | None:
        if given["author_id"] != self.author_id:
            return "not_entry_author"
        if self.now["state"] == "done":
            return "entry_already_completed"
        self.now = {"state": "withdrawn"}
        return None


people = st.sampled_from((AUTHOR, REVIEWER, OTHER))
backs = st.sampled_from((0, 0, 0, 0, 1, 2))
said = st.sampled_from(("Fine.", "Fine.", "Fine.", " "))
maybe = st.sampled_from((None, "changed", ""))
which = st.integers(0, 5)


class Showcase(RuleBasedStateMachine):
    """Random events on one campaign and its entries; each is judged by the models as well."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1_000_000
        self.campaign = replace(
            CAMPAIGN, capacity=CAPACITY, accepted_count=0, closes_at=CLOSES_AT, revision=0
        )
        self.promised = CampaignModel()
        self.entries: list[entries.Entry] = []
        self.models: list[EntryModel] = []
        self.tokens = ["token-that-never-was-"]

    def _campaign(self, event: campaigns.Event) -> bool:
        expected = self.promised.happens(campaigns.EVENT_NAMES[type(event)], asdict(event))
        before, refused = self.campaign, None
        try:
            self.campaign = campaigns.transition(before, event)
        except Refused as refusal:
            refused = refusal.code
        assert refused == expected
        assert self.campaign.revision == before.revision + (refused is None)
        return refused is None

    def _entry(self, index: int, event: entries.Event) -> None:
        if not self.entries:
            return
        index %= len(self.entries)
        expected = self.models[index].happens(entries.EVENT_NAMES[type(event)], asdict(event))
        before, refused = self.entries[index], None
        try:
            self.entries[index] = entries.transition(before, event)
        except Refused as refusal:
            refused = refusal.code
        assert refused == expected, event
        changes = refused is None and before.state_name != "withdrawn"
        assert self.entries[index].revision == before.revision + changes

    def _token(self, back: int) -> str:
        return self.tokens[max(0, len(self.tokens) - 1 - back)]

    @rule(by=st.sampled_from((1, 1, 1, LEASE_MS, CLOSES_AT // 2)))
    def wait(self, by: int) -> None:
        self.now += by

    @rule(capacity=st.integers(0, 5), by=st.sampled_from((0, 1, 5_000)))
    def edit_campaign(self, capacity: int, by: int) -> None:
        terms = {"capacity": capacity, "closes_at": self.now + by, "now": self.now}
        self._campaign(
            campaigns.EditCampaign(name="Show", slug="show", text="", channel_id=72, **terms)
        )

    @rule()
    def submit(self) -> None:
        author_id = AUTHOR if not self.entries else 100 + len(self.entries)
        if self._campaign(campaigns.Accept(now=self.now)):
            self.entries.append(replace(ENTRY, author_id=author_id))
            self.models.append(EntryModel(author_id))

    @rule(sure=st.sampled_from((False, False, False, True)))
    def drain(self, sure: bool) -> None:
        if sure:
            self._campaign(campaigns.BeginDraining())

    @rule()
    def close(self) -> None:
        unfinished = sum(one.now["state"] not in ("done", "withdrawn") for one in self.models)
        self._campaign(campaigns.Close(unfinished=unfinished))

    @rule(index=which, reviewer=people, by=st.sampled_from((LEASE_MS, LEASE_MS, 1, 0)))
    def lease(self, index: int, reviewer: int, by: int) -> None:
        self.tokens.append(f"token-number-{len(self.tokens):08}")
        until = self.now + by
        event = entries.Lease(
            reviewer_id=reviewer, token=self.tokens[-1], lease_until=until, now=self.now
        )
        self._entry(index, event)

    @rule(index=which, back=backs, words=said)
    def complete(self, index: int, back: int, words: str) -> None:
        event = entries.Complete(token=self._token(back), summary=words, now=self.now)
        self._entry(index, event)

    @rule(index=which, back=backs, words=said)
    def send_back(self, index: int, back: int, words: str) -> None:
        event = entries.SendBack(token=self._token(back), words=words, now=self.now)
        self._entry(index, event)

    @rule(index=which, back=backs)
    def edit(self, index: int, back: int) -> None:
        event = entries.EditEntry(
            token=self._token(back), title="Kite", url=LINK, why="", now=self.now
        )
        self._entry(index, event)

    @rule(index=which, back=backs, by=st.integers(-1, LEASE_MS + 1))
    def extend(self, index: int, back: int, by: int) -> None:
        until = self.now + by
        event = entries.ExtendLease(token=self._token(back), lease_until=until, now=self.now)
        self._entry(index, event)

    @rule(index=which, back=backs)
    def give_up(self, index: int, back: int) -> None:
        self._entry(index, entries.GiveUp(token=self._token(back), now=self.now))

    @rule(index=which)
    def elapse(self, index: int) -> None:
        self._entry(index, entries.LeaseElapsed(now=self.now))

    @rule(index=which)
    def reclaim(self, index: int) -> None:
        self._entry(index, entries.Reclaim(organizer_id=ORGANIZER))

    @rule(index=which, own=st.sampled_from((True, True, False)), title=maybe, why=maybe)
    def answer(self, index: int, own: bool, title: str | None, why: str | None) -> None:
        who = self._author(index) if own else OTHER
        self._entry(
            index, entries.Answer(author_id=who, words="A strong one.", title=title, why=why)
        )

    @rule(index=which, own=st.sampled_from((True, False)))
    def withdraw(self, index: int, own: bool) -> None:
        self._entry(index, entries.Withdraw(author_id=self._author(index) if own else OTHER))

    def _author(self, index: int) -> int:
        return self.models[index % len(self.models)].author_id if self.models else AUTHOR

    @invariant()
    def everything_is_what_the_models_say(self) -> None:
        told = self.promised
        assert self.campaign.state_name == told.state
        assert self.campaign.accepted_count == told.accepted == len(self.entries)
        assert (self.campaign.capacity, self.campaign.closes_at) == (told.capacity, told.closes_at)
        assert self.campaign.accepted_count <= self.campaign.capacity
        for entry, model in zip(self.entries, self.models, strict=True):
            assert model.now == {"state": entry.state_name, **asdict(entry.state)}
            assert model.work == {name: getattr(entry, name) for name in model.work}

    @invariant()
    def nothing_is_left_when_a_campaign_is_closed(self) -> None:
        if self.campaign.state_name == "closed":
            assert all(type(entry.state) in entries.TERMINAL for entry in self.entries)

    @invariant()
    def whatever_might_come_now_is_judged_as_the_models_do(self) -> None:
        for entry, model in zip(self.entries[-1:], self.models[-1:], strict=True):
            for event in self._possible(entry):
                expected = copy.deepcopy(model).happens(
                    entries.EVENT_NAMES[type(event)], asdict(event)
                )
                refused = None
                try:
                    entries.transition(entry, event)
                except Refused as refusal:
                    refused = refusal.code
                assert refused == expected, event

    def _possible(self, entry: entries.Entry) -> Iterator[entries.Event]:
        """The newest token and an older one, just before a lease's end and at it."""
        end = getattr(entry.state, "lease_until", self.now)
        for now in (end - 1, end):
            yield entries.LeaseElapsed(now=now)
            for token in (self.tokens[0], self.tokens[-1], getattr(entry.state, "token", "")):
                yield entries.Complete(token=token, summary="Fine.", now=now)
                yield entries.SendBack(token=token, words="", now=now)
                yield entries.ExtendLease(token=token, lease_until=end + 1, now=now)
                yield entries.GiveUp(token=token, now=now)
        for who in (entry.author_id, OTHER):
            yield entries.Lease(reviewer_id=who, token="new", lease_until=end + 1, now=end)
            yield entries.Withdraw(author_id=who)
            yield entries.Answer(author_id=who, words="")
