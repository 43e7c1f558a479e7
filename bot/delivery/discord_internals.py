"""All contact with discord.py's private parts, checked when Steward starts.

The library has no public way to point it at another server, to add a person to a thread it has
not cached, or to ask for other intents than those that a client was made with. Each function here
says what it relies on; `check` fails loudly when a new version of the library no longer has it.
"""

import inspect
from typing import Any

import discord
from discord.gateway import DiscordWebSocket
from discord.http import HTTPClient, Route
from discord.state import ConnectionState
from yarl import URL


class LibraryChanged(Exception):
    """discord.py no longer has a part that Steward relies on."""


def check() -> None:
    """Raise `LibraryChanged` when a private part that is used below is not what it was."""
    expected = (
        (isinstance(getattr(Route, "BASE", None), str), "Route.BASE"),
        (isinstance(getattr(DiscordWebSocket, "DEFAULT_GATEWAY", None), URL), "DEFAULT_GATEWAY"),
        (_takes(HTTPClient, "add_user_to_thread", "channel_id", "user_id"), "add_user_to_thread"),
        (_takes(HTTPClient, "get_bot_gateway"), "get_bot_gateway"),
        (_takes(HTTPClient, "get_member", "guild_id", "member_id"), "get_member"),
        (_takes(HTTPClient, "edit_channel", "channel_id", "reason", "options"), "edit_channel"),
        (_takes(HTTPClient, "delete_channel", "channel_id", "reason"), "delete_channel"),
        (_takes(HTTPClient, "edit_channel", "channel_id", "reason", "options"), "edit_channel"),
        (_takes(HTTPClient, "send_typing", "channel_id"), "send_typing"),
        (
            _takes(HTTPClient, "add_reaction", "channel_id", "message_id", "emoji"),
            "add_reaction",
        ),
        (
            _takes(HTTPClient, "remove_own_reaction", "channel_id", "message_id", "emoji"),
            "remove_own_reaction",
        ),
        ("_roles" in discord.Member.__slots__, "Member._roles"),
        (_takes(DiscordWebSocket, "close", "code"), "DiscordWebSocket.close"),
        (
            _uses_intents(
                ConnectionState.__init__,
                getattr(ConnectionState.intents, "fget", None),
                DiscordWebSocket.identify,
            ),
            "ConnectionState._intents",
        ),
    )
    missing = [name for holds, name in expected if not holds]
    if missing:
        raise LibraryChanged(f"discord.py {discord.__version__} has changed: {', '.join(missing)}")


def _takes(owner: type, name: str, *parameters: str) -> bool:
    method = getattr(owner, name, None)
    if method is None:
        return False
    return list(inspect.signature(method).parameters)[1:] == list(parameters)


def _uses_intents(*functions: Any) -> bool:
    codes = (getattr(function, "__code__", None) for function in functions)
    return all("_intents" in getattr(code, "co_names", ()) for code in codes)


def use_intents(client: discord.Client, intents: discord.Intents) -> None:
    """Ask for these intents from the next new gateway session on.

    For intents that only widen what events show: what the library keeps in memory by its intents
    was settled when the client was made.
    """
    client._connection._intents = intents  # noqa: SLF001 - they are given once, to the constructor


def use_api_base(base: str) -> None:
    """Send every REST call to `base` (ending in /api/v10) from now on, in this whole process."""
    Route.BASE = base


async def use_gateway_of(client: discord.Client) -> None:
    """Ask the REST server once for its gateway, and fall back to it after an invalid session.

    The library never asks: without this a loopback server or a proxy is left for Discord's own.
    """
    _, url, _ = await client.http.get_bot_gateway()
    DiscordWebSocket.DEFAULT_GATEWAY = URL(url)


async def add_thread_member(client: discord.Client, thread_id: int, member_id: int) -> None:
    """Make a person a member of a thread, known to the cache or not."""
    await client.http.add_user_to_thread(thread_id, member_id)


async def get_member(client: discord.Client, guild_id: int, member_id: int) -> None:
    """Ask for a member of a guild, known to the cache or not."""
    await client.http.get_member(guild_id, member_id)


async def edit_thread(
    client: discord.Client, thread_id: int, archived: bool, locked: bool | None
) -> None:
    """Archive or wake a thread, known to the cache or not; lock it or not, unless None."""
    fields: dict[str, Any] = {"archived": archived}
    if locked is not None:
        fields["locked"] = locked
    await client.http.edit_channel(thread_id, **fields)


async def delete_channel(client: discord.Client, channel_id: int) -> None:
    """Delete a thread, known to the cache or not."""
    await client.http.delete_channel(channel_id)


async def type_in(client: discord.Client, channel_id: int) -> None:
    """Show that somebody types in a channel, in one request."""
    await client.http.send_typing(channel_id)


def role_ids(member: discord.Member) -> frozenset[int]:
    """The roles that came with the member's payload, whether or not the guild's are cached yet."""
    return frozenset(member._roles)  # noqa: SLF001 - the public ones need a cached guild


async def leave_gateway(client: discord.Client) -> None:
    """Close the gateway connection that a broken payload left open, with its heartbeat."""
    socket: DiscordWebSocket | None = getattr(client, "ws", None)
    if socket is not None:
        await socket.close(code=4000)
