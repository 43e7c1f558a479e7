"""Verbs that make and change places: people, guilds, roles, channels."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from sandbox import payloads, threads
from sandbox.entities import Channel, Guild, Json, Overwrite, Role, User
from sandbox.intents import Intent

if TYPE_CHECKING:
    from sandbox.server import Sandbox

_PRIVILEGED = {
    "members": Intent.GUILD_MEMBERS,
    "presences": Intent.GUILD_PRESENCES,
    "message_content": Intent.MESSAGE_CONTENT,
}

Verb = Callable[["Sandbox", Json], Json | Awaitable[Json]]
Verbs = dict[str, Verb]


def user_of(sandbox: "Sandbox", body: Json, key: str = "user") -> User:
    """The person that the body names. Raises KeyError without the key, 10013 for nobody."""
    return sandbox.world.user(int(body[key]))


def guild_of(sandbox: "Sandbox", body: Json) -> Guild:
    """The guild that the body names. Raises KeyError without the key, 10004 for none."""
    return sandbox.world.guild(int(body["guild"]))


def channel_of(sandbox: "Sandbox", body: Json) -> Channel:
    """The channel that the body names. Raises KeyError without the key, 10003 for none."""
    return sandbox.world.channel(int(body["channel"]))


def role_of(sandbox: "Sandbox", body: Json) -> Role:
    """The role of that guild. Raises KeyError when there is none."""
    return guild_of(sandbox, body).roles[int(body["role"])]


def _add_user(sandbox: "Sandbox", body: Json) -> Json:
    made = sandbox.world.add_user(
        body["name"],
        global_name=body.get("global_name"),
        locale=body.get("locale", "en-US"),
        bot=bool(body.get("bot", False)),
        nitro=bool(body.get("nitro", False)),
    )
    return payloads.user(made)


def _add_guild(sandbox: "Sandbox", body: Json) -> Json:
    owner = user_of(sandbox, body, "owner")
    made = sandbox.world.add_guild(body["name"], owner=owner, locale=body.get("locale", "en-US"))
    return payloads.guild(made)


def _add_role(sandbox: "Sandbox", body: Json) -> Json:
    permissions = int(body.get("permissions", 0))
    made = sandbox.world.add_role(guild_of(sandbox, body), body["name"], permissions=permissions)
    return payloads.role(made)


def _set_permissions(sandbox: "Sandbox", body: Json) -> Json:
    role = role_of(sandbox, body)
    sandbox.world.set_permissions(role, int(body["permissions"]))
    return payloads.role(role)


def _delete_role(sandbox: "Sandbox", body: Json) -> Json:
    sandbox.world.delete_role(guild_of(sandbox, body), int(body["role"]))
    return {}


def _add_channel(sandbox: "Sandbox", body: Json) -> Json:
    overwrites = [
        Overwrite(
            id=int(each["id"]),
            kind=int(each.get("kind", 0)),
            allow=int(each.get("allow", 0)),
            deny=int(each.get("deny", 0)),
        )
        for each in body.get("overwrites", [])
    ]
    made = sandbox.world.add_channel(
        guild_of(sandbox, body), body["name"], topic=body.get("topic"), overwrites=overwrites
    )
    return payloads.channel(sandbox.world, made)


def _delete_channel(sandbox: "Sandbox", body: Json) -> Json:
    threads.delete_channel(sandbox.world, channel_of(sandbox, body))
    return {}


def _set_thread(sandbox: "Sandbox", body: Json) -> Json:
    """As the `user` if there is one, held to what they may; otherwise without asking."""
    thread = channel_of(sandbox, body)
    archived, locked = body.get("archived"), body.get("locked")
    if body.get("user") is None:
        threads.set_state(sandbox.world, thread, archived=archived, locked=locked)
    else:
        person = sandbox.person(user_of(sandbox, body))
        person.set_thread(thread, name=body.get("name"), archived=archived, locked=locked)
    return payloads.channel(sandbox.world, thread)


def _join(sandbox: "Sandbox", body: Json) -> Json:
    guild = guild_of(sandbox, body)
    roles = [guild.roles[int(each)] for each in body.get("roles", [])]
    made = sandbox.world.join(user_of(sandbox, body), guild, roles=roles)
    return payloads.member(sandbox.world, made)


def _leave(sandbox: "Sandbox", body: Json) -> Json:
    sandbox.world.leave(user_of(sandbox, body), guild_of(sandbox, body))
    return {}


def _ban(sandbox: "Sandbox", body: Json) -> Json:
    sandbox.world.ban(user_of(sandbox, body), guild_of(sandbox, body))
    return {}


def _give_role(sandbox: "Sandbox", body: Json) -> Json:
    member = sandbox.world.member(guild_of(sandbox, body), int(body["user"]))
    sandbox.world.give_role(member, role_of(sandbox, body))
    return payloads.member(sandbox.world, member)


def _take_role(sandbox: "Sandbox", body: Json) -> Json:
    member = sandbox.world.member(guild_of(sandbox, body), int(body["user"]))
    sandbox.world.take_role(member, role_of(sandbox, body))
    return payloads.member(sandbox.world, member)


def _set_dms(sandbox: "Sandbox", body: Json) -> Json:
    person = user_of(sandbox, body)
    person.accepts_dms = bool(body.get("open", person.accepts_dms))
    person.blocks_bot = bool(body.get("blocked", person.blocks_bot))
    return {}


def _remove_bot(sandbox: "Sandbox", body: Json) -> Json:
    sandbox.world.remove_bot(guild_of(sandbox, body))
    return {}


def _add_bot(sandbox: "Sandbox", body: Json) -> Json:
    sandbox.world.add_bot(guild_of(sandbox, body))
    return {}


def _set_application(sandbox: "Sandbox", body: Json) -> Json:
    """Which privileged intents the application may ask for, and whether by its own switch."""
    world = sandbox.world
    for name, intent in _PRIVILEGED.items():
        if name in body:
            world.privileged = world.privileged & ~intent | (intent if body[name] else 0)
    world.limited = bool(body.get("limited", world.limited))
    return {"flags": world.application_flags}


def _set_files(sandbox: "Sandbox", body: Json) -> Json:
    """How long attachments' addresses hold, and how many bytes of the bot's uploads are kept."""
    world = sandbox.world
    world.files_valid_ms = int(body.get("valid_ms", world.files_valid_ms))
    world.blobs.most = int(body.get("kept", world.blobs.most))
    return {"valid_ms": world.files_valid_ms, "kept": world.blobs.most}


SETUP: Verbs = {
    "add_user": _add_user,
    "add_guild": _add_guild,
    "add_role": _add_role,
    "set_permissions": _set_permissions,
    "delete_role": _delete_role,
    "add_channel": _add_channel,
    "delete_channel": _delete_channel,
    "set_thread": _set_thread,
    "join": _join,
    "leave": _leave,
    "ban": _ban,
    "give_role": _give_role,
    "take_role": _take_role,
    "set_dms": _set_dms,
    "set_files": _set_files,
    "set_application": _set_application,
    "add_bot": _add_bot,
    "remove_bot": _remove_bot,
}
