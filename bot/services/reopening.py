"""Reopening: what has ended never changes, so a member who needs more help asks anew with it.

The new request goes to the whole queue at once. Its card names the one it reopens and who had that,
so that they are the first to know that it is theirs, and the others can leave it to them. It is not
kept for them: somebody who waits for help should not wait longer because one person is asleep.
"""

from collections.abc import Callable
from dataclasses import dataclass

from bot.services.helpdesk import Ask, HelpDesk, Receipt, new_references
from domain.errors import Refused
from domain.requests import Request, Resolved, Route
from storage import desks, requests, retention
from storage.database import Connection, Database


@dataclass(frozen=True, slots=True, kw_only=True)
class Again:
    """A member wants to reopen a request, under the interaction that says so."""

    interaction_id: int
    request_id: int
    member_id: int
    member_name: str
    locale: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reopened:
    """The receipt of the new request, and the one that it reopens."""

    receipt: Receipt
    earlier: Request


class Reopening:
    """Use cases over one ledger. `wake` tells the worker that there is something to do."""

    def __init__(
        self, database: Database, helpdesk: HelpDesk, reopen_ms: int, wake: Callable[[], None]
    ) -> None:
        self._database = database
        self._helpdesk = helpdesk
        self._reopen_ms = reopen_ms
        self._wake = wake

    async def guild_of(self, request_id: int, member_id: int) -> int:
        """Where the member asked. Raises `Refused`: `request_not_found`."""
        request = await self._database.read(lambda c: _own(c, request_id, member_id))
        return request.guild_id

    async def reopen(self, again: Again, now: int) -> Reopened:
        """Queue a request that reopens theirs; the same interaction returns the first receipt.

        Raises `Refused`: `request_not_found`, `reopen_over` for what is open still, was not
        resolved, ended too long ago or is erased; and what asking is refused with.
        """
        references = new_references()

        def reopen(connection: Connection) -> Reopened:
            earlier = _own(connection, again.request_id, again.member_id)
            before = requests.by_interaction(connection, again.interaction_id)
            if before is not None:
                return Reopened(receipt=self._helpdesk.given(connection, before), earlier=earlier)
            self._check(connection, earlier, now)
            ask = _ask(connection, earlier, again)
            receipt = self._helpdesk.queue_in(
                connection, ask, references, now, reopens=earlier, route=_route(connection, earlier)
            )
            return Reopened(receipt=receipt, earlier=earlier)

        reopened = await self._database.write(reopen)
        self._wake()
        return reopened

    def _check(self, connection: Connection, earlier: Request, now: int) -> None:
        ended_at = retention.ended_at(connection, earlier.id)
        if (
            not isinstance(earlier.state, Resolved)
            or ended_at is None
            or now >= ended_at + self._reopen_ms
            or not retention.is_kept(connection, earlier.id)
        ):
            raise Refused("reopen_over")


def _own(connection: Connection, request_id: int, member_id: int) -> Request:
    request = requests.load(connection, request_id)
    if request.member_id != member_id:
        raise Refused("request_not_found")
    return request


def _ask(connection: Connection, earlier: Request, again: Again) -> Ask:
    return Ask(
        interaction_id=again.interaction_id,
        guild_id=earlier.guild_id,
        guild_name=desks.load(connection, earlier.guild_id).guild_name,
        member_id=again.member_id,
        member_name=again.member_name,
        topic=earlier.topic,
        details=earlier.details,
        locale=again.locale,
    )


def _route(connection: Connection, earlier: Request) -> Route:
    """A member who was answered in a private thread has closed DMs, as far as we know."""
    desk = desks.load(connection, earlier.guild_id)
    if earlier.route is Route.THREAD and desk.help_channel_id is not None:
        return Route.THREAD
    return desk.route
