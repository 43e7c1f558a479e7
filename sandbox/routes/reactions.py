"""Reactions: the bot's own, other people's, and who reacted."""

from sandbox import access, messages, payloads, threads
from sandbox.entities import Message
from sandbox.errors import refusal
from sandbox.permissions import Permission
from sandbox.routes.channels import seen
from sandbox.routes.registry import DONE, Call, Reply, Route, ok

_ON = "/channels/{channel_id}/messages/{message_id}/reactions"


def _emoji(call: Call) -> str:
    """A plain emoji. Raises 10014 for anything else: no guild here has its own."""
    name = call.params["emoji_name"]
    if not name or name.isascii():
        raise refusal(10014)
    return name


def _awake(call: Call) -> Message:
    channel = seen(call, Permission.READ_MESSAGE_HISTORY)
    message = call.message(channel)
    threads.require_awake(channel)
    return message


def add(call: Call) -> Reply:
    message, emoji = _awake(call), _emoji(call)
    if emoji not in message.reactions:
        access.require(call.world, call.me, call.channel(), Permission.ADD_REACTIONS)
    messages.react(call.world, message, call.me, emoji)
    return DONE


def remove_own(call: Call) -> Reply:
    messages.unreact(call.world, _awake(call), call.me, _emoji(call))
    return DONE


def remove_of(call: Call) -> Reply:
    message = _awake(call)
    access.require(call.world, call.me, call.channel(), Permission.MANAGE_MESSAGES)
    messages.unreact(call.world, message, call.id("user_id"), _emoji(call))
    return DONE


def list_users(call: Call) -> Reply:
    message = call.message(seen(call, Permission.READ_MESSAGE_HISTORY))
    limit = call.number("limit", 25, least=1, most=100)
    after = call.query_id("after") or 0
    who = sorted(each for each in message.reactions.get(_emoji(call), []) if each > after)
    return ok([payloads.user(call.world.users[each]) for each in who[:limit]])


ROUTES = (
    Route("GET", _ON + "/{emoji_name}", list_users),
    Route("PUT", _ON + "/{emoji_name}/@me", add),
    Route("DELETE", _ON + "/{emoji_name}/@me", remove_own),
    Route("DELETE", _ON + "/{emoji_name}/{user_id}", remove_of),
)
