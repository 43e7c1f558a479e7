"""`steward check` against a loopback Discord: each thing that is wrong with a set-up is said."""

import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from aiohttp import web
from discord import Client
from discord.http import Route as Address
from pydantic import SecretStr

from bot import checking
from bot.delivery.discord_checkup import Application, application_of
from bot.settings import Settings
from bot.settings_sections import DiscordSettings, StorageSettings, TranslationSettings
from domain import permissions
from domain.requests import Route
from sandbox import Sandbox
from sandbox.entities import Channel, Guild, Role
from sandbox.permissions import Permission
from storage import desks
from storage.database import Database
from storage.desks import Desk


@pytest.fixture(autouse=True)
def _library_put_back() -> Iterator[None]:
    base = Address.BASE
    yield
    Address.BASE = base


@dataclass
class Town:
    """A guild with a desk that is set up as it should be, and a ledger that knows it."""

    sandbox: Sandbox
    guild: Guild
    channel: Channel
    help_channel: Channel
    coordinators: Role
    ledger: Path
    token: str
    translation: TranslationSettings = field(default_factory=TranslationSettings)

    @property
    def desk(self) -> Desk:
        return Desk(
            guild_id=self.guild.id,
            guild_name="Town",
            channel_id=self.channel.id,
            help_channel_id=self.help_channel.id,
            coordinator_role_id=self.coordinators.id,
            reviewer_role_id=None,
            organizer_role_id=None,
            route=Route.DM,
            identity="name",
            timezone="UTC",
            locale="en-GB",
            problem=None,
            set_up_by=1,
            set_up_at=1,
        )

    async def settle(self, desk: Desk) -> None:
        """Put the desk in the ledger."""
        async with await Database.open(self.ledger) as database:
            await database.write(lambda connection: desks.put(connection, desk))

    async def check(self) -> tuple[bool, dict[str, list[str]]]:
        """Whether all holds, and the lines by their mark."""
        said: dict[str, list[str]] = {"ok": [], "note": [], "wrong": []}

        def say(line: str) -> None:
            mark, _, text = line.partition(" ")
            assert "\n" not in text
            said[mark].append(text.strip())

        settings = Settings(
            discord=DiscordSettings(token=SecretStr(self.token), api_base=self.sandbox.api_base),
            storage=StorageSettings(path=self.ledger),
            translation=self.translation,
        )
        return await checking.check(settings, say), said


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with Sandbox() as made:
        yield made
        assert made.world.unknown == []


@pytest.fixture
async def town(sandbox: Sandbox, tmp_path: Path) -> Town:
    world = sandbox.world
    guild = world.add_guild("Town", owner=world.add_user("olga"))
    coordinators = world.add_role(guild, "Coordinators")
    channel, help_channel = (world.add_channel(guild, name) for name in ("desk", "help"))
    world.set_overwrite(channel, guild.roles[guild.id], deny=Permission.VIEW_CHANNEL)
    world.set_overwrite(channel, world.bot_role(guild), allow=Permission.VIEW_CHANNEL)
    made = Town(
        sandbox=sandbox,
        guild=guild,
        channel=channel,
        help_channel=help_channel,
        coordinators=coordinators,
        ledger=tmp_path / "steward.db",
        token=sandbox.token,
    )
    await made.settle(made.desk)
    return made


async def test_all_holds_in_a_town_that_is_set_up(town: Town) -> None:
    holds, said = await town.check()
    assert said["wrong"] == []
    assert holds
    for what in ("settings", f"database {town.ledger}", "token", "desk of Town"):
        assert what in said["ok"]


async def test_before_the_first_run_there_is_nothing_wrong_but_much_to_do(
    town: Town, tmp_path: Path
) -> None:
    town.ledger = tmp_path / "later.db"
    holds, said = await town.check()
    assert holds
    assert any("first run makes it" in line for line in said["note"])
    assert any("/desk setup" in line for line in said["note"])
    assert not town.ledger.exists()


async def test_a_folder_that_is_not_there_is_wrong(town: Town, tmp_path: Path) -> None:
    town.ledger = tmp_path / "nowhere" / "steward.db"
    holds, said = await town.check()
    assert not holds
    assert any("folder" in line and "nowhere" in line for line in said["wrong"])


@pytest.mark.parametrize("content", [b"not a database at all" * 100, b""], ids=["text", "empty"])
async def test_a_file_that_is_no_ledger_is_wrong_and_stays_as_it_is(
    town: Town, content: bytes
) -> None:
    town.ledger = town.ledger.with_name("other.db")
    town.ledger.write_bytes(content)
    holds, said = await town.check()
    assert not holds
    assert len(said["wrong"]) == 1
    assert town.ledger.read_bytes() == content


async def test_a_damaged_ledger_is_wrong(town: Town) -> None:
    with closing(sqlite3.connect(town.ledger)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE").fetchone()
        (page,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'request_of_member'"
        ).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with town.ledger.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
    holds, said = await town.check()
    assert not holds
    assert any("damaged" in line for line in said["wrong"])


async def test_an_old_sqlite_is_noted_but_not_wrong(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 40, 1))
    holds, said = await town.check()
    assert holds
    assert any("3.51.3" in line for line in said["note"])
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 51, 3))
    assert not any("3.51.3" in line for line in (await town.check())[1]["note"])


async def test_a_refused_token_is_one_line_that_does_not_hold_it(town: Town) -> None:
    town.token = "MTIz.refused.0123456789012345678901234567"
    holds, said = await town.check()
    assert not holds
    (line,) = said["wrong"]
    assert "discord.token" in line
    assert "refused.0123" not in str(said)


async def test_an_unreachable_discord_is_one_line(town: Town) -> None:
    await town.sandbox.stop()
    holds, said = await town.check()
    assert not holds
    (line,) = said["wrong"]
    assert "reached" in line


async def test_a_discord_that_hangs_is_not_waited_for_for_ever(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "_PATIENCE_SECONDS", 0.2)
    fault = town.sandbox.faults.add("GET /guilds/{guild_id}", "hold_before")
    holds, said = await town.check()
    fault.abandon()
    assert not holds
    assert any("did not answer" in line for line in said["wrong"])


async def test_an_intent_that_is_off_is_noted_and_so_is_one_that_nobody_needs(town: Town) -> None:
    _, said = await town.check()
    assert "message content intent" in said["ok"]
    assert any(line.startswith("server members intent is on") for line in said["note"])
    town.sandbox.world.privileged = 0
    holds, said = await town.check()
    assert holds
    assert any(line.startswith("message content intent is off") for line in said["note"])
    assert not any("server members" in line for line in said["note"])


async def test_commands_that_go_to_another_address_are_wrong(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = application_of

    async def elsewhere(client: Client) -> Application:
        return replace(await read(client), interactions_elsewhere=True)

    monkeypatch.setattr("bot.checking.application_of", elsewhere)
    holds, said = await town.check()
    assert not holds
    assert [line for line in said["wrong"] if "interactions endpoint" in line]


async def test_a_guild_that_the_bot_has_left_is_wrong(town: Town) -> None:
    town.sandbox.world.remove_bot(town.guild)
    holds, said = await town.check()
    assert not holds
    assert any("no longer in that server" in line for line in said["wrong"])


async def test_a_desk_whose_channel_is_gone_is_wrong(town: Town) -> None:
    await town.settle(replace(town.desk, channel_id=4))
    holds, said = await town.check()
    assert not holds
    assert [line for line in said["wrong"] if "channel is gone" in line]


async def test_a_desk_whose_coordinators_role_is_gone_is_wrong(town: Town) -> None:
    await town.settle(replace(town.desk, coordinator_role_id=4))
    holds, said = await town.check()
    assert not holds
    assert [line for line in said["wrong"] if "role is gone" in line]


async def test_a_desk_that_everyone_can_read_is_wrong(town: Town) -> None:
    await town.settle(replace(town.desk, channel_id=town.help_channel.id, help_channel_id=None))
    holds, said = await town.check()
    assert not holds
    assert [line for line in said["wrong"] if "@everyone can read it" in line]


@pytest.mark.parametrize("name", permissions.DESK)
async def test_each_permission_that_is_missing_at_the_desk_is_named(town: Town, name: str) -> None:
    denied = Permission[name.upper()]
    world = town.sandbox.world
    world.set_overwrite(town.channel, world.bot_role(town.guild), deny=denied)
    holds, said = await town.check()
    assert not holds
    (line,) = [line for line in said["wrong"] if str(town.channel.id) in line]
    assert name.replace("_", " ") in line.lower()


async def test_a_guilds_name_can_not_take_the_terminal_over(town: Town) -> None:
    await town.settle(replace(town.desk, guild_name="Town\x1b[2J\nok all well"))
    _, said = await town.check()
    assert any("desk of Town[2J ok all well" in line for line in said["ok"])
    assert "\x1b" not in str(said["ok"])


@asynccontextmanager
async def translator(status: int, body: str) -> AsyncIterator[str]:
    """The address of a loopback server that answers everything with this."""

    async def answer(_: web.Request) -> web.Response:
        return web.Response(status=status, text=body)

    app = web.Application()
    app.router.add_get("/languages", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        host, port = runner.addresses[0][:2]
        yield f"http://{host}:{port}"
    finally:
        await runner.cleanup()


async def test_a_translator_that_is_there_holds(town: Town) -> None:
    async with translator(200, '[{"code": "de"}, {"code": "en"}]') as url:
        town.translation = TranslationSettings(provider="libretranslate", url=url)
        holds, said = await town.check()
    assert holds
    assert "translation between 2 languages" in said["ok"]


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (200, "<html>Welcome", "no LibreTranslate"),
        (403, "{}", "refuses to say"),
        (400, '{"error": "xx is not supported"}', "refuses to say"),
        (503, "", "can't be reached (HTTP 503)"),
    ],
)
async def test_a_translator_that_does_not_work_is_wrong(
    town: Town, status: int, body: str, words: str
) -> None:
    async with translator(status, body) as url:
        town.translation = TranslationSettings(provider="libretranslate", url=url)
        holds, said = await town.check()
    assert not holds
    (line,) = said["wrong"]
    assert line.startswith("translation.url: ")
    assert words in line


async def test_a_translator_that_is_not_there_is_wrong(town: Town, unused_tcp_port: int) -> None:
    url = f"http://127.0.0.1:{unused_tcp_port}"
    town.translation = TranslationSettings(provider="libretranslate", url=url)
    holds, said = await town.check()
    assert not holds
    assert [line for line in said["wrong"] if "translation.url: the translator can't be" in line]


async def test_where_no_provider_is_named_nothing_is_said_of_one(town: Town) -> None:
    _, said = await town.check()
    assert "translat" not in str(said)
