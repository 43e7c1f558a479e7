"""What ended long enough ago is erased, a little at a time."""

import logging

from bot.services.retention import erase_some
from storage import retention
from storage.database import Connection, Database
from storage.retention import Due

log = logging.getLogger(__name__)

_EVERY_MS = 3_600_000
_REQUESTS = 10
_MESSAGES = 200


class EraseOld:
    """Looks at the start and every hour after that; erases until nothing is due.

    A request is a transaction of its own, or several where much was said in it, and between a few
    of them the other jobs have their turn. One that can't be erased now is logged, and tried again
    with the next look.
    """

    name = "retention"

    def __init__(self, database: Database, *, retention_ms: int) -> None:
        self._database = database
        self._retention_ms = retention_ms
        self._look_at = 0
        self._later: set[int] = set()
        self._after: dict[int, int] = {}

    async def run(self, now: int) -> int | None:
        """Erase some of what is due at `now`; answer when to go on or to look again."""
        if now < self._look_at <= now + _EVERY_MS:  # later: the clock was set back meanwhile
            return self._look_at
        before = now - self._retention_ms
        found, aside = await self._database.read(
            lambda connection: (
                retention.due(connection, before, limit=_REQUESTS + len(self._later)),
                retention.set_aside(connection, before, limit=_MESSAGES),
            )
        )
        due = [one for one in found if one.request_id not in self._later]
        if aside:
            await self._database.write(lambda connection: _erase_aside(connection, aside))
        for one in due:
            await self._erase(one, before)
        if due or aside:
            return now
        self._later.clear()
        self._look_at = now + _EVERY_MS
        return self._look_at

    async def _erase(self, due: Due, before: int) -> None:
        after = self._after.pop(due.request_id, 0)
        try:
            progress = await self._database.write(
                lambda connection: erase_some(
                    connection, due, after=after, limit=_MESSAGES, before=before
                )
            )
        except Exception:
            if self._database.failed.is_set():
                raise
            log.exception("not_erased", extra={"request": due.request_id})
            self._later.add(due.request_id)
            return
        if progress.done:
            log.info("erased", extra={"request": due.request_id})
        elif progress.last is not None:
            self._after[due.request_id] = progress.last
        else:
            self._later.add(due.request_id)


def _erase_aside(connection: Connection, events: tuple[int, ...]) -> None:
    for seq in events:
        retention.erase_set_aside(connection, seq)
