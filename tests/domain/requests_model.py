"""A request as a dictionary: what the page of rules says, once more, and a machine to play it.

Nothing of `domain.requests`' own rules is used here; an event is a name and its fields.
"""

import copy
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from domain.errors import Refused
from domain.requests import (
    EVENT_NAMES,
    STATE_NAMES,
    TERMINAL,
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
    Request,
    Resolve,
    StartOpen,
    Take,
    Unassign,
    Withdraw,
    owner_of,
    transition,
)
from tests.domain.samples import LEASE, MEMBER, OTHER, OWNER, QUEUED

Fields = Mapping[str, Any]


class Model:
    """One request. `happens` answers the refusal's code, or None for an event that is accepted."""

    def __init__(self, member_id: int) -> None:
        self.member_id = member_id
        self.accepted = 0
        self.now: dict[str, Any] = {"state": "queued", "attempts": 0, "last_problem": None}

    def happens(self, event: str, given: Fields) -> str | None:
        """Play an event by its name."""
        code: str | None = getattr(self, event)(given)
        self.accepted += code is None
        return code

    def _becomes(self, state: str, **values: Any) -> str | None:
        kept = {"attempts": self.now["attempts"]} if state != "resolved" else {}
        self.now = {"state": state, **kept, **values}
        return None

    def _is(self, *states: str) -> bool:
        return self.now["state"] in states

    def _mine(self, state: str, who: int) -> bool:
        return self._is(state) and self.now["owner_id"] == who

    def _key(self, given: Fields, *states: str) -> bool:
        return self._is(*states) and self.now["delivery_key"] == given["delivery_key"]

    def claim(self, given: Fields) -> str | None:
        if not self._is("queued"):
            return "request_not_available"
        if given["owner_id"] == self.member_id:
            return "own_request"
        return self._becomes("claimed", **given)

    def start_open(self, given: Fields) -> str | None:
        if not self._mine("claimed", given["owner_id"]):
            return "claim_not_owned"
        self.now["attempts"] += 1
        return self._becomes("opening", **given)

    def delivery_deferred(self, given: Fields) -> str | None:
        if not self._key(given, "opening"):
            return "stale_delivery_failure"
        self.now["lease_until"] = given["lease_until"]
        return None

    def dm_opened(self, given: Fields) -> str | None:
        if not self._key(given, "opening", "needs_reconcile"):
            return "stale_delivery_result"
        return self._becomes(
            "active",
            owner_id=self.now["owner_id"],
            conversation_id=given["conversation_id"],
        )

    def _in_doubt(self, reason: str) -> str | None:
        kept = {name: self.now[name] for name in ("owner_id", "delivery_key")}
        return self._becomes("needs_reconcile", **kept, reason=reason)

    def delivery_failed(self, given: Fields) -> str | None:
        if not self._key(given, "opening"):
            return "stale_delivery_failure"
        if given["definitive"]:
            return self._becomes("queued", last_problem=given["reason"])
        return self._in_doubt(given["reason"])

    def lease_elapsed(self, given: Fields) -> str | None:
        if not self._is("claimed", "opening") or self.now["lease_until"] > given["now"]:
            return "lease_not_elapsed"
        if self._is("opening"):
            return self._in_doubt("delivery_outcome_unknown")
        return self._becomes("queued", last_problem=None)

    def reconciled_absent(self, given: Fields) -> str | None:
        if not self._key(given, "needs_reconcile"):
            return "reconciliation_mismatch"
        return self._becomes("queued", last_problem=given["problem"])

    def drop(self, given: Fields) -> str | None:
        if not self._is("needs_reconcile"):
            return "request_not_available"
        return self._becomes("dropped", dropped_by=given["staff_id"], reason=given["reason"])

    def _ends(self, resolution: str) -> str | None:
        kept = {name: self.now[name] for name in ("owner_id", "conversation_id")}
        return self._becomes("resolved", **kept, resolution=resolution)

    def resolve(self, given: Fields) -> str | None:
        if not self._mine("active", given["owner_id"]):
            return "active_request_not_owned"
        return self._ends(given["resolution"])

    def end(self, given: Fields) -> str | None:
        if not self._is("active") or given["member_id"] != self.member_id:
            return "active_request_not_owned"
        return self._ends("ended by the member")

    def release(self, given: Fields) -> str | None:
        if not self._mine("claimed", given["owner_id"]):
            return "claim_not_owned"
        return self._becomes("queued", last_problem=None)

    def extend(self, given: Fields) -> str | None:
        until = given["lease_until"]
        if not self._mine("claimed", given["owner_id"]) or until <= self.now["lease_until"]:
            return "claim_not_owned"
        self.now["lease_until"] = until
        return None

    def hand_over(self, given: Fields) -> str | None:
        may = given["actor_is_organizer"] or self._mine("active", given["actor_id"])
        if not self._is("active") or not may:
            return "active_request_not_owned"
        return self._owned_by(given["to"])

    def _owned_by(self, who: int) -> str | None:
        if who == self.member_id:
            return "own_request"
        self.now["owner_id"] = who
        return None

    def unassign(self, given: Fields) -> str | None:
        if not self._is("active"):
            return "active_request_not_owned"
        self.now["owner_id"] = None
        return None

    def take(self, given: Fields) -> str | None:
        if not self._is("active") or self.now["owner_id"] is not None:
            return "request_not_available"
        return self._owned_by(given["owner_id"])

    def withdraw(self, given: Fields) -> str | None:
        may = self._is("queued", "claimed", "needs_reconcile")
        if not may or given["member_id"] != self.member_id:
            return "request_not_available"
        return self._becomes("withdrawn")


# None is whoever owns the request: most events are to be accepted, or the machine gets nowhere.
people = st.sampled_from((None, None, None, OWNER, OTHER, MEMBER))
backs = st.sampled_from((0, 0, 0, 1, 2))
Who = int | None
reasons = st.sampled_from(("dms_closed", "http_502"))


class Requests(RuleBasedStateMachine):
    """Random events; what the table does is compared with the model after each."""

    def __init__(self) -> None:
        super().__init__()
        self.request = self.asked()
        self.model = Model(MEMBER)
        self.keys = ["key-that-never-was-0"]
        self.tries: set[str] = set()

    def asked(self) -> Request:
        """A request that was just asked for."""
        return QUEUED

    def accept(self, after: Request, event: Event) -> None:
        """The event is accepted, and this is what it has led to."""
        self.request = after

    def _play(self, event: Event) -> None:
        before, owner = self.request, owner_of(self.request.state)
        expected = self.model.happens(EVENT_NAMES[type(event)], asdict(event))
        after, refused = before, None
        try:
            after = transition(before, event)
        except Refused as refusal:
            refused = refusal.code
        assert refused == expected
        if refused is None:
            self._check(before, owner, event, after)
            self.accept(after, event)

    def _check(self, before: Request, owner: Who | None, event: Event, after: Request) -> None:
        assert type(before.state) not in TERMINAL
        assert after.revision == before.revision + 1
        if isinstance(event, StartOpen):
            assert event.delivery_key not in self.tries, "a try has a key of its own"
            self.tries.add(event.delivery_key)
        elif isinstance(event, DeliveryDeferred | DeliveryFailed | DmOpened | ReconciledAbsent):
            assert event.delivery_key == self.keys[-1], "an old key is never believed"
        if isinstance(event, StartOpen | Release | Extend | Resolve):
            assert event.owner_id == owner, "nobody acts on what somebody else owns"
        if isinstance(event, Claim | Take):
            assert owner is None, "nobody takes what somebody owns"

    def _who(self, who: Who) -> int:
        return who or owner_of(self.request.state) or OWNER

    def _any_key(self, back: int) -> str:
        return self.keys[max(0, len(self.keys) - 1 - back)]

    def _around_lease(self, by: int) -> int:
        return int(getattr(self.request.state, "lease_until", LEASE)) + by

    @rule(steps=st.integers(1, 3))
    def go_on(self, steps: int) -> None:
        """The usual way: claimed, begun, opened."""
        for _ in range(steps):
            match self.request.state_name:
                case "queued":
                    self.claim(OWNER, 0)
                case "claimed":
                    self.start_open(None)
                case "opening":
                    self.open(0)
                case _:
                    return

    @rule(owner=people, by=st.integers(0, 3))
    def claim(self, owner: Who, by: int) -> None:
        self._play(Claim(owner_id=self._who(owner), lease_until=LEASE + by))

    @rule(owner=people)
    def start_open(self, owner: Who) -> None:
        key = f"key-number-{len(self.keys):09}"
        before = self.request.revision
        self.keys.append(key)
        self._play(StartOpen(owner_id=self._who(owner), delivery_key=key, lease_until=LEASE))
        if self.request.revision == before:
            self.keys.pop()

    @rule(back=backs, by=st.integers(-1, 3))
    def defer(self, back: int, by: int) -> None:
        until = self._around_lease(by)
        self._play(DeliveryDeferred(delivery_key=self._any_key(back), lease_until=until))

    @rule(back=backs)
    def open(self, back: int) -> None:
        conversation = f"conversation-{self.request.id}-{self.request.revision}"
        self._play(DmOpened(delivery_key=self._any_key(back), conversation_id=conversation))

    @rule(back=backs, definitive=st.booleans(), reason=reasons)
    def fail(self, back: int, definitive: bool, reason: str) -> None:
        key = self._any_key(back)
        self._play(DeliveryFailed(delivery_key=key, definitive=definitive, reason=reason))

    @rule(by=st.integers(-1, 1))
    def elapse(self, by: int) -> None:
        self._play(LeaseElapsed(now=self._around_lease(by)))

    @rule(back=backs, problem=st.sampled_from([None, "dms_closed"]))
    def find_absent(self, back: int, problem: str | None) -> None:
        self._play(ReconciledAbsent(delivery_key=self._any_key(back), problem=problem))

    @rule(staff=people)
    def drop(self, staff: Who) -> None:
        self._play(Drop(staff_id=self._who(staff), reason="spam"))

    @rule(owner=people)
    def resolve(self, owner: Who) -> None:
        self._play(Resolve(owner_id=self._who(owner), resolution="Answered."))

    @rule(member=people)
    def end(self, member: Who) -> None:
        self._play(End(member_id=member or MEMBER))

    @rule(owner=people)
    def release(self, owner: Who) -> None:
        self._play(Release(owner_id=self._who(owner)))

    @rule(owner=people, by=st.integers(-1, 1))
    def extend(self, owner: Who, by: int) -> None:
        self._play(Extend(owner_id=self._who(owner), lease_until=self._around_lease(by)))

    @rule(actor=people, organizer=st.booleans(), to=people)
    def hand_over(self, actor: Who, organizer: bool, to: Who) -> None:
        self._play(
            HandOver(actor_id=self._who(actor), actor_is_organizer=organizer, to=self._who(to))
        )

    @rule(actor=people)
    def unassign(self, actor: Who) -> None:
        self._play(Unassign(actor_id=self._who(actor)))

    @rule(owner=people)
    def take(self, owner: Who) -> None:
        self._play(Take(owner_id=self._who(owner)))

    @rule(member=people)
    def withdraw(self, member: Who) -> None:
        self._play(Withdraw(member_id=member or MEMBER))

    @invariant()
    def the_request_is_what_the_model_says(self) -> None:
        state = self.request.state
        assert self.model.now == {"state": STATE_NAMES[type(state)], **asdict(state)}
        assert self.request.revision == self.model.accepted

    @invariant()
    def whatever_might_come_now_is_judged_as_the_model_does(self) -> None:
        for event in self._possible():
            model = copy.deepcopy(self.model)
            expected = model.happens(EVENT_NAMES[type(event)], asdict(event))
            refused = None
            try:
                transition(self.request, event)
            except Refused as refusal:
                refused = refusal.code
            assert refused == expected, event

    def _possible(self) -> Iterator[Event]:
        """Right and wrong people, this try's key and earlier ones, just before the lease's end."""
        lease = self._around_lease(0)
        yield from (LeaseElapsed(now=lease - 1), LeaseElapsed(now=lease))
        for key in {self.keys[0], *self.keys[-2:]}:
            yield DeliveryDeferred(delivery_key=key, lease_until=lease)
            yield DmOpened(delivery_key=key, conversation_id="conversation")
            yield DeliveryFailed(delivery_key=key, definitive=False, reason="http_502")
            yield ReconciledAbsent(delivery_key=key)
        for who in (OWNER, OTHER, MEMBER):
            yield Claim(owner_id=who, lease_until=lease)
            yield StartOpen(owner_id=who, delivery_key="key", lease_until=lease)
            yield Resolve(owner_id=who, resolution="Answered.")
            yield End(member_id=who)
            yield Release(owner_id=who)
            yield Extend(owner_id=who, lease_until=lease + 1)
            yield HandOver(actor_id=who, actor_is_organizer=False, to=OTHER)
            yield Take(owner_id=who)
            yield Withdraw(member_id=who)
