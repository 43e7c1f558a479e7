"""What discord.py makes of the gateway's messages, taken by Steward's real bot: through dpytest."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import discord.ext.test as dpytest
import pytest

from bot.app import StewardBot
from bot.clock import FakeClock
from bot.delivery.discord_reading import written
from bot.services import services
from bot.services.helpdesk import Ask
from bot.services.requests import RequestRules
from domain.requests import Route
from storage import desks, requests, rooms
from storage.database import Database
from storage.desks import Desk
from tests.cogs.talking import converse

THREAD = 77
COORDINATORS = 600


@dataclass
class Town:
    """A bot on a real ledger with one conversation: Ada's DM, and a thread at the desk."""

    bot: StewardBot
    database: Database
    guild: discord.Guild
    ada: Any
    ben: Any
    dm: Any

    async def carried(self) -> list[str]:
        """The texts of what is planned for the desk's thread, in order."""
        parts = await self.database.read(
            lambda connection: connection.execute(
                "SELECT payload FROM outbox_part WHERE kind = 'relay' AND destination = ?"
                " ORDER BY id",
                (THREAD,),
            ).fetchall()
        )
        return [payload for (payload,) in parts]

    async def count(self, table: str) -> int:
        rows = await self.database.read(
            lambda connection: connection.execute(f"SELECT count(*) FROM {table}").fetchone()
        )
        return int(rows[0])


@pytest.fixture
async def town(tmp_path: Path) -> AsyncIterator[Town]:
    clock = FakeClock(1_767_225_600_000)
    async with await Database.open(tmp_path / "steward.db") as database:
        own = services(database, RequestRules(), lambda: None)
        bot = StewardBot(own, clock)
        await bot._async_setup_hook()
        # dpytest finds its people in the library's cache, which Steward does without.
        dpytest.configure(bot, guilds=1, text_channels=1, members=0)
        bot._connection.member_cache_flags.joined = True
        bot.receipts = SimpleNamespace(deleted=_nothing)  # type: ignore[assignment]
        guild = dpytest.get_config().guilds[0]
        backend = dpytest.backend
        ada, ben = (
            backend.make_member(backend.make_user(name, "0001"), guild) for name in ("Ada", "Ben")
        )
        dm = await ada.create_dm()
        await database.write(lambda connection: desks.put(connection, _desk(guild)))
        await own.helpdesk.ask(_ask(guild, ada), clock.now())
        scene = SimpleNamespace(database=database, clock=clock)
        scene.newest = lambda: database.read(lambda connection: requests.load(connection, 1))
        await converse(scene, ben, channel_id=dm.id, thread_id=THREAD)  # type: ignore[arg-type]
        await database.write(_all_is_read)
        yield Town(bot=bot, database=database, guild=guild, ada=ada, ben=ben, dm=dm)
        await dpytest.empty_queue()


async def _nothing(_: int) -> bool:
    return False


def _all_is_read(connection: Any) -> None:
    connection.execute("UPDATE inbound SET behind = 0")


def _desk(guild: discord.Guild) -> Desk:
    return Desk(
        guild_id=guild.id,
        guild_name="Harbour",
        channel_id=1,
        help_channel_id=None,
        coordinator_role_id=COORDINATORS,
        reviewer_role_id=None,
        organizer_role_id=None,
        route=Route.DM,
        identity="name",
        timezone="UTC",
        locale="en",
        problem=None,
        set_up_by=1,
        set_up_at=1,
    )


def _ask(guild: discord.Guild, member: Any) -> Ask:
    return Ask(
        interaction_id=1,
        guild_id=guild.id,
        guild_name="Harbour",
        member_id=member.id,
        member_name="Ada",
        topic="Boat",
        details="",
        locale="en",
    )


async def _say(town: Town, text: str, **more: Any) -> discord.Message:
    return await dpytest.message(text, channel=town.dm, member=town.ada, **more)


async def _hear(town: Town) -> None:
    """The first event marks the gap of the start; what comes after is worked as it comes."""
    await town.bot.services.intake.close_gap(town.bot.clock.now())
    await town.database.write(_all_is_read)


async def test_a_direct_message_is_planned_for_the_thread(town: Town) -> None:
    await _hear(town)
    await _say(town, "my boat is gone")
    (payload,) = await town.carried()
    assert "my boat is gone" in payload
    assert "Ada" in payload


async def test_several_keep_their_order(town: Town) -> None:
    await _hear(town)
    for number in range(5):
        await _say(town, f"line {number}")
    assert [f"line {number}" in payload for number, payload in enumerate(await town.carried())] == [
        True
    ] * 5


async def test_a_message_in_a_channel_of_the_server_is_nobodys_business(town: Town) -> None:
    await _hear(town)
    channel = dpytest.get_config().channels[0]
    await dpytest.message("hello all", channel=channel, member=town.ada)
    assert await town.count("inbox_event") == 0


async def test_what_a_bot_writes_is_not_carried(town: Town) -> None:
    await _hear(town)
    user = dpytest.backend.make_user("Other bot", "0001")
    user.bot = True
    await dpytest.message("beep", channel=await user.create_dm(), member=user)
    assert await town.count("inbox_event") == 0


async def test_before_the_start_has_been_caught_up_a_message_waits(town: Town) -> None:
    await _say(town, "early")
    assert await town.carried() == []
    inbound = await town.database.read(lambda connection: rooms.inbound(connection, town.dm.id))
    assert inbound is not None
    assert inbound.cursor == 1
    assert await town.count("inbox_event") == 1


async def test_a_file_is_read_with_its_name(town: Town, tmp_path: Path) -> None:
    picture = tmp_path / "boat.png"
    picture.write_bytes(b"png" * 10)
    channel = dpytest.get_config().channels[0]
    message = await dpytest.message("look", channel=channel, member=town.ada, attachments=[picture])
    read = written(message, sees_content=True)
    assert read is not None
    (file,) = read.attachments
    assert file.name == "boat.png"
    assert read.author_id == town.ada.id


async def test_a_command_is_a_message_like_any_other(town: Town) -> None:
    """No message is ever a command: whoever is mentioned, and whatever it begins with."""
    await _hear(town)
    assert town.bot.user is not None
    await _say(town, f"{town.bot.user.mention} help")
    assert len(await town.carried()) == 1


async def test_a_message_right_behind_a_new_sessions_begin_does_not_move_the_cursor(
    town: Town,
) -> None:
    """READY, and a message before the library calls itself ready."""
    await _hear(town)
    one = await _say(town, "one")
    town.bot.dispatch("connect")
    await _say(town, "two")
    inbound = await town.database.read(lambda connection: rooms.inbound(connection, town.dm.id))
    assert inbound is not None
    assert (inbound.cursor, inbound.behind) == (one.id, 1)


async def test_a_guild_that_comes_late_is_read_on(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    for ready, behind in ((False, 0), (True, 1)):
        await _hear(town)
        monkeypatch.setattr(town.bot, "is_ready", lambda ready=ready: ready)
        town.bot.dispatch("guild_available", town.guild)
        await _say(town, "hello")
        inbound = await town.database.read(lambda connection: rooms.inbound(connection, town.dm.id))
        assert inbound is not None
        assert inbound.behind == behind
