"""Guilds: their roles, channels and members."""

from sandbox import access, payloads
from sandbox.entities import Guild
from sandbox.errors import refusal
from sandbox.intents import Intent
from sandbox.permissions import Permission
from sandbox.routes.registry import DONE, Call, Reply, Route, ok


def _seen(call: Call, needed: int = 0) -> Guild:
    """The path's guild, where the bot is. Raises 10004, 50001, 50013."""
    guild = call.guild()
    access.require_in_guild(call.me, guild, needed)
    return guild


def get_guild(call: Call) -> Reply:
    guild = _seen(call)
    body = payloads.guild(guild)
    if call.query.get("with_counts") in ("true", "1"):
        body["approximate_member_count"] = len(guild.members)
        body["approximate_presence_count"] = len(guild.members)
    return ok(body)


def list_roles(call: Call) -> Reply:
    return ok([payloads.role(each) for each in _seen(call).roles.values()])


def list_channels(call: Call) -> Reply:
    guild, world = _seen(call), call.world
    found = (world.channels[each] for each in sorted(guild.channels))
    return ok([payloads.channel(world, each) for each in found])


def get_member(call: Call) -> Reply:
    member = call.world.member(_seen(call), call.id("user_id"))
    return ok(payloads.member(call.world, member))


def list_members(call: Call) -> Reply:
    """Raises 50001 without the privileged members intent, as Discord does."""
    guild = _seen(call)
    if not call.world.privileged & Intent.GUILD_MEMBERS:
        raise refusal(50001)
    limit = call.number("limit", 1, least=1, most=1000)
    after = call.query_id("after") or 0
    ids = sorted(each for each in guild.members if each > after)[:limit]
    return ok([payloads.member(call.world, guild.members[each]) for each in ids])


def search_members(call: Call) -> Reply:
    guild, world = _seen(call), call.world
    limit = call.number("limit", 1, least=1, most=1000)
    start = call.query.get("query", "").lower()
    named = [
        each
        for each in guild.members.values()
        if world.users[each.user_id].name.lower().startswith(start)
    ]
    return ok([payloads.member(world, each) for each in named[:limit]])


def kick(call: Call) -> Reply:
    guild = _seen(call, Permission.KICK_MEMBERS)
    call.world.leave(call.world.user(call.id("user_id")), guild)
    return DONE


def add_role(call: Call) -> Reply:
    guild = _seen(call, Permission.MANAGE_ROLES)
    member = call.world.member(guild, call.id("user_id"))
    role = guild.roles.get(call.id("role_id"))
    if role is None:
        raise refusal(10011)
    call.world.give_role(member, role)
    return DONE


def remove_role(call: Call) -> Reply:
    guild = _seen(call, Permission.MANAGE_ROLES)
    member = call.world.member(guild, call.id("user_id"))
    role = guild.roles.get(call.id("role_id"))
    if role is None:
        raise refusal(10011)
    call.world.take_role(member, role)
    return DONE


ROUTES = (
    Route("GET", "/guilds/{guild_id}", get_guild),
    Route("GET", "/guilds/{guild_id}/roles", list_roles),
    Route("GET", "/guilds/{guild_id}/channels", list_channels),
    Route("GET", "/guilds/{guild_id}/members", list_members),
    Route("GET", "/guilds/{guild_id}/members/search", search_members),
    Route("GET", "/guilds/{guild_id}/members/{user_id}", get_member),
    Route("DELETE", "/guilds/{guild_id}/members/{user_id}", kick),
    Route("PUT", "/guilds/{guild_id}/members/{user_id}/roles/{role_id}", add_role),
    Route("DELETE", "/guilds/{guild_id}/members/{user_id}/roles/{role_id}", remove_role),
)
