"""The application's commands as it registered them, global ones and a guild's own."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sandbox.entities import Json
from sandbox.errors import NotSeen, invalid, refusal

if TYPE_CHECKING:
    from sandbox.world import World

SLASH, USER_MENU, MESSAGE_MENU = 1, 2, 3
SUBCOMMAND, SUBCOMMAND_GROUP = 1, 2

_NAME = re.compile(r"^[-_'\w]{1,32}$")
_KEPT = (
    "name",
    "name_localizations",
    "description_localizations",
    "options",
    "default_member_permissions",
    "contexts",
    "integration_types",
    "nsfw",
    "handler",
)


def of_scope(world: "World", guild_id: int | None) -> list[Json]:
    """The global commands, or one guild's."""
    wanted = None if guild_id is None else str(guild_id)
    return [each for each in world.commands.values() if each.get("guild_id") == wanted]


def overwrite_all(
    world: "World", guild_id: int | None, bodies: list[Mapping[str, Any]]
) -> list[Json]:
    """Replace a scope's commands; one that keeps its name and type keeps its id.

    Raises 50035 for a command that isn't valid, 30032 above 100 slash commands; nothing changes.
    """
    for index, body in enumerate(bodies):
        _check(body, f"{index}__")
    if sum(1 for each in bodies if (each.get("type") or SLASH) == SLASH) > 100:
        raise refusal(30032)
    before = of_scope(world, guild_id)
    made = [_made(world, guild_id, body, before) for body in bodies]
    for each in before:
        del world.commands[int(each["id"])]
    world.commands |= {int(each["id"]): each for each in made}
    return made


def upsert(world: "World", guild_id: int | None, body: Mapping[str, Any]) -> Json:
    """Create one, or replace the one of the same name and type. Raises 50035."""
    _check(body, "")
    made = _made(world, guild_id, body, of_scope(world, guild_id))
    world.commands[int(made["id"])] = made
    return made


def get(world: "World", guild_id: int | None, command_id: int) -> Json:
    """Raises 10063 when that scope has no such command."""
    found = world.commands.get(command_id)
    if found is None or found not in of_scope(world, guild_id):
        raise refusal(10063)
    return found


def _check(body: Mapping[str, Any], at: str) -> None:
    kind = body.get("type") or SLASH
    name, description = body.get("name") or "", body.get("description") or ""
    if kind == SLASH:
        if not _NAME.match(name) or name != name.lower():
            words = "Command name is invalid"
            raise invalid(**{f"{at}name": ("APPLICATION_COMMAND_INVALID_NAME", words)})
        if not 1 <= len(description) <= 100:
            words = "Must be between 1 and 100 in length."
            raise invalid(**{f"{at}description": ("BASE_TYPE_BAD_LENGTH", words)})
    elif not 1 <= len(name) <= 32:
        words = "Must be between 1 and 32 in length."
        raise invalid(**{f"{at}name": ("BASE_TYPE_BAD_LENGTH", words)})
    _check_options(body.get("options") or [], f"{at}options")


def _check_options(options: list[Json], at: str) -> None:
    if len(options) > 25:
        words = "Must be 25 or fewer in length."
        raise invalid(**{at: ("BASE_TYPE_MAX_LENGTH", words)})
    optional_seen = False
    for index, each in enumerate(options):
        where = f"{at}__{index}"
        if not _NAME.match(each.get("name") or ""):
            words = "Option name is invalid"
            raise invalid(**{f"{where}__name": ("APPLICATION_COMMAND_INVALID_NAME", words)})
        if not 1 <= len(each.get("description") or "") <= 100:
            words = "Must be between 1 and 100 in length."
            raise invalid(**{f"{where}__description": ("BASE_TYPE_BAD_LENGTH", words)})
        if each["type"] in (SUBCOMMAND, SUBCOMMAND_GROUP):
            _check_options(each.get("options") or [], f"{where}__options")
            continue
        if each.get("required") and optional_seen:
            words = "Required options must be placed before non-required options"
            raise invalid(**{where: ("APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", words)})
        optional_seen = optional_seen or not each.get("required")


def _made(
    world: "World", guild_id: int | None, body: Mapping[str, Any], before: list[Json]
) -> Json:
    kind = body.get("type") or SLASH
    same = [each for each in before if (each["name"], each["type"]) == (body["name"], kind)]
    permissions = body.get("default_member_permissions")
    made: Json = {
        "id": same[0]["id"] if same else str(world.ids.next()),
        "application_id": str(world.bot.id),
        "version": str(world.ids.next()),
        "type": kind,
        "description": body.get("description") or "",
        "dm_permission": body.get("dm_permission") is not False,
        "nsfw": False,
        "integration_types": [0],
        "contexts": None,
    }
    made |= {key: body[key] for key in _KEPT if body.get(key) is not None}
    made["default_member_permissions"] = None if permissions is None else str(permissions)
    made["options"] = [_option(each) for each in body.get("options") or []]
    if guild_id is not None:
        made["guild_id"] = str(guild_id)
    return made


def _option(raw: Json) -> Json:
    made = {key: value for key, value in raw.items() if value is not None}
    if not made.get("choices"):
        made.pop("choices", None)
    if raw["type"] in (SUBCOMMAND, SUBCOMMAND_GROUP):
        made["options"] = [_option(each) for each in raw.get("options") or []]
        made.pop("required", None)
    return made


def find(world: "World", name: str, kind: int, guild_id: int | None) -> Json:
    """What a person gets for that name there: the guild's own before a global one.

    Raises `NotSeen` when there is none, or when it isn't offered in this place.
    """
    for scope in [guild_id, None] if guild_id is not None else [None]:
        for each in of_scope(world, scope):
            if each["name"] == name and each["type"] == kind:
                if scope is None and not _offered(each, in_guild=guild_id is not None):
                    raise NotSeen(f"{name} isn't offered here")
                return each
    there = sorted(each["name"] for each in world.commands.values())
    raise NotSeen(f"there is no command {name!r}; there are {there}")


def _offered(command: Json, *, in_guild: bool) -> bool:
    contexts = command["contexts"]
    if contexts is None:
        return in_guild or bool(command["dm_permission"])
    return (0 if in_guild else 1) in contexts
