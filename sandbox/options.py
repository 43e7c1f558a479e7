"""What a person types into a slash command, held to the command's options and resolved."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sandbox import access, attaching, payloads
from sandbox.commands import SUBCOMMAND, SUBCOMMAND_GROUP
from sandbox.drafts import File
from sandbox.entities import Channel, Guild, Json, Role, User
from sandbox.errors import NotSeen

if TYPE_CHECKING:
    from sandbox.world import World

STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = range(3, 12)


class Resolved:
    """The people, roles, channels and files that an interaction names, as Discord sends them."""

    def __init__(self, world: "World", guild: Guild | None, channel: Channel) -> None:
        self._world = world
        self._guild = guild
        self._channel = channel
        self.data: Json = {}

    def _put(self, kind: str, key: int, body: Json) -> str:
        self.data.setdefault(kind, {})[str(key)] = body
        return str(key)

    def user(self, user_id: int) -> str:
        """Raises 10013 for nobody."""
        found = self._world.user(user_id)
        member = None if self._guild is None else self._guild.members.get(user_id)
        if member is not None:
            bits = access.of(self._world, user_id, self._channel)
            self._put("members", user_id, payloads.bare_member(member) | {"permissions": str(bits)})
        return self._put("users", user_id, payloads.user(found))

    def role(self, role_id: int) -> str:
        """Raises `NotSeen` for a role of another guild."""
        if self._guild is None or role_id not in self._guild.roles:
            raise NotSeen(f"there is no role {role_id} here")
        return self._put("roles", role_id, payloads.role(self._guild.roles[role_id]))

    def channel(self, channel_id: int, person_id: int) -> str:
        """Raises 10003 for none."""
        found = self._world.channel(channel_id)
        body = payloads.channel(self._world, found)
        body["permissions"] = str(access.of(self._world, person_id, found))
        return self._put("channels", channel_id, body)

    def file(self, file: File) -> str:
        """Uploads it."""
        made = attaching.attach(self._world, self._channel.id, file)
        body = payloads.attachment(self._world, made) | {"ephemeral": True}
        return self._put("attachments", made.id, body)

    def entity(self, kind: int, given: object, person_id: int) -> str:
        """Whatever an option or select of this type names. Raises `NotSeen` for another thing."""
        match given:
            case User() if kind in (USER, MENTIONABLE):
                return self.user(given.id)
            case Role() if kind in (ROLE, MENTIONABLE):
                return self.role(given.id)
            case Channel() if kind == CHANNEL:
                return self.channel(given.id, person_id)
            case File() if kind == ATTACHMENT:
                return self.file(given)
            case int() | str() if str(given).isdecimal():
                return self._by_id(kind, int(given), person_id)
        raise NotSeen(f"{given!r} can't be chosen there")

    def _by_id(self, kind: int, given: int, person_id: int) -> str:
        if kind == CHANNEL:
            return self.channel(given, person_id)
        if kind == ROLE or (kind == MENTIONABLE and given not in self._world.users):
            return self.role(given)
        if kind in (USER, MENTIONABLE):
            return self.user(given)
        raise NotSeen(f"{given} can't be chosen there")


def walk(command: Json, path: list[str]) -> tuple[list[Json], list[Json]]:
    """The options that the last of the path takes, and the chain of subcommands to it.

    Raises `NotSeen` for a path that the command doesn't have.
    """
    options: list[Json] = command.get("options") or []
    chain: list[Json] = []
    for name in path:
        inner = [each for each in options if each["name"] == name and each["type"] <= 2]
        if not inner:
            raise NotSeen(f"{command['name']} has no {name!r}")
        chain.append(inner[0])
        options = inner[0].get("options") or []
    if any(each["type"] in (SUBCOMMAND, SUBCOMMAND_GROUP) for each in options):
        raise NotSeen(f"{command['name']} wants one of {[each['name'] for each in options]}")
    return options, chain


def wrap(chain: list[Json], typed: list[Json]) -> list[Json]:
    """The typed options inside their subcommands, as the wire has them."""
    for each in reversed(chain):
        typed = [{"name": each["name"], "type": each["type"], "options": typed}]
    return typed


def typed(
    options: list[Json],
    given: Mapping[str, Any],
    resolved: Resolved,
    person_id: int,
    *,
    focused: str | None = None,
) -> list[Json]:
    """The options as sent. While one is `focused` the others may be missing, and it unfinished.

    Raises `NotSeen` for an unknown option, a required one that is missing, or a wrong value.
    """
    known = {each["name"] for each in options}
    if unknown := set(given) - known:
        raise NotSeen(f"there is no option {sorted(unknown)}; there are {sorted(known)}")
    made: list[Json] = []
    for each in options:
        name = each["name"]
        if given.get(name) is None:
            if each.get("required") and focused is None:
                raise NotSeen(f"{name} must be filled in")
            continue
        sent: Json = {"name": name, "type": each["type"]}
        if name == focused:
            sent |= {"value": str(given[name]), "focused": True}
        else:
            sent["value"] = _value(each, given[name], resolved, person_id)
        made.append(sent)
    return made


def _value(option: Json, given: object, resolved: Resolved, person_id: int) -> object:
    kind = option["type"]
    if kind in (USER, CHANNEL, ROLE, MENTIONABLE, ATTACHMENT):
        chosen = resolved.entity(kind, given, person_id)
        _check_channel_type(option, chosen, resolved)
        return chosen
    for each in option.get("choices") or []:
        if given in (each["value"], each["name"]):
            return each["value"]
    if option.get("choices"):
        raise NotSeen(f"{given!r} isn't one of the choices of {option['name']}")
    fits = {
        STRING: isinstance(given, str),
        INTEGER: isinstance(given, int) and not isinstance(given, bool),
        BOOLEAN: isinstance(given, bool),
        NUMBER: isinstance(given, int | float) and not isinstance(given, bool),
    }
    if not fits[kind]:
        raise NotSeen(f"{option['name']} doesn't take {given!r}")
    size = len(given) if isinstance(given, str) else given
    least, most = ("min_length", "max_length") if kind == STRING else ("min_value", "max_value")
    if kind != BOOLEAN and not _between(size, option.get(least), option.get(most)):
        raise NotSeen(f"{option['name']} doesn't take that much or that little: {given!r}")
    return given


def _between(size: Any, least: float | None, most: float | None) -> bool:
    return (least is None or size >= least) and (most is None or size <= most)


def _check_channel_type(option: Json, chosen: str, resolved: Resolved) -> None:
    types = option.get("channel_types")
    if types and resolved.data["channels"][chosen]["type"] not in types:
        raise NotSeen(f"{option['name']} doesn't take that kind of channel")
