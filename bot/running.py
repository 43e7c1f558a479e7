"""`steward run`: start, deliver, and stop in order, leaving nothing in flight unrecorded.

Starting: open the ledger, log in, take the runtime lease (or stand by for it), then the worker and
the gateway. Stopping, within ten seconds: the calls under way end, the lease is given back, the
gateway closes, then the ledger.
"""

import asyncio
import logging
import os
import secrets
import signal
import socket
from collections.abc import Coroutine
from typing import Any

from bot.app import CannotConnect, StewardBot, Unreachable, find_gateway, log_in
from bot.clock import Clock, SystemClock
from bot.delivery import discord_internals, discord_wire
from bot.delivery.assembly import Delivery, assemble
from bot.delivery.discord_messenger import DiscordMessenger
from bot.delivery.downloading import HttpDownloader
from bot.delivery.jobs.files import Files
from bot.delivery.lease import Lease
from bot.delivery.sender import ApplicationRefused, Stranded
from bot.delivery.spool import Spool
from bot.plan import Plan
from bot.services import services
from bot.translating import LibreTranslate, Translator
from domain.delivery import backoff_ms
from storage import runtime
from storage.database import Database
from storage.errors import StorageError

log = logging.getLogger(__name__)

DRAIN_SECONDS = 6.0
CLOSE_SECONDS = 2.0


class Failed(Exception):
    """Steward can't go on; the message is one line for the person who runs it."""


async def run(plan: Plan, stop: asyncio.Event) -> None:
    """Run until `stop` is set.

    Raises `Failed` or `StorageError` when it can't go on.
    """
    discord_internals.check()
    database = await Database.open(plan.ledger, durability=plan.durability)
    try:
        process = _Process(plan, database, SystemClock())
        await _until(stop, process.serve())
    finally:
        await database.close()


def stop_on_signals(stop: asyncio.Event) -> None:
    """Set `stop` on SIGTERM and SIGINT."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)


async def _until(stop: asyncio.Event, serving: Coroutine[Any, Any, None]) -> None:
    """Serve until `stop`; what ends the serving before is raised."""
    task = asyncio.ensure_future(serving)
    stopped = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({task, stopped}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        stopped.cancel()
        task.cancel()
        await asyncio.wait({task})
    if not task.cancelled():
        task.result()


class _Process:
    """One run of Steward over an open ledger."""

    def __init__(self, plan: Plan, database: Database, clock: Clock) -> None:
        self._plan = plan
        self._database = database
        self._clock = clock
        self._woken = asyncio.Event()
        self._spool = Spool.beside(plan.ledger)
        self._services = services(
            database,
            plan.requests,
            self._woken.set,
            self._spool.path,
            plan.delivery.showcase,
        )

    async def serve(self) -> None:
        """Serve until cancelled; ends in order on every path."""
        if self._plan.api_base is not None:
            discord_internals.use_api_base(self._plan.api_base)
        bot, application_id = await self._log_in()
        try:
            lease = Lease(
                self._database,
                self._clock,
                application_id=application_id,
                owner=f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}",
                lease_ms=self._plan.lease_ms,
            )
            await lease.wait_for()
            await self._deliver(bot, lease, application_id)
        except (CannotConnect, Unreachable, ApplicationRefused, Stranded) as error:
            raise Failed(str(error)) from error
        except runtime.LeaseLost as error:
            raise Failed("another process delivers for this application now") from error
        finally:
            await _within(CLOSE_SECONDS, bot.close())

    async def _log_in(self) -> tuple[StewardBot, int]:
        """A logged-in bot; an unreachable Discord is tried again, a refused token is not."""
        tries = 0
        while True:
            bot = StewardBot(self._services, self._clock, _translator(self._plan))
            try:
                application_id = await log_in(bot, self._plan.token)
                if self._plan.api_base is not None:
                    await find_gateway(bot)
            except Unreachable as error:
                await bot.close()
                tries += 1
                wait = backoff_ms(tries, base_ms=1000, cap_ms=60_000, jitter=0.5)
                log.warning("discord_unreachable", extra={"problem": str(error), "wait_ms": wait})
                await asyncio.sleep(wait / 1000)
            except CannotConnect as error:
                await bot.close()
                raise Failed(str(error)) from error
            else:
                return bot, application_id

    async def _deliver(self, bot: StewardBot, lease: Lease, application_id: int) -> None:
        downloader = HttpDownloader()
        files = Files(spool=self._spool, downloader=downloader)
        delivery = assemble(
            self._database,
            DiscordMessenger(bot, files.spool),
            self._clock,
            lease,
            self._plan.delivery,
            self._woken,
            bot.dispatch,
            self._services.intake,
            files=files,
        )
        bot.receipts = delivery.receipts
        bot.typing = delivery.typing
        notes = _ConnectionNotes(lease, self._woken)
        bot.on_connection = notes.changed
        tasks = [
            asyncio.create_task(delivery.worker.run(), name="worker"),
            asyncio.create_task(lease.keep(), name="lease"),
            asyncio.create_task(bot.stay_connected(), name="gateway"),
            asyncio.create_task(notes.write_down(), name="notes"),
            asyncio.create_task(self._ledger_failed(), name="ledger"),
        ]
        if self._plan.sync_commands:
            tasks.append(asyncio.create_task(self._sync(bot, application_id), name="commands"))
        try:
            await _first_end(tasks)
        finally:
            await self._stop(delivery, lease, tasks)
            await downloader.close()

    async def _stop(
        self, delivery: Delivery, lease: Lease, tasks: list["asyncio.Task[None]"]
    ) -> None:
        delivery.worker.stop()
        still_up = await delivery.worker.land(DRAIN_SECONDS)
        if still_up:
            log.warning("calls_left_in_flight", extra={"calls": still_up})
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks, timeout=1)
        await delivery.downloads.cancel()
        await discord_wire.finish_calls(0.5)
        try:
            await lease.release()
        except StorageError as error:
            log.warning("lease_not_released", extra={"problem": str(error)})

    async def _ledger_failed(self) -> None:
        await self._database.failed.wait()
        raise Failed(str(self._database.failure))

    async def _sync(self, bot: StewardBot, application_id: int) -> None:
        """Tell Discord our commands where they have changed, however long it takes."""
        wanted = await bot.commands_hash()
        known = await self._database.read(
            lambda connection: runtime.synced_commands(connection, application_id)
        )
        tries = 0
        while known != wanted:
            try:
                await bot.tree.sync()
                await self._database.write(
                    lambda connection: runtime.note_synced(
                        connection, application_id, wanted, self._clock.now()
                    )
                )
                known = wanted
                log.info("commands_synced", extra={"hash": wanted[:12]})
            except Exception:
                tries += 1
                log.exception("commands_not_synced", extra={"tries": tries})
                wait = backoff_ms(tries, base_ms=5000, cap_ms=600_000, jitter=0.5)
                await asyncio.sleep(wait / 1000)
        await asyncio.Event().wait()


def _translator(plan: Plan) -> Translator | None:
    if plan.translating is None:
        return None
    return LibreTranslate(plan.translating.url, plan.translating.api_key)


class _ConnectionNotes:
    """Whether the gateway is connected, for `steward status`; a change wakes the worker too."""

    def __init__(self, lease: Lease, woken: asyncio.Event) -> None:
        self._lease = lease
        self._woken = woken
        self._connected = False
        self._news = asyncio.Event()

    def changed(self, connected: bool) -> None:
        self._connected = connected
        self._news.set()
        self._woken.set()

    async def write_down(self) -> None:
        """Keep the note up to date; a note that the disk refuses is not worth stopping for."""
        while True:
            await self._news.wait()
            self._news.clear()
            try:
                await self._lease.say(connected=self._connected)
            except StorageError as error:
                log.warning("connection_not_noted", extra={"problem": str(error)})


async def _first_end(tasks: list["asyncio.Task[None]"]) -> None:
    """Wait until one of the tasks, which all serve for ever, ends; raise what ended it."""
    done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()
    raise Failed(f"{min(task.get_name() for task in done)} has ended by itself")


async def _within(seconds: float, closing: Coroutine[Any, Any, None]) -> None:
    task = asyncio.ensure_future(closing)
    done, _ = await asyncio.wait({task}, timeout=seconds)
    if done and not task.cancelled() and (error := task.exception()) is not None:
        log.error("close_failed", exc_info=error)
