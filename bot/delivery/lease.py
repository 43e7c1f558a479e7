"""The right to deliver: held by one process at a time, renewed while it lives.

A process that could not renew in time must send nothing more; it finds out in the transaction that
records its next attempt, and ends. What it had in flight is the next owner's to reconcile.
"""

import asyncio
import logging

from bot.clock import Clock
from storage import runtime
from storage.database import Connection, Database
from storage.errors import DatabaseLocked, StorageError

log = logging.getLogger(__name__)


class Lease:
    """This process's hold on the runtime lease of one application.

    `lease_ms` is how long it lasts without a renewal; it is renewed three times in that time.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        application_id: int,
        owner: str,
        lease_ms: int,
    ) -> None:
        self._database = database
        self._clock = clock
        self._application_id = application_id
        self._lease_ms = lease_ms
        self.owner = owner
        self.until = 0

    async def acquire(self) -> runtime.RuntimeLease:
        """Try to take the lease; answer who holds it now."""
        now = self._clock.now()
        until = now + self._lease_ms
        lease = await self._database.write(
            lambda connection: runtime.acquire(
                connection, self._application_id, self.owner, now, until
            )
        )
        if lease.owner == self.owner:
            self.until = lease.lease_until
        return lease

    async def wait_for(self) -> None:
        """Return once this process holds the lease: at once, or as a standby when it runs out.

        A holder that was stopped in the middle of a transaction holds the file too; that is waited
        for like the lease.
        """
        waiting_for = None
        while True:
            try:
                lease = await self.acquire()
            except DatabaseLocked as error:
                log.warning("lease_not_read", extra={"problem": str(error)})
                continue
            if lease.owner == self.owner:
                log.info("lease_taken", extra={"until": lease.lease_until})
                return
            if waiting_for != lease.owner:
                log.info("standing_by", extra={"holder": lease.owner, "until": lease.lease_until})
                waiting_for = lease.owner
            left_ms = lease.lease_until - self._clock.now()
            await asyncio.sleep(min(max(left_ms, 50), 1000) / 1000)

    def require(self, connection: Connection, now: int) -> None:
        """In the transaction that records an attempt: raise `LeaseLost` unless we may deliver."""
        runtime.require(connection, self._application_id, self.owner, now)

    async def renew(self) -> None:
        """Hold on to the lease; raises `LeaseLost` when it is no longer ours."""
        now = self._clock.now()
        until = now + self._lease_ms
        await self._database.write(
            lambda connection: runtime.renew(
                connection, self._application_id, self.owner, now, until
            )
        )
        self.until = until

    async def keep(self) -> None:
        """Renew for ever; raises `LeaseLost` when the lease has run out or changed hands.

        A renewal that the disk refuses is tried again until the lease has run out.
        """
        while True:
            await asyncio.sleep(self._lease_ms / 3000)
            try:
                await self.renew()
            except StorageError as error:
                log.warning("lease_not_renewed", extra={"problem": str(error)})
                if self._clock.now() >= self.until:
                    raise runtime.LeaseLost from error

    async def release(self) -> None:
        """Give the lease back, so that the next process need not wait."""
        now = self._clock.now()
        await self._database.write(
            lambda connection: runtime.release(connection, self._application_id, self.owner, now)
        )
        self.until = 0

    async def say(self, *, connected: bool, problem: str | None = None) -> None:
        """Note for `steward status` how the gateway is."""
        await self._database.write(
            lambda connection: runtime.say(
                connection,
                self._application_id,
                self.owner,
                connected=connected,
                problem=problem,
            )
        )
