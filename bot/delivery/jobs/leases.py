"""Leases that have run out: claims go back to the queue, openings are reconciled."""

import logging

from bot.services.requests import apply
from domain.requests import LeaseElapsed
from storage import requests
from storage.database import Connection, Database

log = logging.getLogger(__name__)

_BATCH = 100


class ExpireLeases:
    """One transaction a batch; a lease renewed meanwhile stays."""

    name = "expire_leases"

    def __init__(self, database: Database) -> None:
        self._database = database

    async def run(self, now: int) -> int | None:
        """Expire what is due at `now`; answer when the next lease runs out."""
        due, following = await self._database.read(
            lambda connection: (
                requests.due_leases(connection, now, limit=_BATCH),
                requests.next_lease(connection),
            )
        )
        if not due:
            return following

        def expire(connection: Connection) -> tuple[tuple[int, str], ...]:
            ended = []
            for request in requests.due_leases(connection, now, limit=_BATCH):
                after = apply(connection, request, LeaseElapsed(now=now), actor_id=None, now=now)
                ended.append((after.id, after.state_name))
            return tuple(ended)

        for request_id, state in await self._database.write(expire):
            log.info("lease_elapsed", extra={"request": request_id, "state": state})
        return now
