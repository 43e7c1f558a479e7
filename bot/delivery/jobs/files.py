"""Fetching the files of carried messages into the spool, and keeping the spool within its limit.

The addresses die within a day, so a file is fetched as soon as its message is known, whatever the
message itself waits for. A file goes from hand to hand like this: its row says `wanted`; its bytes
come into an unfinished file; that is put in place under its hash; its row says `kept`. A death at
any line leaves a wanted row, and at most a file that no row names.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from bot.clock import Clock
from bot.delivery.downloading import Broken, Came, Download, Downloader, Refused, Stopped
from bot.delivery.flights import Flights
from bot.delivery.lease import Lease
from bot.delivery.sender import Rules
from bot.delivery.spool import Incoming, Spool, SpoolTrouble
from bot.services import attachments
from domain.files import FileState
from storage import files
from storage.database import Connection, Database
from storage.files import RelayedFile

log = logging.getLogger(__name__)

T = TypeVar("T")

_BATCH = 100


class Apart(Protocol):
    """Runs what may block elsewhere than in the event loop."""

    def __call__(self, work: Callable[[], T], /) -> Awaitable[T]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRules:
    """How large a file may be, what all may take together, in bytes; how often one is tried."""

    most_bytes: int
    spool_bytes: int
    tries: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """Where files come from and where they are kept; `apart` runs what may block."""

    spool: Spool
    downloader: Downloader
    apart: Apart = asyncio.to_thread


class FetchFiles:
    """One file a channel at a time, a few channels side by side.

    `flights` are its own: a fetch may be cancelled, and is begun anew.
    """

    name = "fetch_files"

    def __init__(
        self,
        database: Database,
        clock: Clock,
        flights: Flights,
        lease: Lease,
        waits: Rules,
        rules: FileRules,
        where: Files,
    ) -> None:
        self._database = database
        self._clock = clock
        self._flights = flights
        self._lease = lease
        self._waits = waits
        self._rules = rules
        self._spool = where.spool
        self._downloader = where.downloader
        self._apart = where.apart
        self._shelf = asyncio.Lock()  # no file is removed between its arrival and its row
        self._arriving: dict[tuple[int, int], int] = {}
        self._total = 0
        self._disk_tries = 0
        self._tidied = False

    async def run(self, now: int) -> int | None:
        """Start fetching what is due; answer when the next file is."""
        if not self._tidied:
            await self._tidy()
            self._tidied = True
        due, following, idle = await self._database.read(
            lambda connection: (
                files.due(connection, now, limit=_BATCH),
                files.next_due(connection, now),
                files.idle(connection, limit=_BATCH),
            )
        )
        if idle:
            await self._remove(idle)
        for file in due:

            async def fetch(file: RelayedFile = file) -> None:
                await self._fetch(file.message_id, file.ordinal)

            self._flights.start(("file", file.channel_id), fetch)
        upcoming = (following, self._flights.next_rested(now))
        return min((at for at in upcoming if at is not None), default=None)

    async def _tidy(self) -> None:
        """Remove what an earlier process left behind, unless something on disk can't be read."""
        held, named = await self._database.read(
            lambda connection: (files.is_held(connection), files.spooled_hashes(connection))
        )
        removed = await self._apart(lambda: self._spool.tidy(named, unfinished_only=held))
        if removed:
            log.info("spool_tidied", extra={"removed": removed})

    async def _remove(self, idle: tuple[str, ...]) -> None:
        """Remove files that no message needs: first from the ledger, then from the disk."""
        for sha256 in idle:
            async with self._shelf:

                def forget(connection: Connection, sha256: str = sha256) -> bool:
                    self._lease.require(connection, self._clock.now())
                    return files.forget(connection, sha256)

                if await self._database.write(forget):
                    await self._apart(lambda sha256=sha256: self._spool.remove(sha256))  # type: ignore[misc]

    async def _fetch(self, message_id: int, ordinal: int) -> None:
        file = await self._database.read(
            lambda connection: files.find(connection, message_id, ordinal)
        )
        if file is None or file.state is not FileState.WANTED or file.next_at > self._clock.now():
            return None
        if file.claimed > self._rules.most_bytes:
            return await self._lose(file, FileState.TOO_LARGE, "claimed")
        if not await self._has_room_for(file):
            return await self._lose(file, FileState.NO_ROOM, "claimed")
        key = (message_id, ordinal)
        self._arriving[key] = 0
        try:
            return await self._receive(file, key)
        except SpoolTrouble as trouble:
            return await self._hold(file, trouble)
        finally:
            del self._arriving[key]

    async def _has_room_for(self, file: RelayedFile) -> bool:
        """Whether the spool can take what the file claims to be, when all that is idle has left."""
        if await self._fits(file.claimed):
            return True
        idle = await self._database.read(lambda connection: files.idle(connection, limit=_BATCH))
        await self._remove(idle)
        return await self._fits(file.claimed)

    async def _fits(self, more: int) -> bool:
        self._total = await self._database.read(files.total)
        return self._taken() + more <= self._rules.spool_bytes

    def _taken(self) -> int:
        """What is in the spool or on its way there."""
        return self._total + sum(self._arriving.values())

    async def _receive(self, file: RelayedFile, key: tuple[int, int]) -> None:
        incoming = await self._apart(self._spool.begin)
        lost: FileState | None = None

        async def take(data: bytes) -> bool:
            nonlocal lost
            if incoming.size + len(data) > self._rules.most_bytes:
                lost = FileState.TOO_LARGE
            elif self._taken() + len(data) > self._rules.spool_bytes:
                lost = FileState.NO_ROOM
            if lost is not None:
                return False
            self._arriving[key] += len(data)
            await self._apart(lambda: incoming.write(data))
            return True

        try:
            assert file.url is not None
            came = await self._downloader.fetch(file.url, take)
            if lost is not None:
                await self._lose(file, lost, "cut_off", size=max(incoming.size, file.claimed))
            else:
                await self._settle(file, incoming, came)
        finally:
            incoming.discard()

    async def _settle(self, file: RelayedFile, incoming: Incoming, came: Download) -> None:
        match came:
            case Came() if incoming.size >= file.claimed:
                await self._keep(file, incoming)
            case Came() | Stopped():
                await self._again(file, "short")
            case Broken(problem=problem):
                await self._again(file, problem)
            case Refused(problem=problem):
                await self._lose(file, FileState.UNREADABLE, problem)

    async def _keep(self, file: RelayedFile, incoming: Incoming) -> None:
        async with self._shelf:
            sha256 = await self._apart(incoming.keep)

            def keep(connection: Connection) -> bool:
                now = self._clock.now()
                self._lease.require(connection, now)
                if files.keep(connection, file, sha256=sha256, size=incoming.size, now=now):
                    attachments.settled(connection, file.message_id, now)
                    return True
                return files.spooled_size(connection, sha256) is not None

            if not await self._database.write(keep):
                await self._apart(lambda: self._spool.remove(sha256))
        self._total = await self._database.read(files.total)
        self._disk_tries = 0
        log.info("file_spooled", extra={**_facts(file), "bytes": incoming.size})

    async def _again(self, file: RelayedFile, problem: str) -> None:
        """It did not come whole: it is tried again, but not for ever."""
        tries = file.tries + 1
        if tries >= self._rules.tries:
            return await self._lose(file, FileState.UNREADABLE, problem)
        next_at = self._clock.now() + self._waits.wait(tries)
        await self._database.write(
            lambda connection: files.retry(connection, file, problem, next_at)
        )
        log.info("file_fetched_again", extra={**_facts(file), "problem": problem, "tries": tries})
        return None

    async def _lose(
        self, file: RelayedFile, state: FileState, problem: str, *, size: int | None = None
    ) -> None:
        def lose(connection: Connection) -> None:
            files.lose(connection, file.message_id, file.ordinal, state, size=size, problem=problem)
            attachments.settled(connection, file.message_id, self._clock.now())

        await self._database.write(lose)
        log.info("file_not_carried", extra={**_facts(file), "why": state, "problem": problem})

    async def _hold(self, file: RelayedFile, trouble: SpoolTrouble) -> None:
        """The disk does not take it: that is no fault of the file, and costs it no try."""
        self._disk_tries += 1
        now = self._clock.now()
        next_at = now + self._waits.wait(self._disk_tries)
        log.warning("spool_trouble", extra={**_facts(file), "problem": trouble.problem})
        await self._database.write(
            lambda connection: attachments.hold(connection, file, trouble.problem, next_at, now)
        )


def _facts(file: RelayedFile) -> dict[str, object]:
    return {"message_id": file.message_id, "ordinal": file.ordinal, "channel": file.channel_id}
