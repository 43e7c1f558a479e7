"""Leases that have run out: claims go back to the queue, openings are reconciled."""

import logging
from collections.abc import Callable

from bot.services.requests import apply
from domain.requests import LeaseElapsed
from storage import requests
from storage.database import Connection, Database

log = logging.getLogger(__name__)

_BATCH = 100
Tell = Callable[[str, int], None]
"""Tells the cogs of an event about a request, by its name and the request's id."""


class ExpireLeases:
    """One transaction a batch; a lease renewed meanwhile stays."""

    name = "expire_leases"

    def __init__(self, database: Database, tell: Tell, *, claim_lease_ms: int) -> None:
        self._database = database
        self._tell = tell
        self._warn_ms = claim_lease_ms // 5
        self._told: dict[int, int] = {}

    async def run(self, now: int) -> int | None:
        """Expire what is due at `now`; answer when the next lease runs out."""
        due, following = await self._database.read(
            lambda connection: (
                requests.due_leases(connection, now, limit=_BATCH),
                requests.next_lease(connection),
            )
        )
        if not due:
            return await self._warn(now, following)

        def expire(connection: Connection) -> tuple[tuple[int, str], ...]:
            ended = []
            for request in requests.due_leases(connection, now, limit=_BATCH):
                after = apply(connection, request, LeaseElapsed(now=now), actor_id=None, now=now)
                ended.append((after.id, after.state_name))
            return tuple(ended)

        for request_id, state in await self._database.write(expire):
            log.info("lease_elapsed", extra={"request": request_id, "state": state})
        return now

    async def _warn(self, now: int, following: int | None) -> int | None:
        """Say once of each claim that it runs out soon; answer when to look again."""
        if following is None:
            return None
        if following - self._warn_ms > now:
            return following - self._warn_ms
        ending = await self._database.read(
            lambda connection: requests.claims_ending(connection, now + self._warn_ms, limit=_BATCH)
        )
        self._told = {one: until for one, until in self._told.items() if until > now}
        for request_id, lease_until in ending:
            if self._told.get(request_id) != lease_until:
                self._told[request_id] = lease_until
                self._tell("claim_ending", request_id)
        return following
