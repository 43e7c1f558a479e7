"""Which channels are read, as conversations begin, move and end."""

import secrets

from bot.words.rooms import thread_replaced
from domain.requests import Request
from storage import (
    cards,
    channels,
    conversations,
    desks,
    inbox,
    outbox,
    outbox_changes,
    requests,
    rooms,
)
from storage.conversations import Conversation
from storage.database import Connection
from storage.outbox import Part

NO_THREAD = "no_thread"
INTRO = "thread_intro"
_REPLACED_MS = 300_000


def began(
    connection: Connection,
    conversation_id: str,
    request: Request,
    channel_id: int,
    message_id: int | None,
    now: int,
) -> None:
    """A conversation has begun in the member's channel with that message.

    Alone there, the channel follows it. Beside others it follows none of them any more: the member
    is asked which they mean with the next thing that they write.
    """
    since = message_id or channels.fence(connection, channel_id) or 0
    if len(rooms.active_in(connection, channel_id)) == 1:
        rooms.follow(connection, channel_id, "member", conversation_id, now, since_id=since)
    else:
        rooms.revoke_channel(connection, channel_id, now, until_id=since)
    rooms.listen(
        connection,
        channel_id,
        guild_id=request.guild_id,
        side="member",
        cursor=since,
        now=now,
    )


def thread_made(
    connection: Connection, request: Request, conversation_id: str, thread_id: int, now: int
) -> None:
    """The conversation has a thread at the desk; what waited for one goes there.

    So does what is on its way to an earlier one: it holds its place until it is known not to have
    arrived there (`moved`). Nothing is read in the thread of a conversation that is over.
    """
    for earlier in rooms.desk_channels(connection, conversation_id):
        for part in outbox_changes.waiting_for(connection, earlier):
            # The new thread has first words of its own.
            if part.kind == INTRO and outbox_changes.remove(connection, part, "thread_replaced"):
                continue
            _redirect(connection, part, thread_id, now)
        outbox_changes.divert(connection, earlier, thread_id)
        rooms.forget(connection, earlier)
    if request.state_name != "active":
        return
    rooms.follow(connection, thread_id, "desk", conversation_id, now)
    rooms.listen(
        connection, thread_id, guild_id=request.guild_id, side="desk", cursor=thread_id, now=now
    )
    inbox.hurry(connection, conversation_id, NO_THREAD, now)


def thread_lost(connection: Connection, guild_id: int, thread_id: int, now: int) -> bool:
    """A thread is gone; True where it was that of an active request of the guild.

    The request gets a new card with a new thread; what waits for the old one goes there.
    """
    request_id = conversations.request_of_thread(connection, thread_id)
    if request_id is None:
        return False
    request = requests.load(connection, request_id)
    card = cards.find(connection, request_id)
    if request.guild_id != guild_id or card is None or request.state_name != "active":
        return False
    cards.replace(connection, card, now)
    conversations.put_thread(connection, request_id, None)
    desks.note_problem(connection, guild_id, "thread_deleted")
    rooms.revoke_channel(connection, thread_id, now)
    rooms.forget(connection, thread_id)
    _say_replaced(connection, request, thread_id, now)
    outbox_changes.park(connection, thread_id, now + _REPLACED_MS)
    return True


def _say_replaced(connection: Connection, request: Request, thread_id: int, now: int) -> None:
    """Where the earlier words are, before all that is written from now on.

    Planned for the thread that is gone, so that it goes to the new one with what waits for it.
    """
    desk = desks.load(connection, request.guild_id)
    outbox.plan(
        connection,
        outbox.NewPart(
            event=f"replaced:{thread_id}",
            ordinal=0,
            guild_id=request.guild_id,
            destination=thread_id,
            kind="notice",
            payload=thread_replaced(desk.locale, request).to_json(),
            delivery_key=secrets.token_urlsafe(15),
        ),
        now,
    )


def rerouted(connection: Connection, part: Part, now: int) -> bool:
    """A part was refused because its channel is gone; True where that was a desk's thread.

    It goes to the thread that has taken its place, or waits for the one that will.
    """
    lost = thread_lost(connection, part.guild_id, part.destination, now)
    conversation_id = rooms.desk_of(connection, part.destination)
    if conversation_id is None:
        return False
    conversation = conversations.load(connection, conversation_id)
    request = requests.load(connection, conversation.request_id)
    if not lost and (request.state_name != "active" or conversation.thread_id == part.destination):
        return False
    if conversation.thread_id is not None:
        _redirect(connection, part, conversation.thread_id, now)
    else:
        outbox.wait(
            connection,
            part.delivery_key,
            uncertain=False,
            next_at=now + _REPLACED_MS,
            problem="unknown_channel",
            now=now,
            parked=True,
        )
    return True


def _redirect(connection: Connection, part: Part, thread_id: int, now: int) -> None:
    """Under a new key where an earlier call may have posted it in the thread that is gone."""
    if part.uncertain and part.target_part is None:
        outbox.renew_key(connection, part, secrets.token_urlsafe(15), now)
    outbox_changes.redirect(connection, part, thread_id, now)
    outbox_changes.take_in(connection, part.id)


def moved(connection: Connection, part: Part, now: int) -> None:
    """A part has not arrived in the thread that it was on its way to, which is gone meanwhile."""
    outbox.renew_key(connection, part, secrets.token_urlsafe(15), now)
    outbox_changes.redirect(connection, part, part.destination, now)
    outbox_changes.take_in(connection, part.id)


def ended(connection: Connection, conversation: Conversation, now: int) -> None:
    """The conversation is over: nothing follows it, what was written until now is still read."""
    rooms.revoke_conversation(connection, conversation.id, now)
    if conversation.thread_id is not None:
        # What is on its way to us from there is still answered.
        rooms.read_out(connection, conversation.thread_id, now)
    if not rooms.active_in(connection, conversation.channel_id):
        inbox.hurry_unchosen(connection, conversation.channel_id, now)
        rooms.stop_listening(connection, conversation.channel_id)
