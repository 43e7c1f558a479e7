"""What the bot needs to be allowed, channel by channel, by Discord's names for permissions.

https://discord.com/developers/docs/topics/permissions
"""

from typing import Final

DESK: Final = (
    "view_channel",
    "send_messages",
    "embed_links",
    "attach_files",
    "read_message_history",
    "add_reactions",
    "create_public_threads",
    "send_messages_in_threads",
    "manage_threads",
)
HELP: Final = (
    "view_channel",
    "send_messages",
    "embed_links",
    "attach_files",
    "read_message_history",
    "add_reactions",
    "create_private_threads",
    "send_messages_in_threads",
    "manage_threads",
)
