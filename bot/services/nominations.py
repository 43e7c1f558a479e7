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
from domain.campaigns import Accept, Campaign
from domain.entries import Answer, Entry, Withdraw
from domain.errors import Refused
from domain.text import tidy
from storage import campaigns, desks, entries
from storage.database import Connection, Database

_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
_MINE = 25


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

    async def agree(self, entry_id: int, author_id: int, *, named: bool) -> Entry:
        """Whether the author agrees to be named; raises `entry_not_found`, `not_entry_author`."""

        def agree(connection: Connection) -> Entry:
            entry = entries.load(connection, entry_id)
            if entry.author_id != author_id:
                raise Refused("not_entry_author", reference=entry.reference)
            entries.set_named(connection, entry_id, named=named)
            return entries.load(connection, entry_id)

        return await self._database.write(agree)

    async def mine(self, guild_id: int | None, author_id: int) -> tuple[Receipt, ...]:
        """The author's entries with their campaigns, newest first: in one guild, or in all."""

        def mine(connection: Connection) -> tuple[Receipt, ...]:
            return tuple(
                Receipt(entry=entry, campaign=campaigns.load(connection, entry.campaign_id))
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
