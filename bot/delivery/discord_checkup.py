"""What Discord says of a logged-in application and of its guilds, for `steward check`."""

from dataclasses import dataclass

import discord

from domain import permissions
from storage.desks import Desk


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    """Which privileged intents it may ask for, and whether commands go past the gateway."""

    message_content: bool
    members: bool
    interactions_elsewhere: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskState:
    """A desk as Discord has it now. `missing` are permissions by channel id, by Discord's names."""

    in_guild: bool
    channel_exists: bool = False
    role_exists: bool = False
    public: bool = False
    missing: tuple[tuple[int, tuple[str, ...]], ...] = ()


async def application_of(client: discord.Client) -> Application:
    """The application as its owner has set it up. Raises discord.py's errors."""
    info = await client.application_info()
    flags = info.flags
    return Application(
        message_content=flags.gateway_message_content or flags.gateway_message_content_limited,
        members=flags.gateway_guild_members or flags.gateway_guild_members_limited,
        interactions_elsewhere=bool(info.interactions_endpoint_url),
    )


async def desk_state(client: discord.Client, desk: Desk) -> DeskState:
    """How a desk stands. Raises discord.py's errors, but not for what is simply gone."""
    assert client.user is not None
    try:
        guild = await client.fetch_guild(desk.guild_id, with_counts=False)
        me = await guild.fetch_member(client.user.id)
        channels = {channel.id: channel for channel in await guild.fetch_channels()}
    except (discord.NotFound, discord.Forbidden):
        return DeskState(in_guild=False)
    wanted: dict[int, tuple[str, ...]] = {desk.channel_id: permissions.DESK}
    if desk.help_channel_id is not None:
        wanted[desk.help_channel_id] = permissions.HELP
    missing = []
    for channel_id, names in wanted.items():
        channel = channels.get(channel_id)
        held = discord.Permissions.none() if channel is None else channel.permissions_for(me)
        lacking = tuple(name for name in names if not getattr(held, name))
        if lacking:
            missing.append((channel_id, lacking))
    channel = channels.get(desk.channel_id)
    return DeskState(
        in_guild=True,
        channel_exists=channel is not None,
        role_exists=guild.get_role(desk.coordinator_role_id) is not None,
        public=channel is not None and channel.permissions_for(guild.default_role).view_channel,
        missing=tuple(missing),
    )
