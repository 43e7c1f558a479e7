"""The right to deliver: held by one process at a time, renewed while it lives.

A process that could not renew in time must send nothing more; it finds out in the transaction that
records its next attempt. If another has taken the lease it ends, and what it had in flight is the
other's to reconcile. If nobody has, it renews and goes on: the machine's clock may have jumped.
"""

import asyncio
import logging

from bot.clock import Clock
from storage import runtime
from storage.database import Connection, Database
from storage.errors import DatabaseLocked, StorageError

log = logging.getLogger(__name__)

_LOOK_SECONDS = 1.0
_LOOKS = 5
"""So often a standby looks at a lease that is far ahead, before it takes it for a dead one's."""


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
        self._until = 0

    @property
    def until(self) -> int:
        """No call may leave after this (UTC ms): never further ahead than one length."""
        return min(self._until, self._clock.now() + self._lease_ms)

    async def acquire(self, *, stood_still: int | None = None) -> runtime.RuntimeLease:
        """Try to take the lease; answer who holds it now. See `runtime.acquire`."""
        now = self._clock.now()
        until = now + self._lease_ms
        lease = await self._database.write(
            lambda connection: runtime.acquire(
                connection,
                self._application_id,
                self.owner,
                now,
                until,
                stood_still=stood_still,
            )
        )
        if lease.owner == self.owner:
            self._until = lease.lease_until
        return lease

    async def wait_for(self) -> None:
        """Return once this process holds the lease: at once, or as a standby when it runs out.

        A holder that was stopped in the middle of a transaction holds the file too; that is waited
        for like the lease.
        """
        waiting_for, seen, looks = None, None, 0
        while True:
            try:
                lease = await self.acquire(stood_still=seen if looks >= _LOOKS else None)
            except DatabaseLocked as error:
                log.warning("lease_not_read", extra={"problem": str(error)})
                continue
            if lease.owner == self.owner:
                log.info("lease_taken", extra={"until": lease.lease_until})
                return
            if waiting_for != lease.owner:
                log.info("standing_by", extra={"holder": lease.owner, "until": lease.lease_until})
                waiting_for = lease.owner
            looks = looks + 1 if lease.lease_until == seen else 1
            seen = lease.lease_until
            left_ms = lease.lease_until - self._clock.now()
            await asyncio.sleep(min(max(left_ms, 50) / 1000, _LOOK_SECONDS))

    def require(self, connection: Connection, now: int) -> None:
        """In the transaction that records an attempt: raise unless we may deliver.

        `LeaseLost` where another process delivers, `LeaseRanOut` where we may after `renew`.
        """
        runtime.require(connection, self._application_id, self.owner, now)

    async def renew(self) -> None:
        """Hold on to the lease; raises `LeaseLost` when it is no longer ours."""
        until = self._clock.now() + self._lease_ms
        await self._database.write(
            lambda connection: runtime.renew(connection, self._application_id, self.owner, until)
        )
        self._until = until

    async def renew_if_due(self) -> None:
        """Renew where a third of the lease is over, or the clock was set back."""
        if self._lease_ms * 2 / 3 < self._until - self._clock.now() <= self._lease_ms:
            return
        await self.renew()

    async def keep(self) -> None:
        """Renew for ever; raises `LeaseLost` when the lease has changed hands.

        A renewal that the disk refuses is tried again: meanwhile nothing is sent.
        """
        while True:
            await asyncio.sleep(min(self._lease_ms / 6000, _LOOK_SECONDS))
            try:
                await self.renew_if_due()
            except StorageError as error:
                log.warning("lease_not_renewed", extra={"problem": str(error)})
                await asyncio.sleep(self._lease_ms / 6000)

    async def release(self) -> None:
        """Give the lease back, so that the next process need not wait."""
        now = self._clock.now()
        await self._database.write(
            lambda connection: runtime.release(connection, self._application_id, self.owner, now)
        )
        self._until = 0

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
