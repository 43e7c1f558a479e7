"""Who is still staff, by Discord's own answer, over real sockets and without the cache."""

from collections.abc import AsyncIterator
from pathlib import Path

import discord
import pytest
from discord.http import Route

from bot.delivery import discord_wire
from bot.delivery.discord_messenger import DiscordMessenger
from bot.delivery.messenger import Roles, Unreadable
from bot.delivery.spool import Spool
from domain.delivery import Unknown
from sandbox import Sandbox

MEMBER = "GET /guilds/{guild_id}/members/{user_id}"


@pytest.fixture
async def sandbox(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Sandbox]:
    async with Sandbox() as made:
        monkeypatch.setattr(Route, "BASE", made.api_base)
        yield made


@pytest.fixture
async def messenger(sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[DiscordMessenger]:
    """As in the first moment of a run: logged in, and the gateway not yet connected."""
    client = discord.Client(intents=discord.Intents.none(), http_trace=discord_wire.trace())
    await client.login(sandbox.token)
    yield DiscordMessenger(client, Spool(tmp_path))
    await client.close()


async def test_roles_are_known_before_the_gateway_is(
    sandbox: Sandbox, messenger: DiscordMessenger
) -> None:
    world = sandbox.world
    guild = world.add_guild("Town", owner=world.owner)
    staff = world.add_role(guild, "Staff")
    ben = world.add_user("ben")
    world.give_role(world.join(ben, guild), staff)
    assert await messenger.roles(guild.id, ben.id) == Roles(role_ids=frozenset({staff.id}))
    world.leave(ben, guild)
    assert await messenger.roles(guild.id, ben.id) == Roles(role_ids=None)


async def test_nobody_is_staff_where_the_bot_no_longer_is(
    sandbox: Sandbox, messenger: DiscordMessenger
) -> None:
    world = sandbox.world
    guild = world.add_guild("Town", owner=world.owner)
    world.remove_bot(guild)
    answer = await messenger.roles(guild.id, world.owner.id)
    assert answer == Roles(role_ids=None) or (
        isinstance(answer, Unreadable) and not isinstance(answer.outcome, Unknown)
    )


@pytest.mark.parametrize("fault", ["close_before", "close_after", "html"])
async def test_without_an_answer_nobody_is_taken_for_gone(
    sandbox: Sandbox, messenger: DiscordMessenger, fault: str
) -> None:
    world = sandbox.world
    guild = world.add_guild("Town", owner=world.owner)
    sandbox.faults.add(MEMBER, fault, times=None)
    answer = await messenger.roles(guild.id, world.owner.id)
    assert isinstance(answer, Unreadable)
    assert isinstance(answer.outcome, Unknown)
