"""The application's commands: read, replaced, created, changed, deleted."""

from sandbox import access, commands
from sandbox.errors import invalid, refusal
from sandbox.routes.registry import DONE, Call, Reply, Route, ok

_GLOBAL = "/applications/{application_id}/commands"
_GUILD = "/applications/{application_id}/guilds/{guild_id}/commands"


def _scope(call: Call) -> int | None:
    """None for the global commands, or the path's guild. Raises 10002, 10004, 50001."""
    if call.id("application_id") != call.me:
        raise refusal(10002)
    if "guild_id" not in call.params:
        return None
    guild = call.guild()
    access.require_in_guild(call.me, guild)
    return guild.id


def list_all(call: Call) -> Reply:
    return ok(commands.of_scope(call.world, _scope(call)))


def overwrite(call: Call) -> Reply:
    if not isinstance(call.body, list):
        raise invalid(root=("BASE_TYPE_LIST", "Must be a list."))
    return ok(commands.overwrite_all(call.world, _scope(call), call.body))


def create(call: Call) -> Reply:
    scope = _scope(call)
    before = {each["id"] for each in commands.of_scope(call.world, scope)}
    made = commands.upsert(call.world, scope, call.fields)
    return Reply(200 if made["id"] in before else 201, made)


def get(call: Call) -> Reply:
    return ok(commands.get(call.world, _scope(call), call.id("command_id")))


def update(call: Call) -> Reply:
    scope = _scope(call)
    before = commands.get(call.world, scope, call.id("command_id"))
    return ok(commands.upsert(call.world, scope, {**before, **call.fields}))


def delete(call: Call) -> Reply:
    found = commands.get(call.world, _scope(call), call.id("command_id"))
    del call.world.commands[int(found["id"])]
    return DONE


ROUTES = tuple(
    Route(method, scope + rest, handler)
    for scope in (_GLOBAL, _GUILD)
    for method, rest, handler in (
        ("GET", "", list_all),
        ("PUT", "", overwrite),
        ("POST", "", create),
        ("GET", "/{command_id}", get),
        ("PATCH", "/{command_id}", update),
        ("DELETE", "/{command_id}", delete),
    )
)
