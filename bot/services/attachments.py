"""The files of carried messages: wanted when a message comes in, named where one can't be carried.

Plain functions inside a transaction. A message is not worked before the fate of each of its files
is known; what is in the spool goes with its copy.
"""

from collections.abc import Iterable

from bot.services import copies, marking, notices, pieces
from bot.words.values import message_from_json
from domain.delivery import TOO_LARGE
from domain.files import MOST_FILES, FileState, bundles, is_program
from domain.written import Written
from storage import (
    conversations,
    desks,
    files,
    inbox,
    outbox,
    outbox_changes,
    relayed,
    requests,
    retention,
)
from storage.database import Connection
from storage.files import NewFile, RelayedFile
from storage.outbox import Part

DISK_PROBLEMS = frozenset({"disk_full", "disk_failed"})
"""Why a message waits whose file the disk does not take."""

_SPOILER = "SPOILER_"


def want(connection: Connection, written: Written, now: int) -> None:
    """Note the files that came with a message, and those of what it forwards, to be fetched."""
    came = [*written.attachments, *(file for one in written.forwards for file in one.attachments)]
    for ordinal, file in enumerate(came, start=1):
        files.want(
            connection,
            NewFile(
                message_id=written.message_id,
                ordinal=ordinal,
                channel_id=written.channel_id,
                name=file.name.removeprefix(_SPOILER),
                claimed=max(file.size, 0),
                content_type=file.content_type,
                spoiler=file.spoiler,
                url=file.url,
            ),
            now,
        )
        if ordinal > MOST_FILES:
            files.lose(connection, written.message_id, ordinal, FileState.TOO_MANY)
        elif is_program(file.name):
            files.lose(connection, written.message_id, ordinal, FileState.PROGRAM)


def hold(connection: Connection, file: RelayedFile, problem: str, next_at: int, now: int) -> None:
    """The disk does not take the file: its message waits, and its author is told."""
    files.hold(connection, file, problem, next_at)
    event = inbox.find(connection, relayed.event_of(file.message_id))
    if event is None or event.state != "queued":
        return
    inbox.say(connection, event.id, problem)
    marking.held(connection, file.message_id, now)
    if event.conversation_id is not None:
        notices.tell_disk_full(connection, event.channel_id, event.conversation_id, now)


def settled(connection: Connection, message_id: int, now: int) -> None:
    """The fate of one of a message's files is known: the disk holds it up no longer."""
    event = inbox.find(connection, relayed.event_of(message_id))
    if event is not None and event.problem in DISK_PROBLEMS:
        inbox.say(connection, event.id, None)
        marking.goes_on(connection, message_id, now)


def put_together(connection: Connection, message_id: int) -> None:
    """Settle which of a message's files go together, once and for all."""
    kept = [file for file in files.of_message(connection, message_id) if file.sha256 is not None]
    for file, bundle in zip(kept, bundles([file.size or 0 for file in kept]), strict=True):
        files.put_in_bundle(connection, message_id, file.ordinal, bundle)


def refused(connection: Connection, part: Part, now: int) -> bool:
    """Discord takes a part's files at no price: it goes without them; False where it has none."""
    original = relayed.original_of_event(connection, part.event)
    try:
        bears = message_from_json(part.payload or "").files
    except ValueError:
        return False
    if original is None or not bears:
        return False
    outbox.wait(
        connection, part.delivery_key, uncertain=False, next_at=now, problem=TOO_LARGE, now=now
    )
    latest = outbox.find(connection, part.delivery_key)
    assert latest is not None
    ordinals = [file.ordinal for file in bears]
    name_instead(connection, latest, ordinals, FileState.TOO_LARGE, now)
    return True


def name_instead(
    connection: Connection, part: Part, ordinals: Iterable[int], why: FileState, now: int
) -> None:
    """Files of a part that is neither sent nor in doubt can't go: it names them, and goes all the
    same.
    """
    original = relayed.original_of_event(connection, part.event)
    assert original is not None
    for ordinal in ordinals:
        files.lose(connection, original.id, ordinal, why)
    conversation = conversations.load(connection, original.conversation_id)
    request = requests.load(connection, conversation.request_id)
    desk = desks.load(connection, request.guild_id)
    if not retention.is_kept(connection, request.id):
        return outbox.drop(connection, part, "erased")
    if part.kind == copies.FILES:
        bundle = _bundle_of(connection, original.id, ordinals)
        piece = pieces.more_files(connection, original, request, desk)[bundle - 1]
        outbox_changes.revise(connection, part, piece.to_json(), part.kind)
        return None
    lane = copies.Lane(
        original_id=original.id, guild_id=part.guild_id, destination=part.destination
    )
    words = pieces.of(connection, original, request, desk)
    return copies.revise(connection, lane, words, f"e:{original.id}:named:{part.id}", now)


def _bundle_of(connection: Connection, message_id: int, ordinals: Iterable[int]) -> int:
    """The bundle that those files are in, which is not the first."""
    wanted = set(ordinals)
    found = files.of_message(connection, message_id)
    return next(file.bundle for file in found if file.ordinal in wanted and file.bundle)
