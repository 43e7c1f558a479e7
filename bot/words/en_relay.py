"""English, continued: what is carried between a member and the desk, and what is said about it."""

from typing import Final

SENTENCES: Final[dict[str, str]] = {
    # A message that is carried. Every line of ours begins with the mark of small print: see relay.
    "you": "you",
    "relay.header": "-# **{name}**",
    "relay.header.reply": "-# **{name}** · reply to {to}",
    "relay.quote.nothing": "(no text)",
    "relay.sticker": "-# [sticker: {name}]",
    "relay.voice": "-# [voice message, {length}]",
    "relay.file": "-# [a file]",
    "relay.files": "-# [{number} files]",
    "relay.forwarded": "-# Forwarded:",
    "relay.forwarded.nothing": "-# [a forwarded message without text]",
    "relay.nothing": "-# [something that Steward can't carry, such as a poll]",
    "relay.lost.too_large": "-# {name} ({size}) was too large to carry",
    "relay.lost.no_room": "-# {name} ({size}) could not be carried: Steward had no room for it",
    "relay.lost.unreadable": "-# {name} ({size}) could not be carried: Discord did not give it out",
    "relay.more": "-# and {number} more",
    "relay.deleted": "-# deleted by the member",
}
