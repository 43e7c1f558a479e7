"""Who is still staff, by Discord's own answer, over real sockets and without the cache."""

from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord.http import Route

from bot.delivery import discord_wire
from bot.delivery.discord_messenger import DiscordMessenger
from bot.delivery.discord_reading import manages_guild
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


class _Guild:
    """A cached guild, as far as it is asked."""

    def __init__(self, **roles: int) -> None:
        self.id = 5
        self.owner_id = 1
        self._roles = {int(key[1:]): discord.Permissions(value) for key, value in roles.items()}

    def get_role(self, role_id: int) -> Any:
        held = self._roles.get(role_id)
        return None if held is None else SimpleNamespace(permissions=held)


@pytest.mark.parametrize(
    ("guild", "member_id", "held", "manages"),
    [
        (None, 2, (), None),
        (_Guild(), 1, (), None),
        (_Guild(r5=0), 1, (), True),
        (_Guild(r5=0), 2, (), False),
        (_Guild(r5=0, r6=1 << 5), 2, (), False),
        (_Guild(r5=0, r6=1 << 5), 2, (6,), True),
        (_Guild(r5=0, r6=1 << 3), 2, (6, 7), True),
        (_Guild(r5=1 << 5), 2, (), True),
    ],
)
def test_who_manages_a_server_is_known_from_its_roles_and_owner(
    guild: Any, member_id: int, held: tuple[int, ...], manages: bool | None
) -> None:
    assert manages_guild(guild, member_id, held) is manages
