"""What a Discord is made of. These records are the store's own and change in place."""

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from sandbox.blobs import Blob

Json = dict[str, Any]


class ChannelKind(IntEnum):
    TEXT = 0
    DM = 1
    CATEGORY = 4
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12


class MessageKind(IntEnum):
    DEFAULT = 0
    RECIPIENT_ADD = 1
    CHANNEL_NAME_CHANGE = 4
    PINNED = 6
    MEMBER_JOIN = 7
    THREAD_CREATED = 18
    REPLY = 19
    CHAT_INPUT_COMMAND = 20
    THREAD_STARTER = 21
    CONTEXT_MENU_COMMAND = 23


class MessageFlag(IntEnum):
    SUPPRESS_EMBEDS = 1 << 2
    HAS_THREAD = 1 << 5
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    SUPPRESS_NOTIFICATIONS = 1 << 12
    VOICE_MESSAGE = 1 << 13
    HAS_SNAPSHOT = 1 << 14
    COMPONENTS_V2 = 1 << 15


class AttachmentFlag(IntEnum):
    SPOILER = 1 << 3


@dataclass(slots=True, kw_only=True)
class User:
    id: int
    name: str
    global_name: str | None = None
    bot: bool = False
    locale: str = "en-US"
    accepts_dms: bool = True
    blocks_bot: bool = False
    nitro: bool = False


@dataclass(slots=True, kw_only=True)
class Role:
    id: int
    guild_id: int
    name: str
    permissions: int
    position: int
    managed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Overwrite:
    """Bits that a channel allows or denies to a role (kind 0) or a member (kind 1)."""

    id: int
    kind: int
    allow: int = 0
    deny: int = 0


@dataclass(slots=True, kw_only=True)
class Member:
    user_id: int
    guild_id: int
    joined_at: int
    roles: list[int] = field(default_factory=list)
    nick: str | None = None


@dataclass(slots=True, kw_only=True)
class Guild:
    id: int
    name: str
    owner_id: int
    locale: str = "en-US"
    roles: dict[int, Role] = field(default_factory=dict)
    members: dict[int, Member] = field(default_factory=dict)
    channels: set[int] = field(default_factory=set)
    threads: set[int] = field(default_factory=set)
    bans: set[int] = field(default_factory=set)


@dataclass(slots=True, kw_only=True)
class Thread:
    """What a thread has beyond a channel. Times are milliseconds UTC."""

    owner_id: int
    created_at: int
    archived_at: int
    archived: bool = False
    locked: bool = False
    auto_archive_minutes: int = 4320
    invitable: bool = True
    members: dict[int, int] = field(default_factory=dict)  # user to when they joined
    message_count: int = 0


@dataclass(slots=True, kw_only=True)
class Channel:
    id: int
    kind: ChannelKind
    name: str
    guild_id: int | None = None
    parent_id: int | None = None
    recipient_id: int | None = None
    position: int = 0
    topic: str | None = None
    overwrites: dict[int, Overwrite] = field(default_factory=dict)
    thread: Thread | None = None
    last_message_id: int | None = None
    message_ids: list[int] = field(default_factory=list)  # rising; deleted and ephemeral ones too
    deleted: bool = False


@dataclass(slots=True, kw_only=True)
class Attachment:
    """A file as it was posted. `claimed_size` is what its size is said to be, where that's a lie.

    `holders` are the messages that show it: the one it was posted with, and its forwards.
    """

    id: int
    channel_id: int
    filename: str
    content_type: str
    blob: Blob
    title: str | None = None
    description: str | None = None
    claimed_size: int | None = None
    duration_secs: float | None = None
    waveform: str | None = None
    flags: int = 0
    holders: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """What a message said and held before it was edited at that time."""

    at: int
    content: str
    attachments: tuple[Attachment, ...] = ()


@dataclass(slots=True, kw_only=True)
class Message:
    """A message as it stands. `visible_to` is the only person who sees an ephemeral one."""

    id: int
    channel_id: int
    author_id: int
    created_at: int
    guild_id: int | None = None
    kind: MessageKind = MessageKind.DEFAULT
    content: str = ""
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    stickers: list[Json] = field(default_factory=list)
    snapshots: list[Json] = field(default_factory=list)
    reference: Json | None = None
    nonce: str | int | None = None
    flags: int = 0
    mentions: list[int] = field(default_factory=list)
    mention_roles: list[int] = field(default_factory=list)
    mention_everyone: bool = False
    reactions: dict[str, list[int]] = field(default_factory=dict)
    pinned: bool = False
    thread_id: int | None = None
    interaction: Json | None = None
    visible_to: int | None = None
    edited_at: int | None = None
    deleted_at: int | None = None
    edits: list[Edit] = field(default_factory=list)

    @property
    def deleted(self) -> bool:
        return self.deleted_at is not None

    @property
    def ephemeral(self) -> bool:
        return self.visible_to is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something the gateway tells. `intents` is the bits of which one must be asked for, or 0.

    `blanked` is what a session without the message-content intent gets instead of `data`.
    """

    name: str
    data: Json
    intents: int = 0
    blanked: Json | None = None
