"""Threads: started, listed, and who is in them."""

from datetime import datetime

from sandbox import access, payloads, threads
from sandbox.entities import Channel, ChannelKind, Json
from sandbox.errors import invalid, refusal
from sandbox.permissions import Permission
from sandbox.routes.channels import seen
from sandbox.routes.registry import DONE, Call, Reply, Route, ok

_DURATIONS = {60, 1440, 4320, 10080}


def _name(call: Call) -> str:
    name = (call.fields.get("name") or "").strip()
    if not 1 <= len(name) <= 100:
        raise invalid(name=("BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length."))
    return str(name)


def _minutes(call: Call) -> int:
    minutes = call.fields.get("auto_archive_duration") or 4320
    if minutes not in _DURATIONS:
        words = "Value must be one of {60, 1440, 4320, 10080}."
        raise invalid(auto_archive_duration=("BASE_TYPE_CHOICES", words))
    return int(minutes)


def start_from_message(call: Call) -> Reply:
    parent = seen(call)
    message = call.message(parent)
    made = threads.from_message(call.world, parent, message, call.me, _name(call), _minutes(call))
    return Reply(201, payloads.channel(call.world, made))


def start(call: Call) -> Reply:
    made = threads.in_channel(
        call.world,
        seen(call),
        call.me,
        _name(call),
        private=call.fields.get("type", 12) == ChannelKind.PRIVATE_THREAD,
        invitable=call.fields.get("invitable", True),
        minutes=_minutes(call),
    )
    return Reply(201, payloads.channel(call.world, made))


def _listed(call: Call, found: list[Channel], *, more: bool = False) -> Json:
    mine = [each for each in found if each.thread is not None and call.me in each.thread.members]
    return {
        "threads": [payloads.channel(call.world, each) for each in found],
        "members": [payloads.thread_member(each, call.me) for each in mine],
        "has_more": more,
    }


def list_active(call: Call) -> Reply:
    guild = call.guild()
    access.require_in_guild(call.me, guild)
    live = [
        each
        for each in (call.world.channels[one] for one in sorted(guild.threads, reverse=True))
        if each.thread is not None and not each.thread.archived
    ]
    return ok(_listed(call, [each for each in live if access.sees(call.world, call.me, each)]))


def _archived(call: Call, kind: ChannelKind) -> list[Channel]:
    """That parent's archived threads of a kind, by when they were archived, latest first."""
    parent = seen(call, Permission.READ_MESSAGE_HISTORY)
    if parent.guild_id is None:
        raise refusal(50024)
    every = (call.world.channels[each] for each in call.world.guilds[parent.guild_id].threads)
    found = [
        each
        for each in every
        if each.parent_id == parent.id
        and each.kind is kind
        and each.thread is not None
        and each.thread.archived
    ]
    return sorted(found, key=_archived_at, reverse=True)


def _archived_at(each: Channel) -> tuple[int, int]:
    assert each.thread is not None
    return each.thread.archived_at, each.id


def _time_ms(text: str) -> float:
    try:
        return datetime.fromisoformat(text).timestamp() * 1000
    except ValueError:
        raise invalid(before=("DATE_TIME_TYPE_PARSE", "Could not parse the time.")) from None


def _page_by_time(call: Call, found: list[Channel]) -> Reply:
    limit = call.number("limit", 50, least=2, most=100)
    before = call.query.get("before")
    if before is not None:
        until = _time_ms(before)
        found = [each for each in found if _archived_at(each)[0] < until]
    return ok(_listed(call, found[:limit], more=len(found) > limit))


def list_public_archived(call: Call) -> Reply:
    return _page_by_time(call, _archived(call, ChannelKind.PUBLIC_THREAD))


def list_private_archived(call: Call) -> Reply:
    seen(call, Permission.MANAGE_THREADS)
    return _page_by_time(call, _archived(call, ChannelKind.PRIVATE_THREAD))


def list_my_private_archived(call: Call) -> Reply:
    limit = call.number("limit", 50, least=2, most=100)
    before = call.query_id("before") or 1 << 64
    found = [
        each
        for each in _archived(call, ChannelKind.PRIVATE_THREAD)
        if each.thread is not None and call.me in each.thread.members and each.id < before
    ]
    found.sort(key=lambda each: each.id, reverse=True)
    return ok(_listed(call, found[:limit], more=len(found) > limit))


def list_members(call: Call) -> Reply:
    channel = seen(call)
    if channel.thread is None:
        raise refusal(50024)
    return ok([payloads.thread_member(channel, each) for each in channel.thread.members])


def get_member(call: Call) -> Reply:
    channel = seen(call)
    user_id = call.id("user_id")
    if channel.thread is None or user_id not in channel.thread.members:
        raise refusal(10007)
    return ok(payloads.thread_member(channel, user_id))


def add_member(call: Call) -> Reply:
    threads.add_member(call.world, call.channel(), call.me, call.id("user_id"))
    return DONE


def remove_member(call: Call) -> Reply:
    threads.remove_member(call.world, call.channel(), call.me, call.id("user_id"))
    return DONE


def join(call: Call) -> Reply:
    threads.add_member(call.world, call.channel(), call.me, call.me)
    return DONE


def leave(call: Call) -> Reply:
    threads.remove_member(call.world, call.channel(), call.me, call.me)
    return DONE


_IN = "/channels/{channel_id}"

ROUTES = (
    Route("POST", _IN + "/messages/{message_id}/threads", start_from_message),
    Route("POST", _IN + "/threads", start),
    Route("GET", "/guilds/{guild_id}/threads/active", list_active),
    Route("GET", _IN + "/threads/archived/public", list_public_archived),
    Route("GET", _IN + "/threads/archived/private", list_private_archived),
    Route("GET", _IN + "/users/@me/threads/archived/private", list_my_private_archived),
    Route("GET", _IN + "/thread-members", list_members),
    Route("PUT", _IN + "/thread-members/@me", join),
    Route("DELETE", _IN + "/thread-members/@me", leave),
    Route("GET", _IN + "/thread-members/{user_id}", get_member),
    Route("PUT", _IN + "/thread-members/{user_id}", add_member),
    Route("DELETE", _IN + "/thread-members/{user_id}", remove_member),
)
