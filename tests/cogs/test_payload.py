"""What Discord is told about the commands: names, options and limits, against its own rules."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from tests.cogs.conftest import Scene

ROOTS = {"help", "requests", "desk", "review", "transcript"}
SUBCOMMAND = 1
TYPED = 1
MESSAGE_MENU = 3


@pytest.fixture
async def payload(scene: Scene) -> dict[str, Any]:
    tree = scene.bot.tree
    assert tree.translator is not None
    commands = [
        await command.get_translated_payload(tree, tree.translator)
        for command in tree.get_commands()
    ]
    return {command["name"]: json.loads(json.dumps(command)) for command in commands}


def named(payload: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every command that is typed, subcommand and option."""
    for command in payload.values():
        if command["type"] != TYPED:
            continue
        yield command
        for option in command["options"]:
            yield option
            yield from option.get("options", ())


async def test_the_commands_and_options_have_their_fixed_names(payload: dict[str, Any]) -> None:
    assert set(payload) >= ROOTS
    assert [option["name"] for option in payload["help"]["options"]] == ["topic"]
    assert [option["name"] for option in payload["transcript"]["options"]] == ["request"]
    assert {
        option["name"]: [inner["name"] for inner in option.get("options", ())]
        for option in payload["review"]["options"]
    } == {"next": ["campaign"], "mine": [], "reclaim": ["entry"]}
    desk = {
        option["name"]: [inner["name"] for inner in option.get("options", ())]
        for option in payload["desk"]["options"]
    }
    assert (
        desk.items()
        >= {
            "setup": [
                "channel",
                "coordinators",
                "reviewers",
                "organizers",
                "help_channel",
                "route",
                "identity",
                "timezone",
            ],
            "queue": [],
            "mine": [],
            "claim": ["request"],
            "release": ["request"],
            "extend": ["request"],
            "reconcile": [],
        }.items()
    )


async def test_no_command_is_hidden_from_those_who_need_it(payload: dict[str, Any]) -> None:
    for command in payload.values():
        assert command["default_member_permissions"] is None
    for name in ("help", "desk", "review", "transcript"):
        assert payload[name]["contexts"] == [0]
    assert payload["requests"]["contexts"] == [0, 1]
    assert all(command["integration_types"] == [0] for command in payload.values())


async def test_names_and_descriptions_keep_within_discords_limits(payload: dict[str, Any]) -> None:
    for one in named(payload):
        assert re.fullmatch(r"[a-z0-9_-]{1,32}", one["name"]), one["name"]
        assert 1 <= len(one["description"]) <= 100, one["name"]
        assert one["description"] != "…", one["name"]
        assert len(one.get("options", ())) <= 25, one["name"]
    for command in payload.values():
        size = sum(len(one["name"] + one["description"]) for one in named({"": command}))
        assert size <= 8000


async def test_a_menus_commands_are_in_servers_alone_and_fit(payload: dict[str, Any]) -> None:
    menus = [command for command in payload.values() if command["type"] != TYPED]
    assert {command["name"] for command in menus} >= {"Translate"}
    assert len(menus) <= 5
    for command in menus:
        assert command["type"] == MESSAGE_MENU
        assert command["contexts"] == [0]
        assert 1 <= len(command["name"]) <= 32


async def test_required_options_come_first_and_references_are_suggested(
    payload: dict[str, Any],
) -> None:
    for one in named(payload):
        options = [option for option in one.get("options", ()) if option["type"] != SUBCOMMAND]
        needed = [option.get("required", False) for option in options]
        assert needed == sorted(needed, reverse=True), one["name"]
        for option in options:
            if option["name"] in ("request", "timezone", "campaign", "entry"):
                assert option["autocomplete"] is True


async def test_discords_own_schema_takes_every_command(
    payload: dict[str, Any], project_root: Path
) -> None:
    file = project_root.parent / "shared" / "discord-api-spec" / "openapi.json"
    if not file.exists():
        pytest.skip("Discord's OpenAPI file is not beside the checkout")
    spec = json.loads(file.read_text(encoding="utf-8"))
    schema = {
        "$ref": "#/components/schemas/ApplicationCommandCreateRequest",
        "components": spec["components"],
    }
    validator = jsonschema_rs.validator_for(schema)
    for command in payload.values():
        assert [str(error) for error in validator.iter_errors(command)] == []
