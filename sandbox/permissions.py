"""Permission bits and how Discord computes them."""

from collections.abc import Iterable
from enum import IntFlag


class Permission(IntFlag):
    """The bits that the sandbox enforces or hands out, by Discord's names."""

    KICK_MEMBERS = 1 << 1
    BAN_MEMBERS = 1 << 2
    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    CHANGE_NICKNAME = 1 << 26
    MANAGE_NICKNAMES = 1 << 27
    MANAGE_ROLES = 1 << 28
    MANAGE_WEBHOOKS = 1 << 29
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38
    MODERATE_MEMBERS = 1 << 40
    PIN_MESSAGES = 1 << 51


ALL = (1 << 53) - 1

EVERYONE = (
    Permission.ADD_REACTIONS
    | Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.CHANGE_NICKNAME
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
)
"""What @everyone has in a new guild."""

BOT = (
    EVERYONE
    | Permission.MANAGE_MESSAGES
    | Permission.MANAGE_THREADS
    | Permission.CREATE_PRIVATE_THREADS
    | Permission.PIN_MESSAGES
)
"""What the bot's own role has unless a test says otherwise."""

IN_DM = (
    Permission.ADD_REACTIONS
    | Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.MENTION_EVERYONE
    | Permission.USE_APPLICATION_COMMANDS
)

Overwrites = Iterable[tuple[int, int]]


def in_guild(*, owner: bool, granted: Iterable[int]) -> int:
    """A member's bits in the guild: all roles together; owner and administrators have all."""
    if owner:
        return ALL
    bits = 0
    for role in granted:
        bits |= role
    return ALL if bits & Permission.ADMINISTRATOR else bits


def in_channel(base: int, everyone: Overwrites, roles: Overwrites, member: Overwrites) -> int:
    """`base` after a channel's overwrites, each an (allow, deny), in Discord's order.

    Without VIEW_CHANNEL nothing is left.
    """
    if base & Permission.ADMINISTRATOR:
        return ALL
    bits = base
    for layer in (everyone, roles, member):
        allowed = denied = 0
        for allow, deny in layer:
            allowed |= allow
            denied |= deny
        bits = bits & ~denied | allowed
    return bits if bits & Permission.VIEW_CHANNEL else 0
