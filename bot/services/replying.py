"""`/reply`: what a coordinator gives to the command is carried like what they write in the thread.

It stands in no channel, so the desk's thread is shown what was said, and by whom, as a part of the
same event: the others at the desk read it there as they would have read the message itself.
"""

from collections.abc import Callable
from dataclasses import dataclass

from bot.services.access import Actor, require_coordinator
from bot.services.conversations import with_owner_name
from bot.services.marking import is_note
from bot.services.relaying import BY_COMMAND
from domain.errors import Refused
from domain.requests import Active, Request
from domain.text import tidy
from domain.written import Written
from storage import conversations, desks, inbox, requests
from storage.conversations import Conversation
from storage.database import Connection, Database
from storage.inbox import NewEvent

TEXT_LIMIT = 6000
_NAME = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A coordinator's words, under the interaction that brought them, from a thread."""

    interaction_id: int
    guild_id: int
    channel_id: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Replied:
    """What it was for; `note`: it stays at the desk, as its text asks."""

    request: Request
    note: bool


class Replying:
    """One use case over one ledger. `wake` tells the worker that there is something to do."""

    def __init__(self, database: Database, wake: Callable[[], None]) -> None:
        self._database = database
        self._wake = wake

    async def reply(self, reply: Reply, actor: Actor, now: int) -> Replied:
        """Put the words into the inbox; the same interaction again returns the first receipt.

        For the conversation's owner; while nobody owns it, for any coordinator, since otherwise
        nobody could answer. Raises `Refused`: `not_staff`, `not_in_thread`, `no_conversation`,
        `active_request_not_owned`, `empty_message`, `message_too_long`.
        """

        def take(connection: Connection) -> Replied:
            desk = desks.load(connection, reply.guild_id)
            require_coordinator(desk, actor)
            conversation, request = _here(connection, reply)
            replied = Replied(request=request, note=is_note("desk", reply.text))
            event_id = f"{BY_COMMAND}{reply.interaction_id}"
            if inbox.find(connection, event_id) is not None:
                return replied
            _check(connection, request, reply, actor)
            name = tidy(actor.name, limit=_NAME) or "?"
            desks.remember_name(connection, reply.guild_id, actor.member_id, name)
            event = NewEvent(
                id=event_id,
                channel_id=reply.channel_id,
                position=reply.interaction_id,
                kind="message",
                author_id=actor.member_id,
                conversation_id=conversation.id,
                payload=_written(reply, actor, now).to_json(),
            )
            inbox.add(connection, event, now)
            return replied

        replied = await self._database.write(take)
        self._wake()
        return replied


def _here(connection: Connection, reply: Reply) -> tuple[Conversation, Request]:
    request_id = conversations.request_of_thread(connection, reply.channel_id)
    if request_id is None:
        raise Refused("not_in_thread")
    request = requests.load(connection, request_id)
    conversation = conversations.find(connection, request_id)
    if request.guild_id != reply.guild_id or conversation is None:
        raise Refused("not_in_thread")
    return conversation, request


def _check(connection: Connection, request: Request, reply: Reply, actor: Actor) -> None:
    state = request.state
    if not isinstance(state, Active):
        raise Refused("no_conversation")
    if state.owner_id not in (None, actor.member_id):
        refused = Refused("active_request_not_owned", owner_id=state.owner_id)
        raise with_owner_name(connection, request.guild_id, refused)
    if not tidy(reply.text, limit=TEXT_LIMIT, lines=True):
        raise Refused("empty_message")
    if len(reply.text) > TEXT_LIMIT:
        raise Refused("message_too_long")


def _written(reply: Reply, actor: Actor, now: int) -> Written:
    return Written(
        message_id=reply.interaction_id,
        channel_id=reply.channel_id,
        guild_id=reply.guild_id,
        author_id=actor.member_id,
        author_name=actor.name,
        at=now,
        text=reply.text,
        role_ids=actor.role_ids,
    )
