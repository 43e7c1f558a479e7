"""Ended conversations are erased after a while: what was said goes, the ledger's counts stay.

Plain functions inside the worker's transactions. A request is erased in as many as it takes, so
that a long conversation holds up nobody; from the first on nothing more is kept of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from bot.services import doubts
from bot.services.endings import LOCK
from bot.services.parts import card_event
from storage import cards, conversations, outbox, retention, rooms
from storage.database import Connection
from storage.outbox import Part
from storage.retention import Due


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """`last`: the message that was erased last, with perhaps more behind it. `done`: all is."""

    last: int | None = None
    done: bool = False


def erase_some(
    connection: Connection, due: Due, *, after: int, limit: int, before: int
) -> Progress:
    """Erase a request's next `limit` messages, behind the message `after`; then all the rest.

    Neither more messages nor done: a word of it is being sent at this very moment. `before`: what
    was planned by then (UTC ms) is past its time, whatever it is about.
    """
    retention.begin(connection, due.request_id)
    if due.conversation_id is not None:
        last = retention.erase_messages(connection, due.conversation_id, after=after, limit=limit)
        if last is not None:
            return Progress(last=last)
    if not _erase_waiting(connection, due, before):
        return Progress()
    retention.finish(connection, due.request_id)
    return Progress(done=True)


def _erase_waiting(connection: Connection, due: Due, before: int) -> bool:
    """Drop what waits to be worked or sent; False when something is being sent just now."""
    conversation = conversations.find(connection, due.request_id)
    channels: set[int] = set()
    if conversation is not None:
        channels = {conversation.channel_id, *rooms.desk_channels(connection, conversation.id)}
        if conversation.thread_id is not None:
            channels.add(conversation.thread_id)
        for channel_id in channels:
            retention.erase_waiting(connection, channel_id, conversation.id)
    parts = [
        *_cards(connection, due.request_id),
        *(
            part
            for channel_id in sorted(channels)
            for part in outbox.pending(connection, channel_id)
            if _is_over(connection, part, due.request_id, before)
        ),
    ]
    erased = [retention.erase_part(connection, part.id) for part in parts]
    return all(erased)


def _cards(connection: Connection, request_id: int) -> Iterator[Part]:
    """Postings of the request's card that wait."""
    card = cards.find(connection, request_id)
    for posts in range(card.posts + 1 if card is not None else 0):
        for part in outbox.of_event(connection, card_event(request_id, posts)):
            if part.state == "pending":
                yield part


def _is_over(connection: Connection, part: Part, request_id: int, before: int) -> bool:
    """Whether a part is about that request, or about none that is known and from that time.

    The part that locks the thread says nothing, and is as good as ever.
    """
    if part.kind == LOCK:
        return False
    about = doubts.request_of(connection, part)
    return about == request_id or (about is None and part.created_at <= before)
