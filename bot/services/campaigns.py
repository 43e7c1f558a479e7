"""Organizers' use cases: create, edit, drain, close, list, progress. Each is one transaction."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.services import buttons
from bot.services.access import Actor, require_organizer
from bot.services.buttons import Pair, Visit
from bot.services.showcase import in_guild, move_campaign
from domain.campaigns import (
    BeginDraining,
    Campaign,
    Close,
    EditCampaign,
    check_terms,
    slug_of,
    transition,
)
from domain.entries import UNFINISHED, Entry, reviewer_of
from domain.errors import Refused
from domain.text import tidy
from storage import campaign_cards, campaigns, desks, entries
from storage.database import Connection, Database

NAME_LIMIT = 80
TEXT_LIMIT = 1000
PAGE = 10
_MOST_LIVE = 100
CLOSE = "close_campaign"
"""The act that closing confirms."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCampaign:
    """What an organizer asks for, under the interaction that brought it."""

    interaction_id: int
    guild_id: int
    channel_id: int
    name: str
    text: str
    capacity: int
    closes_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What is to be different; None leaves it as it is."""

    name: str | None = None
    text: str | None = None
    channel_id: int | None = None
    capacity: int | None = None
    closes_at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """Where a campaign stands, from the ledger. `names` are authors' and reviewers', by id.

    `open_entries` are at most a page of what is unfinished; `next_after` asks for the next one.
    """

    campaign: Campaign
    counts: dict[str, int]
    open_entries: tuple[Entry, ...]
    names: dict[int, str]
    next_after: int | None

    @property
    def unfinished(self) -> int:
        return unfinished(self.counts)


def unfinished(counts: dict[str, int]) -> int:
    """How many promises are still to be kept."""
    return sum(counts.get(state, 0) for state in UNFINISHED)


class Campaigns:
    """Use cases over one ledger. `wake` tells the worker that there is something to do."""

    def __init__(self, database: Database, wake: Callable[[], None]) -> None:
        self._database = database
        self._wake = wake

    async def create(self, new: NewCampaign, actor: Actor, now: int) -> Campaign:
        """Open a campaign; the same interaction again returns the first one.

        Raises `Refused`: `desk_not_ready`, `not_organizer`, `empty_name`, `campaign_exists`,
        `invalid_capacity`, `invalid_deadline`.
        """

        def create(connection: Connection) -> Campaign:
            require_organizer(desks.load(connection, new.guild_id), actor)
            earlier = campaigns.by_interaction(connection, new.interaction_id)
            if earlier is not None:
                return earlier
            name, slug = _called(connection, new.guild_id, new.name)
            check_terms(capacity=new.capacity, accepted_count=0, closes_at=new.closes_at, now=now)
            made = campaigns.NewCampaign(
                interaction_id=new.interaction_id,
                guild_id=new.guild_id,
                channel_id=new.channel_id,
                slug=slug,
                name=name,
                text=tidy(new.text, limit=TEXT_LIMIT, lines=True),
                capacity=new.capacity,
                closes_at=new.closes_at,
                created_by=actor.member_id,
                created_at=now,
            )
            campaign = campaigns.insert(connection, made)
            campaign_cards.touch(connection, campaign.id, campaign.guild_id, now)
            return campaign

        return await self._written(create)

    async def edit(
        self, guild_id: int, campaign_id: int, changes: Changes, actor: Actor, now: int
    ) -> Campaign:
        """Change an open campaign's terms.

        Raises `Refused` as `create` does, and `campaign_not_found`, `campaign_not_open`.
        """

        def edit(connection: Connection) -> Campaign:
            campaign = _organized(connection, guild_id, campaign_id, actor)
            event = _edited(campaign, changes, now)
            if not event.slug:
                raise Refused("empty_name")
            transition(campaign, event)  # whether it may be edited at all counts first
            if event.slug != campaign.slug:
                _require_free(connection, guild_id, event.slug, event.name)
            after = move_campaign(connection, campaign, event, actor_id=actor.member_id, now=now)
            if after.channel_id != campaign.channel_id:
                campaign_cards.moved(connection, after.id, now)
            return after

        return await self._written(edit)

    async def drain(self, guild_id: int, campaign_id: int, actor: Actor, now: int) -> Campaign:
        """Take no more entries. Raises `Refused`: `campaign_not_open` and as `edit` does."""

        def drain(connection: Connection) -> Campaign:
            campaign = _organized(connection, guild_id, campaign_id, actor)
            event = BeginDraining()
            return move_campaign(connection, campaign, event, actor_id=actor.member_id, now=now)

        return await self._written(drain)

    async def ask_close(self, guild_id: int, campaign_id: int, actor: Actor, now: int) -> Pair:
        """Closing can't be undone: arm its confirmation.

        Raises `Refused` for what could not be closed now: `campaign_not_draining`,
        `unfinished_entries`.
        """

        def ask_close(connection: Connection) -> Pair:
            campaign = _organized(connection, guild_id, campaign_id, actor)
            transition(campaign, _closing(connection, campaign))
            visit = Visit(
                subject=f"campaign:{campaign.id}", guild_id=guild_id, member_id=actor.member_id
            )
            return buttons.ask(connection, visit, CLOSE, now)

        return await self._database.write(ask_close)

    async def close(self, guild_id: int, token: str, actor: Actor, now: int) -> Campaign:
        """Close the campaign behind the button `yes`; every rule is checked again.

        Raises `Refused` as `ask_close` does, and as buttons do.
        """

        def close(connection: Connection) -> Campaign:
            button = buttons.use(connection, token, actor.member_id, now, action=f"yes:{CLOSE}")
            campaign_id = int(button.subject.partition(":")[2])
            campaign = _organized(connection, guild_id, campaign_id, actor)
            event = _closing(connection, campaign)
            return move_campaign(connection, campaign, event, actor_id=actor.member_id, now=now)

        return await self._written(close)

    async def page(
        self, guild_id: int, actor: Actor, *, before: int | None = None
    ) -> tuple[Campaign, ...]:
        """A page of the guild's campaigns, newest first: those before that id, or the first."""

        def page(connection: Connection) -> tuple[Campaign, ...]:
            require_organizer(desks.load(connection, guild_id), actor)
            return campaigns.newest(connection, guild_id, before=before, limit=PAGE)

        return await self._database.read(page)

    async def live(self, guild_id: int) -> tuple[Campaign, ...]:
        """The guild's campaigns that are not closed, oldest first."""
        return await self._database.read(
            lambda connection: campaigns.live(connection, guild_id, limit=_MOST_LIVE)
        )

    async def by_slug(self, guild_id: int, slug: str) -> Campaign:
        """The guild's campaign by what people type; raises `Refused("campaign_not_found")`."""
        typed = slug_of(slug)
        return await self._database.read(
            lambda connection: campaigns.by_slug(connection, guild_id, typed)
        )

    async def progress(
        self, guild_id: int, campaign_id: int, actor: Actor, *, after_id: int = 0
    ) -> Progress:
        """Where the campaign stands; raises `Refused`: `not_organizer`, `campaign_not_found`."""

        def progress(connection: Connection) -> Progress:
            campaign = _organized(connection, guild_id, campaign_id, actor)
            return _progress(connection, campaign, after_id)

        return await self._database.read(progress)

    async def _written(self, act: Callable[[Connection], Campaign]) -> Campaign:
        campaign = await self._database.write(act)
        self._wake()
        return campaign


def _organized(connection: Connection, guild_id: int, campaign_id: int, actor: Actor) -> Campaign:
    require_organizer(desks.load(connection, guild_id), actor)
    return in_guild(connection, guild_id, campaign_id)


def _called(connection: Connection, guild_id: int, typed: str) -> tuple[str, str]:
    name = tidy(typed, limit=NAME_LIMIT)
    slug = slug_of(name)
    if not slug:
        raise Refused("empty_name")
    _require_free(connection, guild_id, slug, name)
    return name, slug


def _require_free(connection: Connection, guild_id: int, slug: str, name: str) -> None:
    if not campaigns.is_slug_free(connection, guild_id, slug):
        raise Refused("campaign_exists", name=name)


def _edited(campaign: Campaign, changes: Changes, now: int) -> EditCampaign:
    name, text = campaign.name, campaign.text
    if changes.name is not None:
        name = tidy(changes.name, limit=NAME_LIMIT)
    if changes.text is not None:
        text = tidy(changes.text, limit=TEXT_LIMIT, lines=True)
    return EditCampaign(
        name=name,
        slug=slug_of(name),
        text=text,
        channel_id=campaign.channel_id if changes.channel_id is None else changes.channel_id,
        capacity=campaign.capacity if changes.capacity is None else changes.capacity,
        closes_at=campaign.closes_at if changes.closes_at is None else changes.closes_at,
        now=now,
    )


def _closing(connection: Connection, campaign: Campaign) -> Close:
    return Close(unfinished=unfinished(entries.counts(connection, campaign.id)))


def _progress(connection: Connection, campaign: Campaign, after_id: int) -> Progress:
    found = entries.unfinished(connection, campaign.id, limit=PAGE + 1, after_id=after_id)
    shown = found[:PAGE]
    people = {entry.author_id for entry in shown}
    people |= {who for entry in shown if (who := reviewer_of(entry.state)) is not None}
    names = {who: desks.name_of(connection, campaign.guild_id, who) for who in people}
    return Progress(
        campaign=campaign,
        counts=entries.counts(connection, campaign.id),
        open_entries=shown,
        names={who: name for who, name in names.items() if name is not None},
        next_after=shown[-1].id if len(found) > PAGE else None,
    )
