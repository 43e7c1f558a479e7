"""The copies of a carried message on the other side: planned, kept up with its edits, removed.

Plain functions inside a transaction. A copy that has not left yet is changed in the queue; one that
has, or may have, gets an edit or a deletion of its own behind it in the same lane. Of several
changes to one copy that wait, only the latest is made.

The parts of a copy are pieces of text, the first of which may bear files, and behind them parts of
nothing but files. No edit touches a file; one that waits bears them all the same, for a copy that
proves not to be there.
"""

import secrets
from dataclasses import dataclass

from bot.words.values import Message
from storage import outbox, outbox_changes, relayed
from storage.database import Connection
from storage.outbox import NewPart, Part
from storage.outbox_changes import DELETE, EDIT, MARK

KIND = "relay"
FILES = "relay_files"
"""The part that bears only files, which the first piece had no room for."""
_SHOWN = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """Where an original's copies go."""

    original_id: int
    guild_id: int
    destination: int


def plan(
    connection: Connection,
    lane: Lane,
    pieces: tuple[Message, ...],
    now: int,
    *,
    files: tuple[Message, ...] = (),
) -> None:
    """Queue the copies, and `files` behind them; planning again adds nothing."""
    for ordinal, piece in enumerate(pieces):
        outbox.plan(connection, _new(lane, ordinal, piece), now)
    for ordinal, piece in enumerate(files, start=len(pieces)):
        outbox.plan(connection, _new(lane, ordinal, piece, kind=FILES), now)


def show(connection: Connection, lane: Lane, pieces: tuple[Message, ...], now: int) -> None:
    """Queue what the author's own side is shown of a message that stands in no channel.

    Parts of the same event, so that who answers one of them answers the original; behind all that
    its copies can need, and in a lane of their own: neither holds up or takes along the other.
    """
    for offset, piece in enumerate(pieces):
        outbox.plan(connection, _new(lane, _SHOWN + offset, piece), now)


def revise(
    connection: Connection, lane: Lane, pieces: tuple[Message, ...], cause: str, now: int
) -> None:
    """Make the copies say `pieces`, be they more or fewer than before. `cause`: the inbox event."""
    event = relayed.event_of(lane.original_id)
    live = outbox_changes.live_of_event(connection, event)
    parts = [part for part in live if part.kind != FILES]
    for index, part in enumerate(parts):
        if index < len(pieces):
            _change(connection, part, EDIT, pieces[index], f"{cause}:{index}", now)
        else:
            _remove(connection, part, f"{cause}:{index}", now)
    ordinal = outbox_changes.next_ordinal(connection, event)
    for offset, piece in enumerate(pieces[len(parts) :]):
        outbox.plan(connection, _new(lane, ordinal + offset, piece), now)


def remove(connection: Connection, original_id: int, cause: str, now: int) -> None:
    """Take every copy away."""
    parts = outbox_changes.live_of_event(connection, relayed.event_of(original_id))
    for index, part in enumerate(parts):
        _remove(connection, part, f"{cause}:{index}", now)


def mark(
    connection: Connection,
    original_id: int,
    pieces: tuple[Message, ...],
    cause: str,
    now: int,
    *,
    files: Message,
) -> None:
    """Make the copies that are there say `pieces`; those that have not left never leave.

    `files` is what stands above what is nothing but files.
    """
    parts = outbox_changes.live_of_event(connection, relayed.event_of(original_id))
    texts = iter(pieces)
    for index, part in enumerate(parts):
        piece = files if part.kind == FILES else next(texts, None)
        if outbox_changes.remove(connection, part, outbox_changes.REMOVED):
            continue
        if piece is not None:
            _change(connection, part, MARK, piece, f"{cause}:{index}", now)
        else:
            _remove(connection, part, f"{cause}:{index}", now)


def _remove(connection: Connection, part: Part, event: str, now: int) -> None:
    if not outbox_changes.remove(connection, part, outbox_changes.REMOVED):
        _change(connection, part, DELETE, Message(), event, now)


def _change(
    connection: Connection, part: Part, kind: str, piece: Message, event: str, now: int
) -> None:
    payload = piece.to_json()
    if kind == EDIT and outbox_changes.revise(connection, part, payload, part.kind):
        return
    waiting = outbox_changes.change_of(connection, part.id)
    if waiting is not None and outbox_changes.revise(connection, waiting, payload, kind):
        return
    outbox.plan(
        connection,
        NewPart(
            event=event,
            ordinal=0,
            guild_id=part.guild_id,
            destination=part.destination,
            kind=kind,
            payload=payload,
            delivery_key=secrets.token_urlsafe(15),
            target_part=part.id,
        ),
        now,
    )


def _new(lane: Lane, ordinal: int, piece: Message, *, kind: str = KIND) -> NewPart:
    return NewPart(
        event=relayed.event_of(lane.original_id),
        ordinal=ordinal,
        guild_id=lane.guild_id,
        destination=lane.destination,
        kind=kind,
        payload=piece.to_json(),
        delivery_key=secrets.token_urlsafe(15),
    )
