"""The showcase's choices while a command is typed: each for those alone who may use it."""

from typing import Final

from bot.services.access import Actor, require_organizer, require_reviewer
from domain.campaigns import Campaign
from domain.entries import Entry
from storage import campaigns, desks, entries
from storage.database import Connection, Database

MOST: Final = 25
_READ: Final = 200


class Suggesting:
    """Reads over one ledger."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def to_review(self, guild_id: int, actor: Actor, typed: str) -> tuple[Campaign, ...]:
        """Campaigns that aren't closed and fit what was typed, for reviewers.

        Raises `Refused`: `desk_not_ready`, `not_reviewer`, `no_reviewer_role`.
        """
        wanted = typed.casefold().strip()

        def find(connection: Connection) -> tuple[Campaign, ...]:
            require_reviewer(desks.load(connection, guild_id), actor)
            found = campaigns.live(connection, guild_id, limit=_READ)
            return tuple(
                one for one in found if wanted in one.slug or wanted in one.name.casefold()
            )[:MOST]

        return await self._database.read(find)

    async def to_reclaim(self, guild_id: int, actor: Actor, typed: str) -> tuple[Entry, ...]:
        """Entries in reviewers' hands that fit what was typed, for organizers.

        Raises `Refused`: `desk_not_ready`, `not_organizer`.
        """
        wanted = typed.casefold().strip()

        def find(connection: Connection) -> tuple[Entry, ...]:
            require_organizer(desks.load(connection, guild_id), actor)
            found = entries.leased_in(connection, guild_id, limit=_READ)
            return tuple(
                one
                for one in found
                if wanted in one.reference.casefold() or wanted in one.title.casefold()
            )[:MOST]

        return await self._database.read(find)
