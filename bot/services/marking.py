"""How a message fares, told by a reaction: decided in the transaction that decides how it fares.

Plain functions inside a transaction. Marks are for messages that stand in a channel; a note of the
desk, and what was written with /reply, has none.
"""

from bot.words.marks import state_of
from domain.written import Written
from storage import marks, relayed
from storage.database import Connection
from storage.marks import Mark, State
from storage.outbox import Part
from storage.relayed import Relayed
from storage.rooms import Inbound, Side

NOTE = "//"
"""What a note that stays at the desk begins with."""

_SLOW_MS = 2_000


def is_note(side: Side, text: str) -> bool:
    """Whether that is a note, written on that side."""
    return side == "desk" and text.startswith(NOTE)


def taken(connection: Connection, written: Written, listening: Inbound, now: int) -> None:
    """The message is in the inbox: that is shown where its delivery takes long."""
    if is_note(listening.side, written.text):
        return
    marks.add(
        connection,
        Mark(
            message_id=written.message_id,
            channel_id=written.channel_id,
            guild_id=listening.guild_id,
            wanted="taken",
            shown=_shown(written),
            next_at=now + _SLOW_MS,
        ),
    )


def _shown(written: Written) -> State | None:
    """What we have put there, as history tells, when it could not be written down."""
    found = {state_of(emoji) for emoji in written.marked}
    for state in ("problem", "delivered", "taken"):
        if state in found:
            return state
    return None


def not_carried(connection: Connection, message_id: int, now: int) -> None:
    """The message goes nowhere."""
    marks.want(connection, message_id, "problem", now=now, at=now)


def held(connection: Connection, message_id: int, now: int) -> None:
    """The message waits for something that a person should know of."""
    marks.want(connection, message_id, "problem", now=now, at=now)


def goes_on(connection: Connection, message_id: int, now: int) -> None:
    """What the message waited for is there."""
    marks.want(connection, message_id, "taken", now=now, at=now + _SLOW_MS)


def gone(connection: Connection, message_id: int) -> None:
    """Its author has deleted the message."""
    marks.forget(connection, message_id)


def review(connection: Connection, original: Relayed, now: int) -> None:
    """Something has become of the copies: the mark says how they stand now."""
    if original.by_command or original.side == "note" or original.deleted_at is not None:
        return
    state = marks.of_copies(connection, relayed.event_of(original.id))
    if marks.find(connection, original.id) is not None:
        at = now + _SLOW_MS if state == "taken" else now
        marks.want(connection, original.id, state, now=now, at=at)
    elif state in ("problem", "none"):
        _follow_up(connection, original, state, now)


def _follow_up(connection: Connection, original: Relayed, state: State, now: int) -> None:
    """It was delivered, and marked so for good; that has changed."""
    guild_id = relayed.guild_of(connection, original.conversation_id)
    marks.add(
        connection,
        Mark(
            message_id=original.id,
            channel_id=original.channel_id,
            guild_id=guild_id,
            wanted=state,
            shown="delivered",
            next_at=now,
        ),
    )


def review_part(connection: Connection, part: Part, now: int) -> None:
    """A part has ended: where it was a copy, or a change of one, its original's mark says so."""
    original = relayed.original_of_event(connection, part.event)
    if original is not None:
        review(connection, original, now)
