"""A town for whole stories: a loopback Discord with people in it, and Steward as real processes."""

import asyncio
import contextlib
import json
import os
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sandbox.acts import Interaction
from sandbox.entities import Channel, Guild, Message, Role
from sandbox.people import Person
from sandbox.permissions import Permission
from sandbox.server import Sandbox

ROOT = Path(__file__).resolve().parents[2]
WAIT_SECONDS = 60
MESSAGES = "POST /channels/{channel_id}/messages"
OPEN_DM = "POST /users/@me/channels"

QUICK = {
    "WORKER__TICK_SECONDS": "0.2",
    "WORKER__LEASE_SECONDS": "3",
    "REQUESTS__OPENING_LEASE_SECONDS": "5",
    "DELIVERY__SETTLE_SECONDS": "1",
    "DELIVERY__NONCE_WINDOW_SECONDS": "60",
    "DELIVERY__BACKOFF_SECONDS": "0.05",
    "DELIVERY__BACKOFF_CAP_SECONDS": "1",
    "DELIVERY__NEW_DMS_PER_MINUTE": "1000",
    "DELIVERY__DM_MESSAGES_PER_MINUTE": "6000",
}


class Process:
    """One `steward run`, its log in a file."""

    def __init__(self, running: asyncio.subprocess.Process, log: Path) -> None:
        self._running = running
        self.log = log

    @property
    def pid(self) -> int:
        return self._running.pid

    @property
    def ended(self) -> bool:
        return self._running.returncode is not None

    @property
    def exit_code(self) -> int | None:
        return self._running.returncode

    def signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if not self.ended:
            self._running.send_signal(number)

    async def pause(self, database: Path) -> None:
        """SIGSTOP, at a moment when the process holds no lock on the database."""
        while True:
            self.signal(signal.SIGSTOP)
            connection = sqlite3.connect(database, timeout=0.2, isolation_level=None)
            try:
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("ROLLBACK")
            except sqlite3.OperationalError:
                self.signal(signal.SIGCONT)
                await asyncio.sleep(0)
            else:
                return
            finally:
                connection.close()

    async def kill(self) -> None:
        """SIGKILL, and wait for the end."""
        self.signal(signal.SIGKILL)
        await self._running.wait()

    async def wait(self) -> int:
        """The exit code, once there is one."""
        async with asyncio.timeout(WAIT_SECONDS):
            return await self._running.wait()

    async def stop(self) -> int:
        """SIGTERM, and the exit code."""
        self.signal(signal.SIGTERM)
        return await self.wait()

    def said(self) -> str:
        """What it has logged."""
        return self.log.read_text()

    def logged(self, event: str) -> bool:
        """Whether it has logged this event."""
        return any(
            json.loads(line).get("event") == event
            for line in self.said().splitlines()
            if line.startswith("{")
        )


@dataclass
class Town:
    """A guild with a desk, its people, and the processes that serve it."""

    sandbox: Sandbox
    folder: Path
    guild: Guild
    coordinators: Role
    general: Channel
    desk: Channel
    olga: Person
    ada: Person
    ben: Person
    cleo: Person
    processes: list[Process] = field(default_factory=list)

    @property
    def database(self) -> Path:
        return self.folder / "steward.db"

    async def start(
        self,
        settings: Mapping[str, str] | None = None,
        *,
        program: str = "bot",
        env: Mapping[str, str] | None = None,
    ) -> Process:
        """Start a process; it is not waited for."""
        log = self.folder / f"log-{len(self.processes)}.jsonl"
        values = {
            **QUICK,
            **(settings or {}),
            "DISCORD__API_BASE": self.sandbox.api_base,
            "DISCORD__TOKEN": self.sandbox.token,
            "STORAGE__PATH": str(self.database),
            "LOG__FORMAT": "json",
        }
        variables = {
            **os.environ,
            **{f"STEWARD_{name}": value for name, value in values.items()},
            **(env or {}),
            "PYTHONPATH": str(ROOT),
        }
        with log.open("wb") as sink:
            running = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                program,
                "run",
                cwd=self.folder,
                env=variables,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=sink,
                stderr=sink,
            )
        process = Process(running, log)
        self.processes.append(process)
        return process

    async def serve(self, settings: Mapping[str, str] | None = None, **options: object) -> Process:
        """Start a process, and return once it is connected and its commands are known."""
        process = await self.start(settings, **options)  # type: ignore[arg-type]
        await self.until(
            lambda: process.logged("gateway_ready") and bool(self.sandbox.world.commands), process
        )
        return process

    async def until(self, holds: Callable[[], object], process: Process | None = None) -> None:
        """Wait until something holds; when it never does, say what the process logged."""
        held = False
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(WAIT_SECONDS):
                while not (held := bool(holds())):
                    if process is not None and process.ended:
                        break
                    await asyncio.sleep(0.02)
        # What held once did come to be, though it may be over by now.
        if not held and not holds():
            logs = "\n".join(one.said()[-3000:] for one in self.processes)
            raise AssertionError(f"it never came to be; the logs end:\n{logs}")

    async def set_up_desk(self, **options: object) -> None:
        """Olga sets the desk up and confirms."""
        given = {"channel": self.desk, "coordinators": self.coordinators, **options}
        shown = self.olga.command("desk setup", self.general, given)
        await shown.first_answer()
        await self.until(lambda: shown.messages and shown.messages[-1].components)
        pressed = self.olga.click(shown.messages[-1], "Confirm")
        await pressed.first_answer()
        await self.until(lambda: self.rows("SELECT 1 FROM desk"))

    async def ask(self, who: Person, topic: str = "Printer") -> Interaction:
        """Somebody asks with a topic; the receipt is there on return."""
        asked = who.command("help", self.general, topic=topic)
        await asked.first_answer()
        return asked

    async def card(self, number: int = 0) -> Message:
        """The card number `number` at the desk, oldest first, once it is there."""
        await self.until(lambda: len(self.cards()) > number)
        return self.cards()[number]

    def cards(self) -> list[Message]:
        """The messages at the desk that can be seen."""
        return [one for one in self.olga.view(self.desk) if one.visible_to is None]

    def dms(self, who: Person) -> list[Message]:
        """What the bot has written to somebody, as they see it."""
        bot = self.sandbox.world.bot.id
        return [one for one in who.view(who.dm) if one.author_id == bot]

    def rows(self, query: str) -> list[tuple[object, ...]]:
        """Read the ledger, as an onlooker."""
        if not self.database.exists():
            return []
        connection = sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)
        try:
            return connection.execute(query).fetchall()
        except sqlite3.OperationalError:
            return []
        finally:
            connection.close()

    def states(self) -> list[str]:
        """The states of all requests, oldest first."""
        return [str(row[0]) for row in self.rows("SELECT state FROM request ORDER BY id")]


@asynccontextmanager
async def town(folder: Path) -> AsyncIterator[Town]:
    """A town whose processes are all ended at its end."""
    async with Sandbox() as sandbox:
        world = sandbox.world
        guild = world.add_guild("Harbour", owner=world.owner)
        coordinators = world.add_role(guild, "Coordinators")
        admins = world.add_role(guild, "Admins", permissions=Permission.ADMINISTRATOR)
        general = world.add_channel(guild, "general")
        desk = world.add_channel(guild, "desk")
        world.set_overwrite(desk, guild.roles[guild.id], deny=Permission.VIEW_CHANNEL)
        world.set_overwrite(desk, coordinators, allow=Permission.VIEW_CHANNEL)
        world.set_overwrite(desk, world.bot_role(guild), allow=Permission.VIEW_CHANNEL)
        names = ("olga", "ada", "ben", "cleo")
        olga, ada, ben, cleo = (sandbox.person(world.add_user(name)) for name in names)
        olga.join(guild, admins)
        ada.join(guild)
        ben.join(guild, coordinators)
        cleo.join(guild, coordinators)
        made = Town(
            sandbox=sandbox,
            folder=folder,
            guild=guild,
            coordinators=coordinators,
            general=general,
            desk=desk,
            olga=olga,
            ada=ada,
            ben=ben,
            cleo=cleo,
        )
        try:
            yield made
        finally:
            for process in made.processes:
                await process.kill()
