"""What is kept from an application that may not read what people write."""

from typing import TYPE_CHECKING, Final

from sandbox.entities import Json, Message

if TYPE_CHECKING:
    from sandbox.world import World

_FIELDS: Final = ("embeds", "attachments", "components")


def blanked(world: "World", of: Message, body: Json) -> Json | None:
    """The message's body without the message-content intent; None where nothing is withheld.

    What it answers, and what it forwards, is withheld by the same rule as words of its own.
    """
    answered = body.get("referenced_message")
    replied = None if answered is None else world.messages[int(answered["id"])]
    own = _hidden(world, of)
    if not own and (replied is None or not _hidden(world, replied)):
        return None
    left = _emptied(body) if own else dict(body)
    if own and "message_snapshots" in body:
        left["message_snapshots"] = [
            each | {"message": _emptied(each["message"])} for each in body["message_snapshots"]
        ]
    if answered is not None and replied is not None and _hidden(world, replied):
        left["referenced_message"] = _emptied(answered)
    return left


def _hidden(world: "World", of: Message) -> bool:
    """A bot always reads its own messages, its DMs, and messages that mention it."""
    bot = world.bot.id
    return of.author_id != bot and of.guild_id is not None and bot not in of.mentions


def _emptied(body: Json) -> Json:
    return body | {"content": "", **{each: [] for each in _FIELDS}}
