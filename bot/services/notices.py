"""What is said to somebody whose words are not carried, where they wrote them; each told once."""

import secrets
from dataclasses import replace
from enum import StrEnum

from bot.words import rooms as words
from bot.words.values import Message
from domain.requests import Request
from domain.written import Written
from storage import conversations, desks, outbox, requests, rooms
from storage.database import Connection
from storage.desks import Desk
from storage.inbox import Event

CHOICE = "which_conversation"
"""Why a message waits: its member has not said yet which conversation it is for."""

CHOOSE = "room"
"""The custom id of the select by which a member says which conversation their DM writes to."""

_SIX_HOURS_MS = 6 * 3_600_000


class Notice(StrEnum):
    """Why words are not carried."""

    ENDED = "ended"
    NOT_STAFF = "not_staff"
    HIDDEN = "hidden"


def tell_author(
    connection: Connection, notice: Notice, written: Written, request: Request, desk: Desk, now: int
) -> None:
    """Say why in the channel where it was written: once a conversation, or once a person."""
    once = written.author_id if notice is Notice.NOT_STAFF else request.id
    event = f"{notice}:{written.channel_id}:{once}"
    message = _words(notice, written.author_id, request, desk)
    _plan(connection, event, request.guild_id, written.channel_id, message, now)


def _words(notice: Notice, author_id: int, request: Request, desk: Desk) -> Message:
    if notice is Notice.NOT_STAFF:
        role_id = desk.coordinator_role_id
        return words.only_coordinators(desk.locale, member_id=author_id, role_id=role_id)
    if notice is Notice.HIDDEN:
        if author_id == request.member_id:
            return words.mention_to_write(request.source_locale)
        return words.reply_by_command(desk.locale)
    if author_id == request.member_id:
        at = words.Desk(guild_id=desk.guild_id, guild_name=desk.guild_name)
        return words.over_for_member(request.source_locale, request, at)
    return words.over_at_desk(desk.locale, request)


def tell_disk_full(connection: Connection, channel_id: int, conversation_id: str, now: int) -> None:
    """Say in the channel that a file waits for room on the disk: once in six hours."""
    conversation = conversations.load(connection, conversation_id)
    request = requests.load(connection, conversation.request_id)
    from_member = channel_id == conversation.channel_id
    desk = desks.load(connection, request.guild_id)
    message = words.no_room_on_disk(request.source_locale if from_member else desk.locale)
    event = f"disk:{channel_id}:{now // _SIX_HOURS_MS}"
    _plan(connection, event, request.guild_id, channel_id, message, now)


def ask_which(connection: Connection, written: Written, now: int) -> bool:
    """Ask the member which of their conversations it is for; False when they have none.

    No line is marked as chosen: who chooses a marked one tells nobody.
    """
    found = choices_in(connection, written.channel_id, member_id=written.author_id)
    choices = [replace(choice, chosen=False) for choice in found]
    if not choices:
        return False
    request = requests.load(connection, int(choices[0].value))
    message = words.which_conversation(request.source_locale, choices, custom_id=CHOOSE)
    event = f"which:{written.channel_id}:{written.message_id}"
    _plan(connection, event, request.guild_id, written.channel_id, message, now)
    return True


def say_held(connection: Connection, channel_id: int, asked: Event, now: int) -> None:
    """Another message waits for the answer to the same question: said once a question."""
    choices = choices_in(connection, channel_id, member_id=asked.author_id)
    if not choices:
        return
    request = requests.load(connection, int(choices[0].value))
    event = f"held:{channel_id}:{asked.position}"
    message = words.held(request.source_locale)
    _plan(connection, event, request.guild_id, channel_id, message, now)


def tell_too_fast(
    connection: Connection, written: Written, request: Request, most: int, now: int
) -> None:
    """More than so many messages in a minute: the rest goes on later."""
    event = f"fast:{written.channel_id}:{written.message_id}"
    message = words.too_fast(request.source_locale, most)
    _plan(connection, event, request.guild_id, written.channel_id, message, now)


def choices_in(
    connection: Connection, channel_id: int, *, member_id: int | None
) -> tuple[words.Choice, ...]:
    """The member's conversations that the channel can write to; `value` is the request's id."""
    room = rooms.live(connection, channel_id)
    found = []
    for conversation_id in rooms.active_in(connection, channel_id):
        conversation = conversations.load(connection, conversation_id)
        request = requests.load(connection, conversation.request_id)
        if request.member_id != member_id:
            continue
        found.append(
            words.Choice(
                value=str(request.id),
                reference=request.reference,
                topic=request.topic,
                guild_name=desks.load(connection, request.guild_id).guild_name,
                chosen=room is not None and room.conversation_id == conversation_id,
            )
        )
    return tuple(found)


def _plan(
    connection: Connection, event: str, guild_id: int, channel_id: int, message: Message, now: int
) -> None:
    outbox.plan(
        connection,
        outbox.NewPart(
            event=event,
            ordinal=0,
            guild_id=guild_id,
            destination=channel_id,
            kind="notice",
            payload=message.to_json(),
            delivery_key=secrets.token_urlsafe(15),
        ),
        now,
    )
