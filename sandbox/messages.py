"""Messages come to be, change and go, and the gateway tells of it."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sandbox import access, attaching, payloads, withheld
from sandbox.drafts import Draft, mentions
from sandbox.entities import (
    Channel,
    Edit,
    Json,
    Message,
    MessageFlag,
    MessageKind,
)
from sandbox.errors import invalid, refusal
from sandbox.intents import Intent
from sandbox.permissions import Permission

if TYPE_CHECKING:
    from sandbox.world import World


def post(world: "World", channel: Channel, author_id: int, draft: Draft) -> Message:
    """Say something, as whoever may. With an enforced nonce a repeat answers the first message.

    Raises what Discord answers when that person can't: 50001, 50013, 50007, 50278, 160005, 50006,
    and 10008 when the nonce's first message has been deleted since.
    """
    access.require_speech(world, author_id, channel)
    if draft.files:
        access.require(world, author_id, channel, Permission.ATTACH_FILES)
    if draft.empty:
        raise refusal(50006)
    if draft.enforce_nonce and draft.nonce is not None:
        first = _said_before(world, author_id, draft.nonce)
        if first is not None:
            return first
    made = create(world, channel, author_id, draft)
    if draft.nonce is not None:
        world.nonces[author_id, str(draft.nonce)] = (made.id, world.now())
    return made


def _said_before(world: "World", author_id: int, nonce: str | int) -> Message | None:
    known = world.nonces.get((author_id, str(nonce)))
    if known is None:
        return None
    message_id, at = known
    if world.now() - at >= world.nonce_window_ms:
        return None
    first = world.messages[message_id]
    if first.deleted:
        raise refusal(10008)
    return first


def create(
    world: "World",
    channel: Channel,
    author_id: int,
    draft: Draft,
    *,
    kind: MessageKind = MessageKind.DEFAULT,
    visible_to: int | None = None,
    interaction: Json | None = None,
    reference: Json | None = None,
    mentioned: Sequence[int] = (),
) -> Message:
    """Put a message there without asking who may, and tell of it.

    `reference` and `mentioned` are for what the system writes; a draft has its own.
    """
    made = Message(
        id=world.ids.next(),
        channel_id=channel.id,
        guild_id=channel.guild_id,
        author_id=author_id,
        created_at=world.now(),
        kind=kind,
        content=draft.content,
        embeds=draft.embeds,
        components=draft.components,
        stickers=draft.stickers,
        snapshots=draft.snapshots,
        nonce=draft.nonce,
        flags=draft.flags & ~MessageFlag.EPHEMERAL
        | (MessageFlag.EPHEMERAL if visible_to is not None else 0),
        visible_to=visible_to,
        interaction=interaction,
        reference=reference,
        mentions=list(mentioned),
    )
    attaching.post(world, made, draft.files)
    _refer(world, channel, made, draft)
    _mention(world, channel, made, draft.allowed_mentions)
    world.messages[made.id] = made
    channel.message_ids.append(made.id)
    if visible_to is None:
        channel.last_message_id = made.id
        _stir_thread(world, channel, made)
    tell(world, "MESSAGE_CREATE", made)
    return made


def _refer(world: "World", channel: Channel, made: Message, draft: Draft) -> None:
    if draft.reference is None:
        return
    kind = int(draft.reference.get("type") or 0)
    place = world.channel(int(draft.reference.get("channel_id") or channel.id))
    target = world.messages.get(int(draft.reference["message_id"]))
    missing = target is None or target.deleted or target.channel_id != place.id
    if missing and draft.reference.get("fail_if_not_exists", True):
        raise invalid(message_reference=("REPLIES_UNKNOWN_MESSAGE", "Unknown message"))
    if missing:
        return
    assert target is not None
    made.reference = {
        "type": kind,
        "channel_id": str(place.id),
        "message_id": str(target.id),
    }
    if place.guild_id is not None:
        made.reference["guild_id"] = str(place.guild_id)
    if kind == 1:
        attaching.forward(world, made, target)
        made.flags |= MessageFlag.HAS_SNAPSHOT
        return
    made.kind = MessageKind.REPLY
    allowed = draft.allowed_mentions
    if (allowed is None or allowed.get("replied_user")) and target.author_id != made.author_id:
        made.mentions.append(target.author_id)


def _mention(
    world: "World", channel: Channel, made: Message, allowed: Mapping[str, Any] | None
) -> None:
    bits = access.of(world, made.author_id, channel)
    pinged = mentions(
        made.content,
        None if allowed is None else dict(allowed),
        may_mention_everyone=bool(bits & Permission.MENTION_EVERYONE),
    )
    known = [each for each in pinged.users if each in world.users]
    made.mentions += [each for each in known if each not in made.mentions]
    made.mention_roles = pinged.roles
    made.mention_everyone = pinged.everyone


def _mention_anew(world: "World", message: Message, allowed: Mapping[str, Any] | None) -> None:
    """Other words mention other people. Whom a reply pings, it pings still."""
    replied = world.messages.get(int((message.reference or {}).get("message_id", 0)))
    stays = None if replied is None else replied.author_id
    message.mentions = [each for each in message.mentions if each == stays]
    _mention(world, world.channels[message.channel_id], message, allowed)


def _stir_thread(world: "World", channel: Channel, made: Message) -> None:
    """Speaking in a thread wakes it and makes the speaker a member of it."""
    thread = channel.thread
    if thread is None:
        return
    thread.message_count += 1
    if thread.archived:
        thread.archived = False
        thread.archived_at = world.now()
        world.tell_channel("THREAD_UPDATE", channel)
    thread.members.setdefault(made.author_id, world.now())


def edit(
    world: "World",
    message: Message,
    changes: Mapping[str, Any],
    draft: Draft,
    *,
    quiet: bool = False,
) -> None:
    """Change what a message says; `changes` names the fields and `draft` holds them, checked.

    `quiet` leaves no mark of an edit, as when a deferred answer gets its words. Raises 50006 when
    nothing would be left; the message is as it was.
    """
    content = draft.content if "content" in changes else message.content
    embeds = draft.embeds if "embeds" in changes else message.embeds
    shown = draft.components if "components" in changes else message.components
    before = tuple(message.attachments)
    kept = list(before)
    if "attachments" in changes:
        named = {str(each.get("id")) for each in changes["attachments"] or []}
        kept = [each for each in kept if str(each.id) in named]
    if not any((content, embeds, shown, kept, draft.files, message.stickers)):
        raise refusal(50006)
    message.edits.append(Edit(at=world.now(), content=message.content, attachments=before))
    message.content, message.embeds, message.components = content, embeds, shown
    message.attachments = kept
    attaching.drop(world, message, [each for each in before if each not in kept])
    attaching.post(world, message, draft.files)
    if "content" in changes:
        _mention_anew(world, message, draft.allowed_mentions)
    if "flags" in changes:
        own = MessageFlag.SUPPRESS_EMBEDS | MessageFlag.COMPONENTS_V2
        message.flags = message.flags & ~own | draft.flags & own
    if not quiet:
        message.edited_at = world.now()
    tell(world, "MESSAGE_UPDATE", message)


def unfurl(world: "World", message: Message, embed: Json) -> None:
    """Discord shows what a link leads to: an update that nobody made, and that is no edit."""
    message.embeds = [*message.embeds, embed]
    tell(world, "MESSAGE_UPDATE", message)


def delete(world: "World", message: Message) -> None:
    """The message is gone for everybody; the truth keeps it."""
    _bury(world, message)
    data = _whereabouts(message) | {"id": str(message.id)}
    _tell_where(world, message, "MESSAGE_DELETE", data)


def bulk_delete(world: "World", found: list[Message]) -> None:
    """Many at once, told as one event."""
    for each in found:
        _bury(world, each)
    if found:
        data = _whereabouts(found[0]) | {"ids": [str(each.id) for each in found]}
        _tell_where(world, found[0], "MESSAGE_DELETE_BULK", data)


def _bury(world: "World", message: Message) -> None:
    message.deleted_at = world.now()
    attaching.drop(world, message, attaching.shown(world, message))


def react(world: "World", message: Message, user_id: int, emoji: str) -> None:
    """Reacting again changes nothing."""
    who = message.reactions.setdefault(emoji, [])
    if user_id not in who:
        who.append(user_id)
        _tell_reaction(world, message, user_id, emoji, "MESSAGE_REACTION_ADD")


def unreact(world: "World", message: Message, user_id: int, emoji: str) -> None:
    """Raises 10014 when there is no such reaction."""
    who = message.reactions.get(emoji, [])
    if user_id not in who:
        raise refusal(10014)
    who.remove(user_id)
    if not who:
        del message.reactions[emoji]
    _tell_reaction(world, message, user_id, emoji, "MESSAGE_REACTION_REMOVE")


def _tell_reaction(world: "World", message: Message, user_id: int, emoji: str, name: str) -> None:
    data = _whereabouts(message) | {
        "user_id": str(user_id),
        "message_id": str(message.id),
        "emoji": {"id": None, "name": emoji},
        "burst": False,
        "type": 0,
    }
    if name == "MESSAGE_REACTION_ADD":
        data["message_author_id"] = str(message.author_id)
    if message.guild_id is not None and name == "MESSAGE_REACTION_ADD":
        member = world.guilds[message.guild_id].members.get(user_id)
        if member is not None:
            data["member"] = payloads.member(world, member)
    dm, guild = Intent.DIRECT_MESSAGE_REACTIONS, Intent.GUILD_MESSAGE_REACTIONS
    if access.sees(world, world.bot.id, world.channels[message.channel_id]):
        world.emit(name, data, dm if message.guild_id is None else guild)


def type_in(world: "World", channel: Channel, user_id: int) -> None:
    """Somebody is typing."""
    data: Json = {
        "channel_id": str(channel.id),
        "user_id": str(user_id),
        "timestamp": world.now() // 1000,
    }
    intent = Intent.DIRECT_MESSAGE_TYPING
    if channel.guild_id is not None:
        intent = Intent.GUILD_MESSAGE_TYPING
        data["guild_id"] = str(channel.guild_id)
        member = world.guilds[channel.guild_id].members[user_id]
        data["member"] = payloads.member(world, member)
    if access.sees(world, world.bot.id, channel):
        world.emit("TYPING_START", data, intent)


def tell(world: "World", name: str, message: Message) -> None:
    """MESSAGE_CREATE or MESSAGE_UPDATE, where the bot can see it.

    An ephemeral answer of the bot's own is told without its guild; other people's never exist.
    """
    channel = world.channels[message.channel_id]
    if not access.sees(world, world.bot.id, channel) and not message.ephemeral:
        return
    data = payloads.message(world, message) | {"channel_type": int(channel.kind)}
    if message.ephemeral or message.guild_id is None:
        if name == "MESSAGE_CREATE" and message.nonce is not None:
            data["nonce"] = message.nonce
        world.emit(name, data, Intent.DIRECT_MESSAGES)
        return
    data["guild_id"] = str(message.guild_id)
    member = world.guilds[message.guild_id].members.get(message.author_id)
    if member is not None:
        data["member"] = payloads.bare_member(member)
    if name == "MESSAGE_CREATE" and message.nonce is not None:
        data["nonce"] = message.nonce
    blank = withheld.blanked(world, message, data)
    world.emit(name, data, Intent.GUILD_MESSAGES, blanked=blank)


def _whereabouts(message: Message) -> Json:
    data: Json = {"channel_id": str(message.channel_id)}
    if message.guild_id is not None and not message.ephemeral:
        data["guild_id"] = str(message.guild_id)
    return data


def _tell_where(world: "World", message: Message, name: str, data: Json) -> None:
    private = message.guild_id is None or message.ephemeral
    if private or access.sees(world, world.bot.id, world.channels[message.channel_id]):
        intent = Intent.DIRECT_MESSAGES if private else Intent.GUILD_MESSAGES
        world.emit(name, data, intent)


def pin(world: "World", message: Message, user_id: int) -> None:
    """Pin it, which leaves a system message that bears the name of whoever did."""
    message.pinned = True
    tell(world, "MESSAGE_UPDATE", message)
    channel = world.channels[message.channel_id]
    reference = {
        "type": 0,
        "channel_id": str(channel.id),
        "message_id": str(message.id),
    }
    kind = MessageKind.PINNED
    create(world, channel, user_id, Draft(), kind=kind, reference=reference)


def unpin(world: "World", message: Message) -> None:
    """Unpinning what isn't pinned changes nothing."""
    if message.pinned:
        message.pinned = False
        tell(world, "MESSAGE_UPDATE", message)
