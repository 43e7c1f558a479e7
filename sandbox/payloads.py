"""The store's records as the JSON that Discord says them in."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import quote

from sandbox import access
from sandbox.entities import (
    Attachment,
    Channel,
    Guild,
    Json,
    Member,
    Message,
    MessageFlag,
    Overwrite,
    Role,
    User,
)

if TYPE_CHECKING:
    from sandbox.world import World


def stamp(at_ms: int) -> str:
    """A time as Discord writes it."""
    at = datetime.fromtimestamp(at_ms / 1000, UTC)
    return at.isoformat(timespec="microseconds")


def user(who: User) -> Json:
    """A person as anybody may see them."""
    body: Json = {
        "id": str(who.id),
        "username": who.name,
        "global_name": who.global_name,
        "discriminator": "0",
        "avatar": None,
        "avatar_decoration_data": None,
        "banner": None,
        "accent_color": None,
        "collectibles": None,
        "primary_guild": None,
        "public_flags": 0,
        "flags": 0,
    }
    if who.bot:
        body["bot"] = True
    return body


def role(of: Role) -> Json:
    """A role, without colour or icon."""
    body: Json = {
        "id": str(of.id),
        "name": of.name,
        "permissions": str(int(of.permissions)),
        "position": of.position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": of.managed,
        "mentionable": False,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }
    return body


def overwrite(of: Overwrite) -> Json:
    """What a channel allows and denies."""
    return {"id": str(of.id), "type": of.kind, "allow": str(of.allow), "deny": str(of.deny)}


def bare_member(of: Member) -> Json:
    """A member without their user, as messages carry it."""
    return {
        "avatar": None,
        "banner": None,
        "communication_disabled_until": None,
        "flags": 0,
        "joined_at": stamp(of.joined_at),
        "nick": of.nick,
        "pending": False,
        "premium_since": None,
        "roles": [str(role_id) for role_id in of.roles],
        "mute": False,
        "deaf": False,
    }


def member(world: "World", of: Member) -> Json:
    """A member with their user."""
    return bare_member(of) | {"user": user(world.users[of.user_id])}


def channel(world: "World", of: Channel) -> Json:
    """A channel of any kind."""
    last = str(of.last_message_id) if of.last_message_id is not None else None
    body: Json = {"id": str(of.id), "type": int(of.kind), "flags": 0, "last_message_id": last}
    if of.guild_id is None:
        assert of.recipient_id is not None
        return body | {"recipients": [user(world.users[of.recipient_id])]}
    body |= {
        "guild_id": str(of.guild_id),
        "name": of.name,
        "parent_id": str(of.parent_id) if of.parent_id is not None else None,
        "rate_limit_per_user": 0,
    }
    if of.thread is not None:
        return body | thread_parts(world, of)
    return body | {
        "position": of.position,
        "topic": of.topic,
        "nsfw": False,
        "permission_overwrites": [overwrite(each) for each in of.overwrites.values()],
    }


def thread_parts(world: "World", of: Channel) -> Json:
    """What a thread says beyond a channel; `member` is the bot's own membership."""
    thread = of.thread
    assert thread is not None
    metadata: Json = {
        "archived": thread.archived,
        "archive_timestamp": stamp(thread.archived_at),
        "auto_archive_duration": thread.auto_archive_minutes,
        "locked": thread.locked,
        "create_timestamp": stamp(thread.created_at),
    }
    if of.kind == 12:
        metadata["invitable"] = thread.invitable
    body: Json = {
        "owner_id": str(thread.owner_id),
        "thread_metadata": metadata,
        "message_count": thread.message_count,
        "total_message_sent": thread.message_count,
        "member_count": min(len(thread.members), 50),
    }
    if world.bot.id in thread.members:
        body["member"] = thread_member(of, world.bot.id)
    return body


def thread_member(of: Channel, user_id: int) -> Json:
    """One person's membership. Raises KeyError for whoever isn't in the thread."""
    assert of.thread is not None
    return {
        "id": str(of.id),
        "user_id": str(user_id),
        "join_timestamp": stamp(of.thread.members[user_id]),
        "flags": 0,
    }


def guild(of: Guild) -> Json:
    """A guild as `GET /guilds/{guild_id}` answers it."""
    return {
        "id": str(of.id),
        "name": of.name,
        "icon": None,
        "description": None,
        "home_header": None,
        "splash": None,
        "discovery_splash": None,
        "features": [],
        "banner": None,
        "owner_id": str(of.owner_id),
        "application_id": None,
        "region": "deprecated",
        "afk_channel_id": None,
        "afk_timeout": 300,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "widget_enabled": False,
        "widget_channel_id": None,
        "verification_level": 0,
        "roles": [role(each) for each in of.roles.values()],
        "default_message_notifications": 0,
        "mfa_level": 0,
        "explicit_content_filter": 0,
        "max_presences": None,
        "max_members": 500_000,
        "max_stage_video_channel_users": 50,
        "max_video_channel_users": 25,
        "vanity_url_code": None,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "preferred_locale": of.locale,
        "rules_channel_id": None,
        "safety_alerts_channel_id": None,
        "public_updates_channel_id": None,
        "premium_progress_bar_enabled": False,
        "nsfw": False,
        "nsfw_level": 0,
        "emojis": [],
        "stickers": [],
        "incidents_data": None,
    }


def whole_guild(world: "World", of: Guild) -> Json:
    """A guild as GUILD_CREATE tells it: the bot's own membership, channels and live threads."""
    bot = world.bot.id
    threads = [world.channels[each] for each in sorted(of.threads)]
    live = [each for each in threads if each.thread is not None and not each.thread.archived]
    return guild(of) | {
        "joined_at": stamp(of.members[bot].joined_at),
        "large": len(of.members) > 250,
        "unavailable": False,
        "member_count": len(of.members),
        "voice_states": [],
        "members": [member(world, of.members[bot])],
        "channels": [channel(world, world.channels[each]) for each in sorted(of.channels)],
        "threads": [channel(world, each) for each in live if access.sees(world, bot, each)],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def attachment(world: "World", of: Attachment) -> Json:
    """Its address looks signed, as Discord's do, and holds for a while."""
    expires = (world.now() + world.files_valid_ms) // 1000
    url = (
        f"{world.files_base}/attachments/{of.channel_id}/{of.id}/{quote(of.filename)}"
        f"?ex={expires:x}&is={world.now() // 1000:x}&hm={of.id:064x}&"
    )
    body: Json = {
        "id": str(of.id),
        "filename": of.filename,
        "size": of.blob.size if of.claimed_size is None else of.claimed_size,
        "url": url,
        "proxy_url": url,
        "content_type": of.content_type,
    }
    optional = ("title", "description", "duration_secs", "waveform")
    body |= {key: getattr(of, key) for key in optional if getattr(of, key) is not None}
    if of.flags:
        body["flags"] = of.flags
    return body


def reactions(of: Message, viewer: int) -> list[Json]:
    """The reactions, with `me` as it is for the viewer."""
    return [
        {
            "emoji": {"id": None, "name": emoji},
            "count": len(who),
            "count_details": {"burst": 0, "normal": len(who)},
            "burst_colors": [],
            "me_burst": False,
            "burst_me": False,
            "me": viewer in who,
            "burst_count": 0,
        }
        for emoji, who in of.reactions.items()
    ]


def message(world: "World", of: Message, *, viewer: int | None = None) -> Json:
    """A message as REST answers it to `viewer`, by default the bot. Nonces are the sender's own."""
    viewer = world.bot.id if viewer is None else viewer
    body: Json = {
        "id": str(of.id),
        "channel_id": str(of.channel_id),
        "type": int(of.kind),
        "content": of.content,
        "author": user(world.users[of.author_id]),
        "timestamp": stamp(of.created_at),
        "edited_timestamp": None if of.edited_at is None else stamp(of.edited_at),
        "tts": False,
        "mention_everyone": of.mention_everyone,
        "mentions": [user(world.users[each]) for each in of.mentions],
        "mention_roles": [str(each) for each in of.mention_roles],
        "attachments": [attachment(world, each) for each in of.attachments],
        "embeds": of.embeds,
        "components": of.components,
        "pinned": of.pinned,
        "flags": of.flags,
    }
    if of.ephemeral:
        for each in body["attachments"]:
            each["ephemeral"] = True
    if of.reactions:
        body["reactions"] = reactions(of, viewer)
    if of.stickers:
        body["sticker_items"] = of.stickers
    if of.interaction is not None:
        body["interaction_metadata"] = of.interaction
        body["webhook_id"] = body["application_id"] = str(world.bot.id)
    return body | _references(world, of, viewer)


def _references(world: "World", of: Message, viewer: int) -> Json:
    body: Json = {}
    if of.snapshots:
        body["message_snapshots"] = [_fresh(world, each) for each in of.snapshots]
    if of.reference is not None:
        body["message_reference"] = of.reference
        replied = world.messages.get(int(of.reference.get("message_id", 0)))
        if of.reference["type"] == 0 and of.kind == 19:
            there = replied is not None and not replied.deleted
            body["referenced_message"] = _basic(world, replied, viewer) if there else None
    if of.flags & MessageFlag.HAS_THREAD and of.thread_id is not None:
        thread = world.channels.get(of.thread_id)
        if thread is not None and not thread.deleted:
            body["thread"] = channel(world, thread)
    return body


def _fresh(world: "World", snapshot: Json) -> Json:
    """A snapshot, the addresses of its files signed anew."""
    old = snapshot["message"]["attachments"]
    found = [(world.attachments.get(int(each["id"])), each) for each in old]
    anew = [each if known is None else attachment(world, known) for known, each in found]
    return {"message": snapshot["message"] | {"attachments": anew}}


def _basic(world: "World", of: Message | None, viewer: int) -> Json | None:
    """A replied-to message: it doesn't carry what it replies to in turn."""
    if of is None:
        return None
    body = message(world, of, viewer=viewer)
    for key in ("referenced_message", "reactions", "thread"):
        body.pop(key, None)
    return body
