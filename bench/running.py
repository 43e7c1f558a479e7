"""Steward and the bare bot as processes of their own, each before a loopback Discord of its own.

Both Discords are served by the measuring process, side by side.
"""

import asyncio
import os
import re
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from bench import stories
from bot.app import intents
from sandbox import Sandbox
from sandbox.entities import Channel, Guild, Role
from storage import desks
from storage.database import Database

ROOT = Path(__file__).resolve().parents[1]
START_SECONDS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A loopback Discord with one guild: a channel for everybody, and the desk's own."""

    sandbox: Sandbox
    guild: Guild
    general: Channel
    desk: Channel
    coordinators: Role


@asynccontextmanager
async def place() -> AsyncIterator[Place]:
    """A new one, with nobody connected yet."""
    async with Sandbox() as sandbox:
        world = sandbox.world
        guild = world.add_guild("Bench", owner=world.owner)
        yield Place(
            sandbox=sandbox,
            guild=guild,
            general=world.add_channel(guild, "general"),
            desk=world.add_channel(guild, "desk"),
            coordinators=world.add_role(guild, "Coordinators"),
        )


@asynccontextmanager
async def steward(
    where: Place, folder: Path, more: Mapping[str, str] | None = None
) -> AsyncIterator[int]:
    """`python -m bot run`, connected and with a desk; its process id.

    It runs at its default settings, but for `more` (by their variables' names).
    """
    ledger = folder / "steward.db"
    desk = replace(
        stories.DESK,
        guild_id=where.guild.id,
        channel_id=where.desk.id,
        coordinator_role_id=where.coordinators.id,
    )
    async with await Database.open(ledger) as database:
        await database.write(lambda connection: desks.put(connection, desk))
    settings = {
        "STEWARD_DISCORD__API_BASE": where.sandbox.api_base,
        "STEWARD_DISCORD__TOKEN": where.sandbox.token,
        "STEWARD_STORAGE__PATH": str(ledger),
        # One member writes more than people do.
        "STEWARD_DELIVERY__DM_MESSAGES_PER_MINUTE": "6000",
        **(more or {}),
    }
    log = folder / "steward.log"
    async with _process(["bot", "run"], settings, log, "gateway_ready", "commands_synced") as pid:
        yield pid


@asynccontextmanager
async def bare_bot(
    where: Place, folder: Path, *, keeps_a_row: bool = False, relays: bool = False
) -> AsyncIterator[int]:
    """`python -m bench.bare_bot`, connected; its process id."""
    settings = {
        "BARE_API_BASE": where.sandbox.api_base,
        "BARE_GATEWAY": where.sandbox.gateway.url,
        "BARE_TOKEN": where.sandbox.token,
        "BARE_INTENTS": str(intents().value),
    }
    if relays:
        settings["BARE_RELAYS_TO"] = str(where.desk.id)
    if keeps_a_row:
        settings["BARE_LEDGER"] = str(folder / "bare.db")
    log = folder / f"bare-{keeps_a_row}.log"
    async with _process(["bench.bare_bot"], settings, log, "ready") as pid:
        yield pid


def resident_kib(pid: int) -> int:
    """The resident memory of a process, as Linux counts it."""
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"^VmRSS:\s+([0-9]+) kB$", status, re.MULTILINE)
    assert found is not None
    return int(found[1])


def cpu_seconds(pid: int) -> float:
    """The processor time that a process has used until now, as Linux counts it."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@asynccontextmanager
async def _process(
    module: list[str], settings: Mapping[str, str], log: Path, *signs: str
) -> AsyncIterator[int]:
    """A Python program, from when its log holds all the signs; it is ended on the way out."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("STEWARD_")}
    with log.open("wb") as sink:
        running = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            *module,
            cwd=log.parent,
            env={**own, **settings, "PYTHONPATH": str(ROOT)},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=sink,
            stderr=sink,
        )
    try:
        await _said(log, signs, running)
        yield running.pid
    finally:
        if running.returncode is None:
            running.terminate()
        await running.wait()


async def _said(log: Path, signs: tuple[str, ...], running: asyncio.subprocess.Process) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not all(sign in _text(log) for sign in signs):
        if running.returncode is not None or time.monotonic() > deadline:
            raise RuntimeError(f"a program to measure did not start:\n{_text(log)[-2000:]}")
        await asyncio.sleep(0.02)


def _text(log: Path) -> str:
    return log.read_text()
