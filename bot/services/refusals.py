"""Words to a member that Discord refuses for good: the desk reads that they did not arrive.

A word about a request is planned under an event that begins with `about(request_id)`. That leads
from the refused part to the right conversation, where several share one DM.
"""

import secrets

from bot.words.conversations import undelivered
from bot.words.rooms import words_refused, words_undelivered
from bot.words.values import Message
from domain.requests import Request
from storage import cards, conversations, desks, outbox, relayed, requests
from storage.conversations import Conversation
from storage.database import Connection
from storage.outbox import Part

GIVEN_UP = "given_up"
"""In place of Discord's reason: a person has given the words up, for nobody could find out."""


def about(request_id: int) -> str:
    """What the outbox events of words about a request begin with."""
    return f"r:{request_id}:"


def tell_desk(connection: Connection, part: Part, problem: str, now: int) -> None:
    """A part was refused, or given up: where it was for a member, say so in thread and on card.

    Inside the transaction that drops the part. A notice that is refused itself was for the desk,
    and makes no other; the card shows the refusal all the same.
    """
    request = told(connection, part)
    if request is None:
        return _tell_member(connection, part, problem, now)
    cards.touch(connection, request.id, request.guild_id, now)
    conversation = conversations.find(connection, request.id)
    if conversation is None or conversation.thread_id is None:
        return None
    desk = desks.load(connection, request.guild_id)
    if relayed.original_of_event(connection, part.event) is not None and problem != GIVEN_UP:
        notice = words_undelivered(desk.locale, request, problem)
    else:
        notice = undelivered(request, locale=desk.locale, kind=part.kind, code=problem)
    _say(connection, part, request, conversation.thread_id, notice, now)
    return None


def _tell_member(connection: Connection, part: Part, problem: str, now: int) -> None:
    """What a member wrote can't be posted at the desk: they are told, where they wrote it."""
    original = relayed.original_of_event(connection, part.event)
    if original is None or original.side != "member" or part.target_part is not None:
        return
    request = requests.load(
        connection, conversations.load(connection, original.conversation_id).request_id
    )
    words = words_refused(request.source_locale, problem)
    _say(connection, part, request, original.channel_id, words, now)


def _say(
    connection: Connection,
    part: Part,
    request: Request,
    channel_id: int,
    message: Message,
    now: int,
) -> None:
    outbox.plan(
        connection,
        outbox.NewPart(
            event=f"refused:{part.id}",
            ordinal=0,
            guild_id=request.guild_id,
            destination=channel_id,
            kind="notice",
            payload=message.to_json(),
            delivery_key=secrets.token_urlsafe(15),
        ),
        now,
    )


def last_refusal(connection: Connection, request_id: int) -> str | None:
    """Why the newest refused word to the request's member was refused; None when none was."""
    conversation = conversations.find(connection, request_id)
    if conversation is None:
        return None
    return outbox.last_drop(connection, about(request_id), conversation.channel_id)


def told(connection: Connection, part: Part) -> Request | None:
    """The request whose member the part was for; None for all that is said elsewhere."""
    conversation = _conversation(connection, part.event)
    if conversation is None or conversation.channel_id != part.destination:
        return None
    return requests.load(connection, conversation.request_id)


def _conversation(connection: Connection, event: str) -> Conversation | None:
    """The conversation that an outbox event belongs to: words about its request, or carried."""
    original = relayed.original_of_event(connection, event)
    if original is not None:
        return conversations.load(connection, original.conversation_id)
    name, _, rest = event.partition(":")
    number = rest.partition(":")[0]
    if name != "r" or not number.isdecimal():
        return None
    return conversations.find(connection, int(number))
