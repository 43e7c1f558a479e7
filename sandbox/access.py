"""Who may see and do what, in a guild's channels, in threads and in DMs."""

from typing import TYPE_CHECKING

from sandbox.entities import Channel, ChannelKind, Guild
from sandbox.errors import refusal
from sandbox.permissions import IN_DM, Permission, in_channel, in_guild

if TYPE_CHECKING:
    from sandbox.world import World


def of_member(guild: Guild, user_id: int) -> int:
    """A member's permissions in the whole guild; 0 for whoever isn't in it."""
    member = guild.members.get(user_id)
    if member is None:
        return 0
    roles = [guild.id, *member.roles]
    granted = [guild.roles[role].permissions for role in roles if role in guild.roles]
    return in_guild(owner=guild.owner_id == user_id, granted=granted)


def of(world: "World", user_id: int, channel: Channel) -> int:
    """What this person may do there. A thread has its parent's overwrites."""
    if channel.guild_id is None:
        return int(IN_DM) if user_id in (channel.recipient_id, world.bot.id) else 0
    guild = world.guilds[channel.guild_id]
    member = guild.members.get(user_id)
    if member is None:
        return 0
    base = of_member(guild, user_id)
    place = channel
    if channel.thread is not None and channel.parent_id is not None:
        place = world.channels[channel.parent_id]
    pairs = {of.id: (of.allow, of.deny) for of in place.overwrites.values()}
    everyone = [pairs[guild.id]] if guild.id in pairs else []
    roles = [pairs[role] for role in member.roles if role in pairs]
    own = [pairs[user_id]] if user_id in pairs else []
    return in_channel(base, everyone, roles, own)


def sees(world: "World", user_id: int, channel: Channel) -> bool:
    """Whether the channel is in front of this person at all."""
    bits = of(world, user_id, channel)
    if not bits & Permission.VIEW_CHANNEL:
        return False
    if channel.kind is ChannelKind.PRIVATE_THREAD and channel.thread is not None:
        return user_id in channel.thread.members or bool(bits & Permission.MANAGE_THREADS)
    return True


def require(world: "World", user_id: int, channel: Channel, needed: int = 0) -> int:
    """The person's permissions there. Raises 50001 when it isn't seen, 50013 when one lacks."""
    if not sees(world, user_id, channel):
        raise refusal(50001)
    bits = of(world, user_id, channel)
    if bits & needed != needed:
        raise refusal(50013)
    return bits


def require_in_guild(user_id: int, guild: Guild, needed: int = 0) -> None:
    """Raises 50001 for whoever isn't a member and 50013 when a permission is missing."""
    if user_id not in guild.members:
        raise refusal(50001)
    if of_member(guild, user_id) & needed != needed:
        raise refusal(50013)


def require_speech(world: "World", user_id: int, channel: Channel) -> None:
    """Raise what Discord answers when this person can't write there.

    In a DM: 50278 without a mutual guild, 50007 when the other side has closed it.
    """
    if channel.guild_id is None:
        _require_dm(world, user_id, channel)
        return
    if channel.kind is ChannelKind.CATEGORY:
        raise refusal(50024)
    in_thread = channel.thread is not None
    needed = Permission.SEND_MESSAGES_IN_THREADS if in_thread else Permission.SEND_MESSAGES
    bits = require(world, user_id, channel, needed)
    if (
        channel.thread is not None
        and channel.thread.locked
        and not bits & Permission.MANAGE_THREADS
    ):
        raise refusal(160005)


def _require_dm(world: "World", user_id: int, channel: Channel) -> None:
    require(world, user_id, channel)
    assert channel.recipient_id is not None
    person = world.users[channel.recipient_id]
    if user_id != world.bot.id:
        if person.blocks_bot:
            raise refusal(50007)
        return
    if not world.mutual_guilds(person.id):
        raise refusal(50278)
    if not person.accepts_dms or person.blocks_bot:
        raise refusal(50007)
