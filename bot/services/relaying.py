"""Carrying what people wrote: one inbox event, worked in one transaction.

Planning an event's copies and finishing the event is the same transaction, so a death at any line
leaves either a queued event, which is worked again, or its copies in the outbox.
"""

import logging
from dataclasses import dataclass

from bot.services import attachments, copies, marking, pacing, pieces
from bot.services.access import Standing, may_speak
from bot.services.listening import NO_THREAD
from bot.services.notices import CHOICE, Notice, ask_which, tell_author
from domain.requests import Active, Request, Route
from domain.written import Written, written_from_json
from storage import conversations, desks, inbox, relayed, requests, retention, rooms
from storage.conversations import Conversation
from storage.database import Connection
from storage.desks import Desk
from storage.inbox import Event
from storage.relayed import Relayed, RelayedSide

log = logging.getLogger(__name__)

BY_COMMAND = "i:"
"""What the events of /reply begin with. Who may was checked, with live roles, by the command."""

_NO_THREAD_MS = 60_000
_CHOICE_MS = 24 * 3_600_000


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedsRoles:
    """The event can't be worked before its author's live roles are known."""

    guild_id: int
    author_id: int


def work(
    connection: Connection,
    event: Event,
    now: int,
    *,
    standing: Standing | None = None,
    most: int | None = None,
) -> NeedsRoles | None:
    """Work a queued event. `standing`: of its author, asked for after `NeedsRoles`.

    `most` messages of one member are carried in a minute, the rest later; None: however many.
    """
    if event.kind == "delete":
        _delete(connection, event, now)
        return None
    try:
        written = written_from_json(event.payload or "")
    except ValueError:
        log.exception("event_unreadable", extra={"event_id": event.id})
        inbox.set_aside(connection, event.id, "unreadable_payload")
        if event.kind == "message":
            marking.not_carried(connection, event.position, now)
        return None
    if event.kind == "edit":
        return _edit(connection, event, written, now, standing)
    return _message(connection, event, written, now, standing, most)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scene:
    """A conversation with all that a copy's words depend on."""

    conversation: Conversation
    request: Request
    desk: Desk


def _scene(connection: Connection, conversation_id: str) -> _Scene:
    conversation = conversations.load(connection, conversation_id)
    request = requests.load(connection, conversation.request_id)
    return _Scene(
        conversation=conversation,
        request=request,
        desk=desks.load(connection, request.guild_id),
    )


def _message(
    connection: Connection,
    event: Event,
    written: Written,
    now: int,
    standing: Standing | None,
    most: int | None,
) -> NeedsRoles | None:
    if event.conversation_id is None:
        _unchosen(connection, event, written, now)
        return None
    scene = _scene(connection, event.conversation_id)
    from_member = written.channel_id == scene.conversation.channel_id
    if not isinstance(scene.request.state, Active):
        _refuse(connection, event, written, scene, Notice.ENDED, now)
        return None
    if from_member:
        if written.author_id != scene.request.member_id:
            # In a private thread moderators can write too: neither the member nor the desk.
            _drop(connection, event, "not_the_member", now)
            return None
    elif not event.id.startswith(BY_COMMAND):
        allowed = _may_write(scene, written, standing)
        if isinstance(allowed, NeedsRoles):
            return allowed
        if not allowed:
            _refuse(connection, event, written, scene, Notice.NOT_STAFF, now)
            return None
    if _is_hidden(written, scene, from_member=from_member):
        _refuse(connection, event, written, scene, Notice.HIDDEN, now)
        return None
    note = marking.is_note("member" if from_member else "desk", written.text)
    destination = scene.conversation.thread_id if from_member else scene.conversation.channel_id
    if destination is None:
        inbox.defer(connection, event.id, NO_THREAD, now + _NO_THREAD_MS)
        return None
    if from_member and most is not None:
        until = pacing.wait(connection, event, written, scene.request, most, now)
        if until is not None:
            inbox.defer(connection, event.id, pacing.TOO_FAST, until)
            return None
    side: RelayedSide = "note" if note else "member" if from_member else "desk"
    _carry(connection, event, written, scene, side, destination, now)
    return None


def _may_write(scene: _Scene, written: Written, standing: Standing | None) -> bool | NeedsRoles:
    """Whether its author may write to the member now."""
    if standing is None and written.role_ids is not None:
        standing = Standing(role_ids=written.role_ids, manages_guild=written.manages_guild)
    state = scene.request.state
    owns = isinstance(state, Active) and state.owner_id == written.author_id
    may = None if standing is None else may_speak(scene.desk, standing, owns=owns)
    if may is None:
        return NeedsRoles(guild_id=scene.request.guild_id, author_id=written.author_id)
    return may


def _carry(
    connection: Connection,
    event: Event,
    written: Written,
    scene: _Scene,
    side: RelayedSide,
    destination: int,
    now: int,
) -> None:
    """Keep the original, plan its copies, and finish the event."""
    original = _original(event, written, scene, side)
    relayed.add(connection, original)
    if side != "note":
        attachments.put_together(connection, original.id)
        words = pieces.of(connection, original, scene.request, scene.desk)
        files = pieces.more_files(connection, original, scene.request, scene.desk)
        copies.plan(connection, _lane(original, scene, destination), words, now, files=files)
    if original.by_command:
        shown = pieces.by_command(original, scene.desk)
        copies.show(connection, _lane(original, scene, written.channel_id), shown, now)
    inbox.finish(connection, event.id)


def _original(event: Event, written: Written, scene: _Scene, side: RelayedSide) -> Relayed:
    return Relayed(
        id=written.message_id,
        conversation_id=scene.conversation.id,
        channel_id=written.channel_id,
        side=side,
        author_id=written.author_id,
        author_name=written.author_name,
        locale=scene.request.source_locale if side == "member" else scene.desk.locale,
        text=written.text,
        extras=pieces.extras_of(written),
        reply_to=written.reply_to,
        at=written.at,
        edited_at=written.edited_at,
        by_command=event.id.startswith(BY_COMMAND),
    )


def _is_hidden(written: Written, scene: _Scene, *, from_member: bool) -> bool:
    """Whether it can't be read. A DM always can; a private thread is a guild's like the desk's."""
    return written.hidden and not (from_member and scene.request.route is Route.DM)


def _unchosen(connection: Connection, event: Event, written: Written, now: int) -> None:
    """Written in a DM that follows nothing: it waits for its member's choice, asked for once."""
    if not ask_which(connection, written, now):
        last = rooms.last_of(connection, written.channel_id)
        if last is None:
            return _drop(connection, event, Notice.ENDED, now)
        return _refuse(connection, event, written, _scene(connection, last), Notice.ENDED, now)
    return inbox.defer(connection, event.id, CHOICE, now + _CHOICE_MS)


def _refuse(
    connection: Connection,
    event: Event,
    written: Written,
    scene: _Scene,
    notice: Notice,
    now: int,
) -> None:
    """It is not carried, and its author is told why where they wrote it."""
    tell_author(connection, notice, written, scene.request, scene.desk, now)
    _drop(connection, event, notice, now)


def _drop(connection: Connection, event: Event, problem: str, now: int) -> None:
    """A message is not carried, and is marked so."""
    inbox.drop(connection, event.id, problem)
    marking.not_carried(connection, event.position, now)


def _edit(
    connection: Connection,
    event: Event,
    written: Written,
    now: int,
    standing: Standing | None,
) -> NeedsRoles | None:
    original = relayed.find(connection, written.message_id)
    if original is None or original.deleted_at is not None:
        inbox.drop(connection, event.id, "not_carried")
        return None
    scene = _scene(connection, original.conversation_id)
    if original.side == "desk" and isinstance(scene.request.state, Active):
        allowed = _may_write(scene, written, standing)
        if isinstance(allowed, NeedsRoles):
            return allowed
        if not allowed:
            _refuse(connection, event, written, scene, Notice.NOT_STAFF, now)
            return None
    _follow(connection, event, written, original, scene, now)
    return None


def _follow(
    connection: Connection,
    event: Event,
    written: Written,
    original: Relayed,
    scene: _Scene,
    now: int,
) -> None:
    """An edit by somebody who may: what was carried follows it, where it still can."""
    if (original.edited_at or 0) >= (written.edited_at or now):
        return inbox.finish(connection, event.id)
    if not retention.is_kept(connection, scene.request.id):
        return inbox.drop(connection, event.id, "erased")
    if _is_hidden(written, scene, from_member=original.side == "member"):
        return _refuse(connection, event, written, scene, Notice.HIDDEN, now)
    if isinstance(scene.request.state, Active) and _destination(original, scene) is None:
        return inbox.defer(connection, event.id, NO_THREAD, now + _NO_THREAD_MS)
    _revise(connection, event, written, original, scene, now)
    return inbox.finish(connection, event.id)


def _revise(
    connection: Connection,
    event: Event,
    written: Written,
    original: Relayed,
    scene: _Scene,
    now: int,
) -> None:
    """Keep what the original says now, and let its copies say it where that still matters."""
    relayed.edited(connection, original, written.text, written.edited_at or now)
    latest = relayed.find(connection, original.id)
    assert latest is not None
    destination = _destination(latest, scene)
    if isinstance(scene.request.state, Active) and destination is not None:
        if latest.side == "desk" and marking.is_note("desk", written.text):
            copies.remove(connection, latest.id, event.id, now)  # it has become a note
        elif latest.side != "note":
            words = pieces.of(connection, latest, scene.request, scene.desk)
            copies.revise(connection, _lane(latest, scene, destination), words, event.id, now)
        marking.review(connection, latest, now)


def _delete(connection: Connection, event: Event, now: int) -> None:
    original = relayed.find(connection, event.position)
    if original is None:
        return inbox.drop(connection, event.id, "not_carried")
    relayed.deleted(connection, original.id, now)
    marking.gone(connection, original.id)
    scene = _scene(connection, original.conversation_id)
    if original.side == "desk":
        copies.remove(connection, original.id, event.id, now)
    elif original.side == "member" and isinstance(scene.request.state, Active):
        words = pieces.deleted(connection, original, scene.request, scene.desk)
        files = pieces.deleted_files(scene.desk)
        copies.mark(connection, original.id, words, event.id, now, files=files)
    return inbox.finish(connection, event.id)


def _destination(original: Relayed, scene: _Scene) -> int | None:
    if original.side == "member":
        return scene.conversation.thread_id
    return scene.conversation.channel_id


def _lane(original: Relayed, scene: _Scene, destination: int) -> copies.Lane:
    return copies.Lane(
        original_id=original.id, guild_id=scene.request.guild_id, destination=destination
    )
