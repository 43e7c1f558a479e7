"""Channels: looked at, changed, deleted; DM channels opened; typing shown."""

from sandbox import access, messages, payloads, threads
from sandbox.entities import Channel
from sandbox.errors import invalid, refusal
from sandbox.permissions import Permission
from sandbox.routes.registry import DONE, Call, Reply, Route, ok, snowflake


def seen(call: Call, needed: int = 0) -> Channel:
    """The path's channel, if the bot sees it. Raises 10003, 50001, 50013."""
    channel = call.channel()
    access.require(call.world, call.me, channel, needed)
    return channel


def get_channel(call: Call) -> Reply:
    return ok(payloads.channel(call.world, seen(call)))


def create_dm(call: Call) -> Reply:
    """The same channel every time. Raises 10013 for nobody, 50033 for oneself, 40003 too fast."""
    recipient = call.fields.get("recipient_id")
    if recipient is None:
        raise invalid(recipient_id=("BASE_TYPE_REQUIRED", "This field is required"))
    person = call.world.user(snowflake("recipient_id", recipient))
    if person.bot:
        raise refusal(50033)
    limit = None if person.id in call.world.dms else call.world.new_dms
    if limit is not None and limit.spend(call.world.now()):
        raise refusal(40003)
    return ok(payloads.channel(call.world, call.world.dm(person)))


def update_channel(call: Call) -> Reply:
    channel = seen(call)
    if channel.guild_id is None:
        raise refusal(50003)
    name = call.fields.get("name")
    if name is not None and not 1 <= len(name) <= 100:
        raise invalid(name=("BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length."))
    if channel.thread is not None:
        threads.change(call.world, channel, call.me, call.fields)
    else:
        access.require(call.world, call.me, channel, Permission.MANAGE_CHANNELS)
        channel.name = name or channel.name
        channel.topic = call.fields.get("topic", channel.topic)
        call.world.tell_channel("CHANNEL_UPDATE", channel)
    return ok(payloads.channel(call.world, channel))


def delete_channel(call: Call) -> Reply:
    channel = seen(call)
    if channel.guild_id is not None:
        in_thread = channel.thread is not None
        needed = Permission.MANAGE_THREADS if in_thread else Permission.MANAGE_CHANNELS
        access.require(call.world, call.me, channel, needed)
    threads.delete_channel(call.world, channel)
    return ok(payloads.channel(call.world, channel))


def show_typing(call: Call) -> Reply:
    channel = call.channel()
    access.require_speech(call.world, call.me, channel)
    messages.type_in(call.world, channel, call.me)
    return DONE


ROUTES = (
    Route("GET", "/channels/{channel_id}", get_channel),
    Route("PATCH", "/channels/{channel_id}", update_channel),
    Route("DELETE", "/channels/{channel_id}", delete_channel),
    Route("POST", "/users/@me/channels", create_dm),
    Route("POST", "/channels/{channel_id}/typing", show_typing),
)
