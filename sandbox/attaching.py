"""Files become attachments, are held by the messages that show them, and go with the last one."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sandbox import payloads
from sandbox.drafts import File
from sandbox.entities import Attachment, AttachmentFlag, Json, Message

if TYPE_CHECKING:
    from sandbox.world import World


def attach(world: "World", channel_id: int, file: File) -> Attachment:
    """A file as Discord has it from now on; no message holds it yet."""
    made = Attachment(
        id=world.ids.next(),
        channel_id=channel_id,
        filename=file.filename,
        content_type=file.content_type,
        blob=world.blobs.know(file.blob),
        title=file.title,
        description=file.description,
        claimed_size=file.claimed_size,
        duration_secs=file.duration_secs,
        waveform=file.waveform,
        flags=AttachmentFlag.SPOILER if file.spoiler else 0,
    )
    world.attachments[made.id] = made
    return made


def post(world: "World", message: Message, files: Iterable[File]) -> None:
    """Put files under a message."""
    for file in files:
        made = attach(world, message.channel_id, file)
        made.holders.add(message.id)
        message.attachments.append(made)


def drop(world: "World", message: Message, attachments: Iterable[Attachment]) -> None:
    """The message no longer shows these; one that nobody shows can't be fetched any more."""
    for each in attachments:
        each.holders.discard(message.id)
        if not each.holders:
            world.attachments.pop(each.id, None)


def forward(world: "World", made: Message, of: Message) -> None:
    """What a forward carries of the message that it forwards; of a forward, what that carried."""
    made.snapshots = list(of.snapshots) or [{"message": _snapshot(world, of)}]
    for each in shown(world, made):
        each.holders.add(made.id)


def _snapshot(world: "World", of: Message) -> Json:
    whole = payloads.message(world, of)
    kept = ("type", "content", "mentions", "mention_roles", "attachments", "embeds", "timestamp")
    more = ("edited_timestamp", "flags", "components", "sticker_items")
    return {key: whole[key] for key in (*kept, *more) if key in whole}


def shown(world: "World", message: Message) -> list[Attachment]:
    """Every attachment that a message shows, those of what it forwards too."""
    ids = [
        int(each["id"])
        for snapshot in message.snapshots
        for each in snapshot["message"]["attachments"]
    ]
    there = (world.attachments.get(each) for each in ids)
    return [*message.attachments, *(each for each in there if each is not None)]
