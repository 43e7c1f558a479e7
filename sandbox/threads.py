"""Threads: started, joined, put to rest and woken."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sandbox import access, messages, payloads
from sandbox.drafts import Draft
from sandbox.entities import (
    Channel,
    ChannelKind,
    Json,
    Message,
    MessageFlag,
    MessageKind,
    Thread,
)
from sandbox.errors import refusal
from sandbox.intents import Intent
from sandbox.permissions import Permission

if TYPE_CHECKING:
    from sandbox.world import World


def from_message(
    world: "World", parent: Channel, message: Message, owner_id: int, name: str, minutes: int
) -> Channel:
    """A public thread whose id is the message's. Raises 160004 when it has, or had, one."""
    access.require(world, owner_id, parent, Permission.CREATE_PUBLIC_THREADS)
    if parent.kind is not ChannelKind.TEXT:
        raise refusal(50024)
    if message.thread_id is not None:
        raise refusal(160004)
    made = _open(world, parent, message.id, ChannelKind.PUBLIC_THREAD, owner_id, name, minutes)
    message.thread_id = made.id
    message.flags |= MessageFlag.HAS_THREAD
    messages.tell(world, "MESSAGE_UPDATE", message)
    reference = {
        "type": 0,
        "guild_id": str(parent.guild_id),
        "channel_id": str(parent.id),
        "message_id": str(message.id),
    }
    messages.create(
        world,
        made,
        message.author_id,
        Draft(),
        kind=MessageKind.THREAD_STARTER,
        reference=reference,
    )
    return made


def in_channel(
    world: "World",
    parent: Channel,
    owner_id: int,
    name: str,
    *,
    private: bool,
    invitable: bool = True,
    minutes: int = 4320,
) -> Channel:
    """A thread of its own. A public one leaves a system message in its parent."""
    kind = ChannelKind.PRIVATE_THREAD if private else ChannelKind.PUBLIC_THREAD
    needed = Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS
    access.require(world, owner_id, parent, needed)
    if parent.kind is not ChannelKind.TEXT:
        raise refusal(50024)
    made = _open(world, parent, world.ids.next(), kind, owner_id, name, minutes)
    assert made.thread is not None
    made.thread.invitable = invitable
    if not private:
        said = Draft(content=name)
        messages.create(world, parent, owner_id, said, kind=MessageKind.THREAD_CREATED)
    return made


def _open(
    world: "World",
    parent: Channel,
    thread_id: int,
    kind: ChannelKind,
    owner_id: int,
    name: str,
    minutes: int,
) -> Channel:
    now = world.now()
    made = Channel(
        id=thread_id,
        kind=kind,
        name=name,
        guild_id=parent.guild_id,
        parent_id=parent.id,
        thread=Thread(
            owner_id=owner_id,
            created_at=now,
            archived_at=now,
            auto_archive_minutes=minutes,
            members={owner_id: now},
        ),
    )
    assert parent.guild_id is not None
    world.channels[made.id] = made
    world.guilds[parent.guild_id].threads.add(made.id)
    tell(world, "THREAD_CREATE", made, newly_created=True)
    return made


def tell(world: "World", name: str, thread: Channel, *, newly_created: bool = False) -> None:
    """An event that is the thread itself, where the bot can see it."""
    if access.sees(world, world.bot.id, thread):
        data = payloads.channel(world, thread)
        if newly_created:
            data["newly_created"] = True
        world.emit(name, data, Intent.GUILDS)


def require_awake(channel: Channel) -> None:
    """Raises 50083 for an archived thread."""
    if channel.thread is not None and channel.thread.archived:
        raise refusal(50083)


def add_member(world: "World", thread: Channel, actor_id: int, user_id: int) -> None:
    """Bring somebody in. Whoever is in already costs nothing and tells nothing.

    Raises 50013 where only the thread's moderators may invite, 50083 when it is archived.
    """
    state = thread.thread
    if state is None:
        raise refusal(50024)
    bits = access.require(world, actor_id, thread, Permission.SEND_MESSAGES_IN_THREADS)
    if state.archived:
        raise refusal(50083)
    assert thread.guild_id is not None
    world.member(world.guilds[thread.guild_id], user_id)
    trusted = actor_id == state.owner_id or bool(bits & Permission.MANAGE_THREADS)
    if thread.kind is ChannelKind.PRIVATE_THREAD and not state.invitable and not trusted:
        raise refusal(50013)
    if user_id in state.members:
        return
    state.members[user_id] = world.now()
    if user_id == world.bot.id:
        tell(world, "THREAD_CREATE", thread)
    _tell_members(world, thread, added=[user_id])
    if actor_id != user_id:
        kind = MessageKind.RECIPIENT_ADD
        messages.create(world, thread, actor_id, Draft(), kind=kind, mentioned=[user_id])


def remove_member(world: "World", thread: Channel, actor_id: int, user_id: int) -> None:
    """Take somebody out, or leave. Raises 50013, 10007, 50083."""
    state = thread.thread
    if state is None:
        raise refusal(50024)
    bits = access.require(world, actor_id, thread)
    if state.archived:
        raise refusal(50083)
    own = thread.kind is ChannelKind.PRIVATE_THREAD and actor_id == state.owner_id
    if actor_id != user_id and not own and not bits & Permission.MANAGE_THREADS:
        raise refusal(50013)
    if user_id not in state.members:
        raise refusal(10007)
    del state.members[user_id]
    _tell_members(world, thread, removed=[user_id])


def _tell_members(
    world: "World",
    thread: Channel,
    *,
    added: list[int] | None = None,
    removed: list[int] | None = None,
) -> None:
    """Of others only those with the members intent hear; of the bot itself everybody."""
    assert thread.thread is not None
    assert thread.guild_id is not None
    data: Json = {
        "id": str(thread.id),
        "guild_id": str(thread.guild_id),
        "member_count": min(len(thread.thread.members), 50),
    }
    guild = world.guilds[thread.guild_id]
    if added:
        data["added_members"] = [
            payloads.thread_member(thread, each)
            | {"member": payloads.member(world, guild.members[each]), "presence": None}
            for each in added
        ]
    if removed:
        data["removed_member_ids"] = [str(each) for each in removed]
    mine = world.bot.id in (*(added or ()), *(removed or ()))
    if mine or access.sees(world, world.bot.id, thread):
        world.emit("THREAD_MEMBERS_UPDATE", data, Intent.GUILDS if mine else Intent.GUILD_MEMBERS)


def set_state(
    world: "World",
    thread: Channel,
    *,
    archived: bool | None = None,
    locked: bool | None = None,
    invitable: bool | None = None,
    minutes: int | None = None,
) -> None:
    """Archive or wake, lock or unlock, without asking who may."""
    state = thread.thread
    assert state is not None
    if archived is not None and archived != state.archived:
        state.archived = archived
        state.archived_at = world.now()
    state.locked = state.locked if locked is None else locked
    state.invitable = state.invitable if invitable is None else invitable
    state.auto_archive_minutes = minutes or state.auto_archive_minutes
    tell(world, "THREAD_UPDATE", thread)


def change(world: "World", thread: Channel, actor_id: int, fields: Mapping[str, Any]) -> None:
    """Archive, wake, lock, rename, as somebody. A new name leaves a message that says it.

    Raises 50083 for a change to an archived thread that doesn't wake it, 160005 when it is locked,
    and 50013.
    """
    state = thread.thread
    if state is None:
        raise refusal(50024)
    bits = access.require(world, actor_id, thread)
    moderator = bool(bits & Permission.MANAGE_THREADS)
    if state.locked and not moderator:
        raise refusal(160005)
    mine = state.owner_id == actor_id
    waking = state.archived and set(fields) <= {"archived", "auto_archive_duration"}
    if not moderator and (fields.get("locked") is not None or not (mine or waking)):
        raise refusal(50013)
    if state.archived and fields.get("archived", True):
        raise refusal(50083)
    name = fields.get("name") or thread.name
    if name != thread.name:
        thread.name = name
        said = Draft(content=name)
        messages.create(world, thread, actor_id, said, kind=MessageKind.CHANNEL_NAME_CHANGE)
    set_state(
        world,
        thread,
        archived=fields.get("archived"),
        locked=fields.get("locked"),
        invitable=fields.get("invitable"),
        minutes=fields.get("auto_archive_duration"),
    )


def delete_channel(world: "World", channel: Channel) -> None:
    """A channel is gone, with its threads; or a thread. A DM is only closed, and stays."""
    if channel.guild_id is None:
        return
    guild = world.guilds[channel.guild_id]
    if channel.thread is not None:
        data = {
            "id": str(channel.id),
            "guild_id": str(channel.guild_id),
            "parent_id": str(channel.parent_id),
            "type": int(channel.kind),
        }
        seen = access.sees(world, world.bot.id, channel)
        channel.deleted = True
        guild.threads.discard(channel.id)
        if seen:
            world.emit("THREAD_DELETE", data, Intent.GUILDS)
        return
    for thread_id in [
        each for each in guild.threads if world.channels[each].parent_id == channel.id
    ]:
        world.channels[thread_id].deleted = True
        guild.threads.discard(thread_id)
    channel.deleted = True
    guild.channels.discard(channel.id)
    world.tell_channel("CHANNEL_DELETE", channel)
