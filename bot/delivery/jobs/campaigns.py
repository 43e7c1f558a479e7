"""What happens in the showcase by itself: leases run out, deadlines come, buttons are over."""

import logging

from bot.delivery.jobs.leases import Tell
from bot.services.showcase import ShowcaseRules, drain_due, expire_due, warn_ending
from storage import buttons, campaigns, entries
from storage.database import Database

log = logging.getLogger(__name__)

_BATCH = 100
_PRUNED = 500


class RunShowcase:
    """Does what is due, some of it at a time: a long past never holds the other jobs up.

    Entries whose lease has run out go back to the queue, and whose time is nearly over, is told.
    Open campaigns begin draining at their deadline. One-visit buttons that are over are deleted.
    """

    name = "run_showcase"

    def __init__(self, database: Database, rules: ShowcaseRules, tell: Tell) -> None:
        self._database = database
        self._tell = tell
        self._warn_ms = rules.review_lease_ms // 5
        self._told: dict[int, int] = {}

    async def run(self, now: int) -> int | None:
        """Do what is due at `now`; answer when the next thing is."""
        lease, deadline, button = await self._database.read(
            lambda c: (entries.next_lease(c), campaigns.next_due(c), buttons.first_over(c))
        )
        if button is not None and button <= now:
            await self._database.write(lambda c: buttons.prune(c, now, limit=_PRUNED))
            button = now
        if deadline is not None and deadline <= now:
            for campaign in await self._database.write(lambda c: drain_due(c, now, limit=_BATCH)):
                log.info("campaign_draining", extra={"campaign": campaign.id})
            deadline = now
        if lease is not None:
            lease = await self._leases(lease, now)
        return min((at for at in (lease, deadline, button) if at is not None), default=None)

    async def _leases(self, next_lease: int, now: int) -> int | None:
        if next_lease <= now:
            for entry in await self._database.write(lambda c: expire_due(c, now, limit=_BATCH)):
                log.info("review_lease_elapsed", extra={"entry": entry.id})
            return now
        if next_lease > now + self._warn_ms:
            return next_lease - self._warn_ms
        ending, following = await self._database.read(
            lambda c: (
                entries.leases_ending(c, now + self._warn_ms, limit=_BATCH),
                entries.next_lease(c, after=now + self._warn_ms),
            )
        )
        await self._warn(dict(ending), now)
        return next_lease if following is None else min(next_lease, following - self._warn_ms)

    async def _warn(self, ending: dict[int, int], now: int) -> None:
        """Tell once of each lease that it runs out soon."""
        self._told = {one: until for one, until in self._told.items() if until > now}
        untold = {one: until for one, until in ending.items() if self._told.get(one) != until}
        if untold:
            await self._database.write(lambda c: warn_ending(c, untold, now))
            self._told |= untold
            for entry_id in untold:
                self._tell("review_ending", entry_id)
