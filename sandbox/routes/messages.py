"""Messages: sent, read, changed, deleted, pinned."""

from typing import Any

from sandbox import access, history, messages, payloads, threads, withheld
from sandbox.drafts import draft
from sandbox.entities import Message
from sandbox.errors import invalid, refusal
from sandbox.intents import Intent
from sandbox.permissions import Permission
from sandbox.routes.channels import seen
from sandbox.routes.registry import DONE, Call, Reply, Route, ok, snowflake
from sandbox.snowflakes import at_ms

_READ = Permission.READ_MESSAGE_HISTORY
_TWO_WEEKS_MS = 14 * 86_400_000


def told(call: Call, message: Message) -> Any:
    """A message as REST tells it; without the content intent's grant some of it is withheld."""
    body = payloads.message(call.world, message)
    if call.world.privileged & Intent.MESSAGE_CONTENT:
        return body
    return withheld.blanked(call.world, message, body) or body


def create_message(call: Call) -> Reply:
    made = messages.post(call.world, call.channel(), call.me, draft(call.fields, call.files))
    body = told(call, made)
    if made.nonce is not None:
        body["nonce"] = made.nonce
    return ok(body)


def list_messages(call: Call) -> Reply:
    """Newest first. Without Read Message History a bot gets nothing, not a refusal."""
    channel = seen(call)
    if not access.of(call.world, call.me, channel) & _READ:
        return ok([])
    found = history.page(
        call.world,
        channel,
        limit=call.number("limit", 50, least=1, most=100),
        before=call.query_id("before"),
        after=call.query_id("after"),
        around=call.query_id("around"),
    )
    return ok([told(call, each) for each in found])


def get_message(call: Call) -> Reply:
    return ok(told(call, call.message(seen(call, _READ))))


def _own(call: Call) -> Message:
    """The path's message, if the bot may edit it. Raises 50005, 50021, 50083, 160005."""
    channel = seen(call)
    message = call.message(channel)
    if message.author_id != call.me:
        raise refusal(50005)
    if message.kind not in (0, 19, 20, 23):
        raise refusal(50021)
    threads.require_awake(channel)
    return message


def update_message(call: Call) -> Reply:
    message = _own(call)
    messages.edit(call.world, message, call.fields, draft(call.fields, call.files))
    return ok(told(call, message))


def delete_message(call: Call) -> Reply:
    channel = seen(call)
    message = call.message(channel)
    if message.author_id != call.me:
        if channel.guild_id is None:
            raise refusal(50003)
        access.require(call.world, call.me, channel, Permission.MANAGE_MESSAGES)
    threads.require_awake(channel)
    messages.delete(call.world, message)
    return DONE


def bulk_delete(call: Call) -> Reply:
    """2 to 100 messages, none older than two weeks; ids that aren't there are passed over."""
    channel = seen(call, Permission.MANAGE_MESSAGES)
    if channel.guild_id is None:
        raise refusal(50003)
    ids = [snowflake("messages", each) for each in call.fields.get("messages") or []]
    if not 2 <= len(set(ids)) <= 100:
        raise invalid(messages=("BASE_TYPE_BAD_LENGTH", "Must be between 2 and 100 in length."))
    if min(map(at_ms, ids)) < call.world.now() - _TWO_WEEKS_MS:
        raise refusal(50034)
    there = (call.world.messages.get(each) for each in dict.fromkeys(ids))
    found = [each for each in there if each is not None and each.channel_id == channel.id]
    messages.bulk_delete(call.world, [each for each in found if not each.deleted])
    return DONE


def pin(call: Call) -> Reply:
    channel = seen(call)
    message = call.message(channel)
    if channel.guild_id is not None:
        access.require(call.world, call.me, channel, Permission.PIN_MESSAGES)
    if not message.pinned:
        messages.pin(call.world, message, call.me)
    return DONE


def unpin(call: Call) -> Reply:
    channel = seen(call)
    message = call.message(channel)
    if channel.guild_id is not None:
        access.require(call.world, call.me, channel, Permission.PIN_MESSAGES)
    messages.unpin(call.world, message)
    return DONE


ROUTES = (
    Route("POST", "/channels/{channel_id}/messages", create_message),
    Route("GET", "/channels/{channel_id}/messages", list_messages),
    Route("POST", "/channels/{channel_id}/messages/bulk-delete", bulk_delete),
    Route("PUT", "/channels/{channel_id}/messages/pins/{message_id}", pin),
    Route("DELETE", "/channels/{channel_id}/messages/pins/{message_id}", unpin),
    Route("GET", "/channels/{channel_id}/messages/{message_id}", get_message),
    Route("PATCH", "/channels/{channel_id}/messages/{message_id}", update_message),
    Route("DELETE", "/channels/{channel_id}/messages/{message_id}", delete_message),
)
