"""Steward's real bot object on a real ledger, against simcord's Discord, in virtual time."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.app import StewardBot
from bot.clock import FakeClock
from bot.delivery.spool import Spool
from bot.services import services
from bot.services.requests import RequestRules
from domain import permissions
from storage import requests
from storage.database import Database


@dataclass
class Scene:
    """A guild with a desk channel that only the team sees, and the people in it."""

    env: Any
    bot: StewardBot
    database: Database
    clock: FakeClock
    woken: asyncio.Event
    guild: Any
    general: Any
    desk: Any
    coordinators: Any
    owner: Any
    ada: Any
    ben: Any
    cleo: Any

    async def set_up(self, **options: Any) -> None:
        """The owner sets the desk up and confirms."""
        shown = await self.owner.slash(
            self.general,
            "desk setup",
            channel=self.desk,
            coordinators=self.coordinators,
            **options,
        )
        await self.owner.click(shown.response, label="Confirm")

    async def ask(self, who: Any, topic: str = "Printer") -> Any:
        """A member asks with a topic."""
        return await who.slash(self.general, "help", topic=topic)

    async def states(self) -> list[str]:
        """The states of all requests, oldest first."""
        rows = await self.database.read(
            lambda connection: connection.execute(
                "SELECT state FROM request ORDER BY id"
            ).fetchall()
        )
        return [row[0] for row in rows]

    async def newest(self) -> Any:
        """The newest request."""

        def find(connection: Any) -> Any:
            (request_id,) = connection.execute("SELECT max(id) FROM request").fetchone()
            return requests.load(connection, request_id)

        return await self.database.read(find)


@pytest.fixture
def rules() -> RequestRules:
    """The help desk's rules; a test module may override them."""
    return RequestRules()


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    """A new ledger."""
    async with await Database.open(tmp_path / "steward.db") as opened:
        yield opened


@pytest.fixture
def woken() -> asyncio.Event:
    """Set whenever there is new work for the worker."""
    return asyncio.Event()


@pytest.fixture
def make_bot(
    database: Database, clock: FakeClock, rules: RequestRules, woken: asyncio.Event
) -> Callable[[], StewardBot]:
    """Makes a bot over the ledger, for the start and for each restart."""
    spooled = Spool.beside(database.path).path
    return lambda: StewardBot(services(database, rules, woken.set, spooled), clock)


@pytest.fixture
def simcord_bot(make_bot: Callable[[], StewardBot]) -> StewardBot:
    """The bot that simcord runs."""
    return make_bot()


@pytest.fixture
async def scene(
    simcord_env: Any,
    simcord_bot: StewardBot,
    database: Database,
    clock: FakeClock,
    woken: asyncio.Event,
) -> Scene:
    """A scene before its desk is set up."""
    env = simcord_env
    await simcord_bot.tree.sync()
    guild = env.create_guild(name="Harbour")
    coordinators = guild.create_role("Coordinators")
    admins = guild.create_role(
        "Admins", permissions=discord.Permissions(manage_guild=True, administrator=True)
    )
    hidden = {
        guild.default_role: discord.PermissionOverwrite(view_channel=False),
        coordinators: discord.PermissionOverwrite(view_channel=True),
        guild.me: discord.PermissionOverwrite(
            **dict.fromkeys(permissions.DESK + permissions.HELP, True)
        ),
    }
    return Scene(
        env=env,
        bot=simcord_bot,
        database=database,
        clock=clock,
        woken=woken,
        guild=guild,
        general=guild.create_text_channel("general"),
        desk=guild.create_text_channel("desk", overwrites=hidden),
        coordinators=coordinators,
        owner=guild.add_member(env.create_user("olga"), roles=[admins]),
        ada=guild.add_member(env.create_user("ada")),
        ben=guild.add_member(env.create_user("ben"), roles=[coordinators]),
        cleo=guild.add_member(env.create_user("cleo"), roles=[coordinators]),
    )
