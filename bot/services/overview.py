"""What people look at: a member's own requests with their timelines, a coordinator's own work."""

from dataclasses import dataclass

from bot.services.access import Actor, require_coordinator
from domain.requests import Request
from storage import desks, requests
from storage.database import Connection, Database
from storage.requests import HistoryRow

MEMBER_PAGE = 10
OWN_PAGE = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberRequest:
    """A member's request as they may see it: `before` is how many wait before them, if it waits."""

    request: Request
    guild_name: str
    before: int | None
    timeline: tuple[HistoryRow, ...]


class Overview:
    """Reads over one ledger."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_member(self, member_id: int, *, guild_id: int | None) -> tuple[MemberRequest, ...]:
        """The member's newest requests, at most `MEMBER_PAGE`: in one guild, or everywhere."""

        def find(connection: Connection) -> tuple[MemberRequest, ...]:
            found = []
            for request in requests.of_member(
                connection, member_id, guild_id=guild_id, limit=MEMBER_PAGE
            ):
                desk = desks.load(connection, request.guild_id)
                queued = request.state_name == "queued"
                found.append(
                    MemberRequest(
                        request=request,
                        guild_name=desk.guild_name,
                        before=requests.place(connection, request) if queued else None,
                        timeline=requests.history(connection, request.id),
                    )
                )
            return tuple(found)

        return await self._database.read(find)

    async def request(self, request_id: int) -> Request:
        """A request as it stands. Raises `Refused("request_not_found")`."""
        return await self._database.read(lambda connection: requests.load(connection, request_id))

    async def of_owner(self, guild_id: int, actor: Actor) -> tuple[Request, ...]:
        """What the actor owns in the guild, oldest first, at most `OWN_PAGE`.

        Raises `Refused`: `not_staff`, `desk_not_ready`.
        """

        def find(connection: Connection) -> tuple[Request, ...]:
            require_coordinator(desks.load(connection, guild_id), actor)
            return requests.owned(connection, guild_id, actor.member_id, limit=OWN_PAGE)

        return await self._database.read(find)

    async def suggest(
        self, guild_id: int, actor: Actor, typed: str, *, states: frozenset[str]
    ) -> tuple[Request, ...]:
        """The guild's requests in `states` whose reference or topic has `typed`; at most 25."""

        def find(connection: Connection) -> tuple[Request, ...]:
            require_coordinator(desks.load(connection, guild_id), actor)
            wanted = typed.casefold().strip()
            waiting = requests.queue(connection, guild_id, limit=200)
            own = requests.owned(connection, guild_id, actor.member_id, limit=200)
            free = requests.unassigned(connection, guild_id, limit=200)
            return tuple(
                request
                for request in (*own, *free, *waiting)
                if request.state_name in states
                and (wanted in request.reference.casefold() or wanted in request.topic.casefold())
            )[:25]

        return await self._database.read(find)
