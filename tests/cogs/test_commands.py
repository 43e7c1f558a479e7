"""What Discord is told about our commands, held to its own API description."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from bot.app import StewardBot
from bot.clock import FakeClock
from bot.services import services
from bot.services.requests import RequestRules
from cogs.host import Room
from storage.database import Database

GUILD, BOT_DM = 0, 1
IN_DMS_TOO = {"requests"}


@pytest.fixture
async def bot(tmp_path: Path, clock: FakeClock) -> Any:
    database = await Database.open(tmp_path / "steward.db")
    loaded = StewardBot(services(database, RequestRules(), lambda: None), clock)
    try:
        await loaded.setup_hook()
        yield loaded
        await loaded.close()
    finally:
        await database.close()


def payload(bot: StewardBot) -> list[dict[str, Any]]:
    return [command.to_dict(bot.tree) for command in bot.tree.get_commands()]


def described(entry: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield entry
    for option in entry.get("options", ()):
        yield from described(option)


async def test_discord_would_take_our_commands(bot: StewardBot, project_root: Path) -> None:
    spec = project_root.parent / "shared" / "discord-api-spec" / "openapi.json"
    if not spec.is_file():
        pytest.skip("Discord's API description is not beside this checkout")
    schema = json.loads(spec.read_text(encoding="utf-8"))
    schema["$ref"] = "#/components/schemas/ApplicationCommandUpdateRequest"
    validator = jsonschema_rs.Draft202012Validator(schema)
    assert validator.is_valid({"name": "x" * 33}) is False
    for command in payload(bot):
        assert [error.message for error in validator.iter_errors(command)] == []


async def test_commands_are_offered_where_they_work_and_hidden_from_nobody(
    bot: StewardBot,
) -> None:
    for command in payload(bot):
        wanted = {GUILD, BOT_DM} if command["name"] in IN_DMS_TOO else {GUILD}
        assert set(command["contexts"]) == wanted, command["name"]
        assert command["default_member_permissions"] is None
        assert not command["nsfw"]


async def test_everything_that_is_offered_says_what_it_is_for(bot: StewardBot) -> None:
    entries = [entry for command in payload(bot) for entry in described(command)]
    assert entries
    for entry in entries:
        # discord.py writes an ellipsis where a description is missing.
        assert 3 < len(entry["description"]) <= 100, entry["name"]


async def test_options_that_name_a_request_are_completed_as_they_are_typed(
    bot: StewardBot,
) -> None:
    named = [
        entry
        for command in payload(bot)
        for entry in described(command)
        if entry["name"] == "request" and entry.get("type") == 3
    ]
    assert named
    assert all(option["autocomplete"] for option in named)


@pytest.mark.parametrize("kind", ["buttons", "forms"])
async def test_no_two_rooms_answer_the_same_prefix(bot: StewardBot, kind: str) -> None:
    prefixes = [
        prefix
        for cog in bot.cogs.values()
        if isinstance(cog, Room)
        for prefix in getattr(cog, kind)()
    ]
    assert prefixes
    assert sorted(prefixes) == sorted(set(prefixes))
    assert not any(":" in prefix for prefix in prefixes)
