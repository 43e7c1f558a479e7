"""A sandbox with a guild, a channel and two people; and a client that is connected to it."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

import pytest
from discord.gateway import DiscordWebSocket
from discord.http import Route

from sandbox import Sandbox
from sandbox.entities import Channel, Guild, User
from tests.sandbox.rig import Listener, connected


@pytest.fixture(autouse=True)
def _library_put_back() -> Iterator[None]:
    base, gateway = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    yield
    Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = base, gateway


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with Sandbox() as made:
        yield made
        assert made.world.unknown == []


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
