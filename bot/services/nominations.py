"""Members' use cases: nominate, answer, withdraw. Each is one transaction."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from bot.services.showcase import (
    WORDS_LIMIT,
    checked_work,
    entry_in_guild,
    in_guild,
    move_campaign,
    move_entry,
)
from domain import campaigns as campaign_rules
from domain.campaigns import Accept, Campaign, Open, slug_of
from domain.entries import UNFINISHED, Answer, Entry, Withdraw, transition
from domain.errors import Refused
from domain.text import tidy
from storage import campaigns, desks, entries
from storage.database import Connection, Database

_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
_MINE = 25
_SEARCHED = 200
_MOST_LIVE = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Nomination:
    """What a member enters. `source` names the message or interaction behind it, as `i:77`.

    `named`: they agree to be named where the campaign is shown.
    """

    source: str
    guild_id: int
    campaign_id: int
    author_id: int
    author_name: str
    title: str
    url: str
    why: str
    locale: str
    named: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """A member's receipt; `repeated`: this very source had been entered before."""

    entry: Entry
    campaign: Campaign
    repeated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ways:
    """What a member can do: `campaigns` to nominate for, or their own entries to look at."""

    campaigns: tuple[Campaign, ...] = ()
    mine: tuple[Receipt, ...] = ()


class Nominations:
    """Use cases over one ledger. `wake` tells the worker that there is something to do."""

    def __init__(self, database: Database, wake: Callable[[], None]) -> None:
        self._database = database
        self._wake = wake

    async def check_can_submit(
        self, guild_id: int, campaign_id: int, author_id: int, now: int
    ) -> Campaign:
        """Before a form is shown: the campaign, or what entering would be refused with.

        Raises `Refused` as `submit` does.
        """

        def check(connection: Connection) -> Campaign:
            campaign = in_guild(connection, guild_id, campaign_id)
            _one_an_author(connection, campaign, author_id)
            campaign_rules.transition(campaign, Accept(now=now))
            return campaign

        return await self._database.read(check)

    async def ways(
        self, guild_id: int, author_id: int, campaign: int | str | None, now: int
    ) -> Ways:
        """Before a form is shown: what to nominate for, or what the member has entered already.

        `campaign` is an id, what people type, or None for whichever is open. One campaign in the
        answer: its form can be shown. Raises `Refused`: `campaign_not_found`, and for a campaign
        that is named what entering would be refused with.
        """

        def ways(connection: Connection) -> Ways:
            if campaign is None:
                return _ways(connection, guild_id, author_id, now)
            return _way(connection, _called(connection, guild_id, campaign), author_id, now)

        return await self._database.read(ways)

    async def campaigns_for(
        self, guild_id: int, author_id: int, typed: str, now: int
    ) -> tuple[Campaign, ...]:
        """Campaigns to choose from: the open ones, and others that the member has an entry in."""
        wanted = typed.strip().casefold()

        def choose(connection: Connection) -> tuple[Campaign, ...]:
            return tuple(
                campaign
                for campaign in campaigns.live(connection, guild_id, limit=_MOST_LIVE)
                if (wanted in campaign.name.casefold() or wanted in campaign.slug)
                and (
                    _takes(campaign, now)
                    or entries.of_author(connection, campaign.id, author_id) is not None
                )
            )[:_MINE]

        return await self._database.read(choose)

    async def submit(self, nomination: Nomination, now: int) -> Receipt:
        """Promise the nomination a place; the same source again returns the first receipt.

        Raises `Refused`: `campaign_not_found`, `author_already_submitted`, `campaign_not_open`,
        `submission_deadline_passed`, `campaign_at_capacity`, `empty_title`, `invalid_url`.
        """
        references = tuple(_reference() for _ in range(5))
        receipt = await self._database.write(
            lambda connection: submit(connection, nomination, references, now)
        )
        self._wake()
        return receipt

    async def withdraw(self, guild_id: int, entry_id: int, author_id: int, now: int) -> Entry:
        """Take an entry out; doing so again changes nothing. It frees no place.

        Raises `Refused`: `entry_not_found`, `not_entry_author`, `entry_already_completed`.
        """

        def withdraw(connection: Connection) -> Entry:
            entry = entry_in_guild(connection, guild_id, entry_id)
            event = Withdraw(author_id=author_id)
            return move_entry(connection, entry, event, actor_id=author_id, now=now)

        return await self._written(withdraw)

    async def withdraw_mine(
        self, guild_id: int, campaign_id: int, author_id: int, now: int
    ) -> tuple[Campaign, Entry | None]:
        """Take the author's entry in a campaign out, as `withdraw` does; None: they have none.

        Raises `Refused`: `campaign_not_found`, `entry_already_completed`.
        """

        def withdraw(connection: Connection) -> tuple[Campaign, Entry | None]:
            campaign = in_guild(connection, guild_id, campaign_id)
            entry = entries.of_author(connection, campaign_id, author_id)
            if entry is not None:
                event = Withdraw(author_id=author_id)
                entry = move_entry(connection, entry, event, actor_id=author_id, now=now)
            return campaign, entry

        found = await self._database.write(withdraw)
        self._wake()
        return found

    async def to_withdraw(self, guild_id: int, author_id: int, typed: str) -> tuple[Entry, ...]:
        """The author's entries that can be withdrawn and fit what was typed, newest first."""
        wanted = typed.strip().casefold()
        found = await self._database.read(
            lambda connection: entries.all_of_author(
                connection, author_id, guild_id=guild_id, limit=_SEARCHED
            )
        )
        return tuple(
            entry
            for entry in found
            if entry.state_name in UNFINISHED
            and wanted in f"{entry.reference} {entry.title}".casefold()
        )[:_MINE]

    async def to_answer(self, entry_id: int, author_id: int) -> Entry:
        """Before the answer's form is shown: the entry as it stands; raises as `answer` does."""

        def find(connection: Connection) -> Entry:
            entry = entries.load(connection, entry_id)
            transition(entry, Answer(author_id=author_id, words=""))
            return entry

        return await self._database.read(find)

    async def answer(
        self,
        entry_id: int,
        author_id: int,
        words: str,
        now: int,
        *,
        changes: dict[str, str] | None = None,
    ) -> Entry:
        """Answer what an entry was sent back with: it waits for a reviewer again.

        `changes` may give a new `title`, `url` or `why`. Raises `Refused`: `entry_not_found`,
        `not_entry_author`, `entry_not_returned`, and as `submit` does for what is changed.
        """

        def answer(connection: Connection) -> Entry:
            entry = entries.load(connection, entry_id)
            event = _answered(entry, author_id, words, changes or {})
            return move_entry(connection, entry, event, actor_id=author_id, now=now)

        return await self._written(answer)

    async def agree(self, guild_id: int, entry_id: int, author_id: int, *, named: bool) -> Receipt:
        """Whether the author agrees to be named.

        Raises `Refused`: `entry_not_found`, `not_entry_author`.
        """

        def agree(connection: Connection) -> Receipt:
            entry = entry_in_guild(connection, guild_id, entry_id)
            if entry.author_id != author_id:
                raise Refused("not_entry_author", reference=entry.reference)
            entries.set_named(connection, entry_id, named=named)
            return _receipt(connection, entries.load(connection, entry_id))

        return await self._database.write(agree)

    async def mine(self, guild_id: int | None, author_id: int) -> tuple[Receipt, ...]:
        """The author's entries with their campaigns, newest first: in one guild, or in all."""

        def mine(connection: Connection) -> tuple[Receipt, ...]:
            return tuple(
                _receipt(connection, entry)
                for entry in entries.all_of_author(
                    connection, author_id, guild_id=guild_id, limit=_MINE
                )
            )

        return await self._database.read(mine)

    async def by_reference(self, guild_id: int, reference: str) -> Entry:
        """The guild's entry by what people type; raises `Refused("entry_not_found")`."""
        return await self._database.read(
            lambda connection: entries.by_reference(connection, guild_id, reference.strip())
        )

    async def _written(self, act: Callable[[Connection], Entry]) -> Entry:
        entry = await self._database.write(act)
        self._wake()
        return entry


def submit(
    connection: Connection, nomination: Nomination, references: tuple[str, ...], now: int
) -> Receipt:
    """Count the promise and write its entry; see `Nominations.submit`."""
    campaign = in_guild(connection, nomination.guild_id, nomination.campaign_id)
    earlier = entries.of_author(connection, campaign.id, nomination.author_id)
    if earlier is not None and earlier.source == nomination.source:
        return Receipt(entry=earlier, campaign=campaign, repeated=True)
    _one_an_author(connection, campaign, nomination.author_id)
    campaign = move_campaign(
        connection, campaign, Accept(now=now), actor_id=nomination.author_id, now=now
    )
    work = checked_work(nomination.title, nomination.url, nomination.why)
    entry = entries.insert(
        connection,
        entries.NewEntry(
            references=references,
            campaign_id=campaign.id,
            guild_id=campaign.guild_id,
            author_id=nomination.author_id,
            source=nomination.source,
            source_locale=nomination.locale,
            title=work.title,
            url=work.url,
            why=work.why,
            named=nomination.named,
            created_at=now,
        ),
    )
    desks.remember_name(connection, campaign.guild_id, nomination.author_id, nomination.author_name)
    return Receipt(entry=entry, campaign=campaign)


def _receipt(connection: Connection, entry: Entry) -> Receipt:
    return Receipt(entry=entry, campaign=campaigns.load(connection, entry.campaign_id))


def _called(connection: Connection, guild_id: int, campaign: int | str) -> Campaign:
    if isinstance(campaign, int):
        return in_guild(connection, guild_id, campaign)
    return campaigns.by_slug(connection, guild_id, slug_of(campaign))


def _takes(campaign: Campaign, now: int) -> bool:
    return isinstance(campaign.state, Open) and now < campaign.closes_at


def _way(connection: Connection, campaign: Campaign, author_id: int, now: int) -> Ways:
    """Into one campaign, or to the entry that is in it."""
    earlier = entries.of_author(connection, campaign.id, author_id)
    if earlier is not None:
        return Ways(mine=(Receipt(entry=earlier, campaign=campaign),))
    campaign_rules.transition(campaign, Accept(now=now))
    return Ways(campaigns=(campaign,))


def _ways(connection: Connection, guild_id: int, author_id: int, now: int) -> Ways:
    """Into what is open; where that leads nowhere new, to all that the member has entered."""
    live = campaigns.live(connection, guild_id, limit=_MOST_LIVE)
    taking = tuple(campaign for campaign in live if _takes(campaign, now))
    if len(taking) == 1:
        way = _way(connection, taking[0], author_id, now)
        if way.campaigns:
            return way
    elif taking:
        return Ways(campaigns=taking)
    found = entries.all_of_author(connection, author_id, guild_id=guild_id, limit=_MINE)
    return Ways(mine=tuple(_receipt(connection, entry) for entry in found))


def _one_an_author(connection: Connection, campaign: Campaign, author_id: int) -> None:
    earlier = entries.of_author(connection, campaign.id, author_id)
    if earlier is not None:
        raise Refused("author_already_submitted", name=campaign.name, reference=earlier.reference)


def _answered(entry: Entry, author_id: int, words: str, changes: dict[str, str]) -> Answer:
    work = checked_work(
        changes.get("title", entry.title), changes.get("url", entry.url), changes.get("why", "")
    )
    return Answer(
        author_id=author_id,
        words=tidy(words, limit=WORDS_LIMIT, lines=True),
        title=work.title if "title" in changes else None,
        url=work.url if "url" in changes else None,
        why=work.why if "why" in changes else None,
    )


def _reference() -> str:
    return "E" + "".join(secrets.choice(_ALPHABET) for _ in range(5))
