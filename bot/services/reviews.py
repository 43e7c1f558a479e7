"""Reviewers' use cases: take the next entry, decide, give it back. Each is one transaction.

Decisions come by one-visit buttons that carry the lease's token. `lease_expired` is an answer that
commits: the entry is back in the queue, and the button used up, when it is raised.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from bot.services import buttons
from bot.services.access import Actor, require_organizer, require_reviewer
from bot.services.buttons import REVIEW_MS, Visit
from bot.services.review_steps import behind, own, put_back, require_lease, seen, step
from bot.services.showcase import (
    WORDS_LIMIT,
    ShowcaseRules,
    checked_work,
    entry_in_guild,
    in_guild,
    move_entry,
    subject_of,
)
from domain.campaigns import Campaign
from domain.entries import (
    Complete,
    EditEntry,
    Entry,
    Event,
    ExtendLease,
    GiveUp,
    Lease,
    Leased,
    Reclaim,
    SendBack,
)
from domain.errors import Refused
from domain.text import tidy
from storage import campaigns, desks, entries
from storage.database import Connection, Database
from storage.entries import HistoryRow

DECISIONS = ("approve", "edit", "send_back")
_MINE = 25
_MOST = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """An entry in a reviewer's hands, with fresh buttons: their tokens, by decision."""

    entry: Entry
    campaign: Campaign
    author_name: str | None
    history: tuple[HistoryRow, ...]
    tokens: dict[str, str]


T = TypeVar("T", Entry, Held)


class Reviews:
    """Use cases over one ledger. `wake` tells the worker that there is something to do."""

    def __init__(self, database: Database, rules: ShowcaseRules, wake: Callable[[], None]) -> None:
        self._database = database
        self._rules = rules
        self._wake = wake

    async def claim_next(
        self,
        guild_id: int,
        campaign_id: int | None,
        actor: Actor,
        now: int,
        *,
        interaction_id: int | None = None,
        duration_ms: int | None = None,
    ) -> Held | None:
        """Lease the oldest queued entry to the actor, of one campaign or any; None: none is left.

        The same interaction again is shown what it took, while they hold it, and takes no other.
        Raises `Refused`: `not_reviewer`, `no_reviewer_role`, `campaign_not_found`, `invalid_lease`
        for a duration that is none.
        """
        press = f"{interaction_id or secrets.randbits(64)}."
        token = press + secrets.token_urlsafe(15)
        until = now + (self._rules.review_lease_ms if duration_ms is None else duration_ms)

        def claim(connection: Connection) -> Held | None:
            require_reviewer(desks.load(connection, guild_id), actor)
            if until <= now:
                raise Refused("invalid_lease")
            taken = _taken(connection, guild_id, actor.member_id, press)
            if taken is not None:
                return _held(connection, taken, now, again=True)
            entry = _next(connection, guild_id, campaign_id, actor.member_id)
            if entry is None:
                return None
            desks.remember_name(connection, guild_id, actor.member_id, actor.name)
            event = Lease(reviewer_id=actor.member_id, token=token, lease_until=until, now=now)
            after = move_entry(connection, entry, event, actor_id=actor.member_id, now=now)
            return _held(connection, after, now)

        held = await self._database.write(claim)
        self._wake()
        return held

    async def complete(
        self, guild_id: int, button: str, summary: str, actor: Actor, now: int
    ) -> Entry:
        """Approve the entry behind the button.

        Raises `Refused`: `entry_not_leased`, `lease_token_mismatch`, `lease_expired`,
        `empty_review`; `not_reviewer`, `no_reviewer_role`; and as buttons do.
        """
        words = tidy(summary, limit=WORDS_LIMIT, lines=True)
        return await self._decided(
            guild_id,
            button,
            "approve",
            lambda token: Complete(token=token, summary=words, now=now),
            actor,
            now,
        )

    async def send_back(
        self, guild_id: int, button: str, words: str, actor: Actor, now: int
    ) -> Entry:
        """Ask the entry's author something first; raises `Refused` as `complete` does."""
        tidied = tidy(words, limit=WORDS_LIMIT, lines=True)
        return await self._decided(
            guild_id,
            button,
            "send_back",
            lambda token: SendBack(token=token, words=tidied, now=now),
            actor,
            now,
        )

    async def edit(
        self,
        guild_id: int,
        button: str,
        actor: Actor,
        now: int,
        *,
        title: str,
        url: str,
        why: str,
    ) -> Held:
        """Put the entry right, and hold it still, with fresh buttons.

        Raises `Refused` as `complete` does, and `empty_title`, `invalid_url`.
        """
        work = checked_work(title, url, why)

        def edit(connection: Connection) -> Held | Refused:
            entry, token = behind(connection, guild_id, button, "edit", actor, now)
            event = EditEntry(token=token, title=work.title, url=work.url, why=work.why, now=now)
            return _and_held(connection, step(connection, entry, event, actor, now), now)

        return await self._answered(edit)

    async def extend(self, guild_id: int, entry_id: int, actor: Actor, now: int) -> Held:
        """Give the actor a full lease from now on; one that is as long already stays as it is.

        Raises `Refused` as `complete` does.
        """
        until = now + self._rules.review_lease_ms

        def extend(connection: Connection) -> Held | Refused:
            entry, token = own(connection, guild_id, entry_id, actor)
            if isinstance(entry.state, Leased) and entry.state.lease_until >= until:
                return _held(connection, entry, now, again=True)
            event = ExtendLease(token=token, lease_until=until, now=now)
            return _and_held(connection, step(connection, entry, event, actor, now), now)

        return await self._answered(extend)

    async def give_up(self, guild_id: int, entry_id: int, actor: Actor, now: int) -> Entry:
        """Put the entry back for others; raises `Refused` as `complete` does."""

        def give_up(connection: Connection) -> Entry | Refused:
            entry, token = own(connection, guild_id, entry_id, actor)
            return step(connection, entry, GiveUp(token=token, now=now), actor, now)

        return await self._answered(give_up)

    async def reclaim(self, guild_id: int, entry_id: int, actor: Actor, now: int) -> Entry:
        """An organizer puts an entry back that is stuck with somebody.

        Raises `Refused`: `not_organizer`, `entry_not_found`, `entry_not_leased`.
        """

        def reclaim(connection: Connection) -> Entry:
            require_organizer(desks.load(connection, guild_id), actor)
            entry = entry_in_guild(connection, guild_id, entry_id)
            event = Reclaim(organizer_id=actor.member_id)
            return move_entry(connection, entry, event, actor_id=actor.member_id, now=now)

        return await self._answered(reclaim)

    async def mine(self, guild_id: int, actor: Actor) -> tuple[Entry, ...]:
        """What the actor holds, oldest first; raises `not_reviewer`, `no_reviewer_role`."""

        def mine(connection: Connection) -> tuple[Entry, ...]:
            require_reviewer(desks.load(connection, guild_id), actor)
            return entries.held_by(connection, guild_id, actor.member_id, limit=_MINE)

        return await self._database.read(mine)

    async def show(self, guild_id: int, entry_id: int, actor: Actor, now: int) -> Held:
        """What the actor holds, once more, with fresh buttons: the older ones are voided.

        Raises `Refused`: `entry_not_found`, `entry_not_leased`, `lease_token_mismatch`.
        """

        def show(connection: Connection) -> Held:
            entry, _ = own(connection, guild_id, entry_id, actor)
            return _held(connection, entry, now)

        return await self._answered(show)

    async def entry(self, entry_id: int) -> Entry:
        """An entry as it stands, for nobody to read as it is; raises `entry_not_found`."""
        return await self._database.read(lambda c: entries.load(c, entry_id))

    async def guild_of_campaign(self, campaign_id: int) -> int:
        """Where a campaign belongs, for a press in a DM; raises `campaign_not_found`."""
        return await self._database.read(lambda c: campaigns.load(c, campaign_id).guild_id)

    async def guild_behind(self, button: str, member_id: int, now: int) -> int:
        """Where a decision's button belongs, for a press in a DM; raises as buttons do."""
        return await self._database.read(
            lambda connection: buttons.look(connection, button, member_id, now).guild_id
        )

    async def check_can_decide(
        self, button: str, action: str, member_id: int, now: int, *, actor: Actor | None = None
    ) -> Entry:
        """Before a form is shown: the entry behind the button, which is not used up by it.

        Without an `actor` the roles are left to the submit. Raises `Refused` as `complete` does,
        but for the summary.
        """

        def check(connection: Connection) -> Entry:
            entry, live = seen(connection, button, member_id, now)
            if live.action != action:
                raise Refused("stale_button")
            if actor is not None:
                require_reviewer(desks.load(connection, live.guild_id), actor)
            require_lease(connection, entry, live.payload or "", member_id, now)
            return entry

        try:
            return await self._database.read(check)
        except Refused as refused:
            if refused.code == "lease_expired":  # it is back in the queue when that is said
                await self._database.write(lambda c: put_back(c, button, member_id, now))
                self._wake()
            raise

    async def _decided(
        self,
        guild_id: int,
        button: str,
        action: str,
        decision: Callable[[str], Event],
        actor: Actor,
        now: int,
    ) -> Entry:
        def decide(connection: Connection) -> Entry | Refused:
            entry, token = behind(connection, guild_id, button, action, actor, now)
            return step(connection, entry, decision(token), actor, now)

        return await self._answered(decide)

    async def _answered(self, act: Callable[[Connection], T | Refused]) -> T:
        """Run `act` as a transaction. A refusal that it returns is on disk before it is raised."""
        answer = await self._database.write(act)
        self._wake()
        if isinstance(answer, Refused):
            raise answer
        return answer


def _next(
    connection: Connection, guild_id: int, campaign_id: int | None, reviewer_id: int
) -> Entry | None:
    if campaign_id is None:
        return entries.next_in_guild(connection, guild_id, reviewer_id=reviewer_id)
    campaign = in_guild(connection, guild_id, campaign_id)
    return entries.next_in_campaign(connection, campaign.id, reviewer_id=reviewer_id)


def _taken(connection: Connection, guild_id: int, reviewer_id: int, press: str) -> Entry | None:
    """What that very press has taken, while the reviewer holds it: the lease's token tells."""
    for entry in entries.held_by(connection, guild_id, reviewer_id, limit=_MOST):
        if isinstance(entry.state, Leased) and entry.state.token.startswith(press):
            return entry
    return None


def _and_held(connection: Connection, entry: Entry | Refused, now: int) -> Held | Refused:
    return entry if isinstance(entry, Refused) else _held(connection, entry, now)


def _held(connection: Connection, entry: Entry, now: int, *, again: bool = False) -> Held:
    """The entry with fresh buttons; `again`: with those that it has, where they are live."""
    assert isinstance(entry.state, Leased)
    visit = Visit(
        subject=subject_of(entry), guild_id=entry.guild_id, member_id=entry.state.reviewer_id
    )
    actions = dict.fromkeys(DECISIONS, entry.state.token)
    tokens = buttons.armed(connection, visit, now) if again else {}
    return Held(
        entry=entry,
        campaign=campaigns.load(connection, entry.campaign_id),
        author_name=desks.name_of(connection, entry.guild_id, entry.author_id),
        history=entries.history(connection, entry.id),
        tokens=tokens or buttons.arm(connection, visit, actions, until=now + REVIEW_MS),
    )
