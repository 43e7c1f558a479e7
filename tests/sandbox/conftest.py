"""A sandbox with a guild, a channel and two people; and a client that is connected to it."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from discord.gateway import DiscordWebSocket
from discord.http import Route

from sandbox import Sandbox
from sandbox.entities import Channel, Guild, User
from tests.openapi import OpenApi, load
from tests.sandbox.rig import Listener, connected


@pytest.fixture(autouse=True)
def _library_put_back() -> Iterator[None]:
    base, gateway = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    yield
    Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = base, gateway


@pytest.fixture(scope="session")
def openapi(project_root: Path) -> OpenApi | None:
    return load(project_root)


@pytest.fixture
async def sandbox(openapi: OpenApi | None) -> AsyncIterator[Sandbox]:
    """Whatever a test does with it, it has been asked nothing it doesn't have, and every exchange
    was as Discord's own file has it, where that file is there.
    """
    async with Sandbox() as made:
        problems = [] if openapi is None else openapi.attach(made)
        yield made
        assert made.world.unknown == []
        assert problems == []


@dataclass(frozen=True, slots=True, kw_only=True)
class Town:
    """A guild with one channel, its owner and a member."""

    guild: Guild
    channel: Channel
    owner: User
    ada: User


@pytest.fixture
def town(sandbox: Sandbox) -> Town:
    world = sandbox.world
    owner = world.add_user("olga")
    guild = world.add_guild("Town", owner=owner)
    channel = world.add_channel(guild, "square")
    ada = world.add_user("ada", global_name="Ada")
    world.join(ada, guild)
    return Town(guild=guild, channel=channel, owner=owner, ada=ada)


@pytest.fixture
async def bot(sandbox: Sandbox, town: Town) -> AsyncIterator[Listener]:
    async with connected(sandbox) as client:
        yield client
