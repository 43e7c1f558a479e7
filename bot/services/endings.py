"""What is said when a conversation ends: to the member where they talked, and in the desk's thread.

Plain functions inside the transaction that ends it, so that no ending goes unsaid.
"""

import secrets

from bot.services import listening
from bot.services.refusals import about
from bot.words.conversations import ended_at_desk, ended_for_member
from bot.words.values import Message
from domain.requests import Request, Resolved
from storage import conversations, desks, outbox
from storage.database import Connection

LOCK = "lock"
"""The part that archives and locks the desk's thread, behind the last words in it."""


def say_ended(connection: Connection, request: Request, now: int, *, reopen_ms: int) -> None:
    """Plan the words about a request that has just been resolved or ended by its member.

    `reopen_ms` is how long they can reopen it; 0: not at all.
    """
    assert isinstance(request.state, Resolved)
    conversation = conversations.find(connection, request.id)
    if conversation is None:
        return
    desk = desks.load(connection, request.guild_id)
    name = None
    if desk.identity == "name" and request.state.owner_id is not None:
        name = desks.name_of(connection, request.guild_id, request.state.owner_id)
    to_member = ended_for_member(
        request,
        locale=request.source_locale,
        guild_name=desk.guild_name,
        owner_name=name,
        reopen_until=now + reopen_ms if reopen_ms else None,
    )
    _plan(connection, request, 0, conversation.channel_id, to_member, now)
    if conversation.thread_id is not None:
        close_thread(connection, request, conversation.thread_id, now)
    listening.ended(connection, conversation, now)


def close_thread(connection: Connection, request: Request, thread_id: int, now: int) -> None:
    """Plan the last words in the thread of a request that has ended, and behind them its lock.

    The lock stands for itself: it is not given up with the words where those are refused.
    """
    at_desk = ended_at_desk(request, locale=desks.load(connection, request.guild_id).locale)
    _plan(connection, request, 1, thread_id, at_desk, now)
    _plan(connection, request, 2, thread_id, Message(), now, kind=LOCK)


def _plan(
    connection: Connection,
    request: Request,
    ordinal: int,
    channel_id: int,
    message: Message,
    now: int,
    *,
    kind: str = "ended",
) -> None:
    event = f"{about(request.id)}{request.revision}"
    outbox.plan(
        connection,
        outbox.NewPart(
            event=f"{event}:{LOCK}" if kind == LOCK else event,
            ordinal=ordinal,
            guild_id=request.guild_id,
            destination=channel_id,
            kind=kind,
            payload=message.to_json(),
            delivery_key=secrets.token_urlsafe(15),
        ),
        now,
    )
