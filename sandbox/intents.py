"""Gateway intents: which events a session asked for."""

from enum import IntFlag


class Intent(IntFlag):
    GUILDS = 1 << 0
    GUILD_MEMBERS = 1 << 1
    GUILD_MODERATION = 1 << 2
    GUILD_PRESENCES = 1 << 8
    GUILD_MESSAGES = 1 << 9
    GUILD_MESSAGE_REACTIONS = 1 << 10
    GUILD_MESSAGE_TYPING = 1 << 11
    DIRECT_MESSAGES = 1 << 12
    DIRECT_MESSAGE_REACTIONS = 1 << 13
    DIRECT_MESSAGE_TYPING = 1 << 14
    MESSAGE_CONTENT = 1 << 15


_FLAGS = {
    Intent.GUILD_PRESENCES: 1 << 12,
    Intent.GUILD_MEMBERS: 1 << 14,
    Intent.MESSAGE_CONTENT: 1 << 18,
}


def application_flags(privileged: int, *, limited: bool = False) -> int:
    """What an application's flags say of the privileged intents that it may ask for.

    A `limited` one has switched them on itself; another was granted them by Discord.
    """
    granted = sum(flag for intent, flag in _FLAGS.items() if privileged & intent)
    return granted << 1 if limited else granted


ALL_PRIVILEGED = Intent.GUILD_MEMBERS | Intent.GUILD_PRESENCES | Intent.MESSAGE_CONTENT
