"""What people write, edit and delete, put into the inbox: once each, in order a lane.

Plain functions inside a transaction. What is of no concern to any conversation is not kept.
"""

from bot.services import attachments, marking
from bot.services.notices import CHOICE, say_held
from domain.written import Written
from storage import inbox, relayed, rooms
from storage.database import Connection
from storage.inbox import Event, NewEvent


def take(connection: Connection, written: Written, now: int) -> Event | None:
    """Put a message into the inbox; None when it was there before, or nobody listens there."""
    listening = rooms.inbound(connection, written.channel_id)
    if listening is None:
        return None
    asked = inbox.first(connection, written.channel_id, None)
    added = _add(connection, written, f"m:{written.message_id}", "message", now)
    if added and not marking.is_note(listening.side, written.text):
        attachments.want(connection, written, now)
    rooms.heard(connection, written.channel_id, written.message_id)
    event = inbox.find(connection, f"m:{written.message_id}") if added else None
    if added:
        marking.taken(connection, written, listening, now)
    unchosen = event is not None and event.conversation_id is None
    if unchosen and asked is not None and asked.problem == CHOICE:
        say_held(connection, written.channel_id, asked, now)
    return event


def take_edit(connection: Connection, written: Written, now: int) -> Event | None:
    """Put an edit into the inbox; None when nothing is to do. Of a stranger's message: nothing."""
    original = relayed.find(connection, written.message_id)
    queued = inbox.find(connection, f"m:{written.message_id}")
    if written.edited_at is None:
        return None
    if original is None and queued is None:
        _missed(connection, written.channel_id, written.message_id)
        return None
    event_id = f"e:{written.message_id}:{written.edited_at}"
    if original is not None and (original.edited_at or 0) >= written.edited_at:
        return None
    added = _add(connection, written, event_id, "edit", now)
    return inbox.find(connection, event_id) if added else None


def take_deletion(
    connection: Connection, channel_id: int, message_id: int, now: int
) -> Event | None:
    """Put a deletion into the inbox. A message that still waits there is dropped at once."""
    queued = inbox.find(connection, f"m:{message_id}")
    if queued is not None and queued.state == "queued":
        inbox.drop(connection, queued.id, "deleted")
        marking.gone(connection, message_id)
        return None
    original = relayed.find(connection, message_id)
    if original is None and queued is None:
        _missed(connection, channel_id, message_id)
        return None
    if original is None or original.deleted_at is not None:
        return None
    event = NewEvent(
        id=f"d:{message_id}",
        channel_id=channel_id,
        position=message_id,
        kind="delete",
        author_id=original.author_id,
        conversation_id=original.conversation_id,
        payload="{}",
    )
    return inbox.find(connection, event.id) if inbox.add(connection, event, now) else None


def _missed(connection: Connection, channel_id: int, message_id: int) -> None:
    """A message that nobody told of has changed; the page that shows it may be older than that."""
    if rooms.is_ahead(connection, channel_id, message_id):
        rooms.read_again(connection, channel_id)


def concerns(connection: Connection, channel_id: int, message_id: int) -> bool:
    """Whether the message was carried, or is or will be in the inbox: then its changes matter."""
    if rooms.is_ahead(connection, channel_id, message_id):
        return True
    queued = inbox.find(connection, f"m:{message_id}")
    if queued is not None and queued.state == "queued":
        return True
    return relayed.find(connection, message_id) is not None


def _answered(connection: Connection, written: Written) -> str | None:
    """The open conversation of the message that a member's reply answers, whichever they chose."""
    if written.reply_to is None:
        return None
    answered = relayed.original_of(connection, written.reply_to)
    active = rooms.active_in(connection, written.channel_id)
    return answered.conversation_id if answered and answered.conversation_id in active else None


def _add(
    connection: Connection, written: Written, event_id: str, kind: inbox.Kind, now: int
) -> bool:
    return inbox.add(
        connection,
        NewEvent(
            id=event_id,
            channel_id=written.channel_id,
            position=written.message_id,
            kind=kind,
            author_id=written.author_id,
            conversation_id=_conversation(connection, written),
            payload=written.to_json(),
        ),
        now,
    )


def _conversation(connection: Connection, written: Written) -> str | None:
    """Which conversation it is for; for an edit always the one that its message is in."""
    known = relayed.find(connection, written.message_id) or inbox.find(
        connection, f"m:{written.message_id}"
    )
    if known is not None:
        return known.conversation_id
    answered = _answered(connection, written)
    if answered is not None:
        return answered
    room = rooms.of_message(connection, written.channel_id, written.message_id)
    return None if room is None else room.conversation_id
