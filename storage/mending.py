"""What waits in a guild because a permission or access is missing there."""

import sqlite3

from domain.delivery import MISSING_PROBLEMS
from storage import marks, outbox

_CODES = tuple(sorted(MISSING_PROBLEMS))
_MISSING = f"problem IN ({', '.join('?' * len(_CODES))})"

_PARTS = (
    "FROM outbox_part WHERE state = 'pending' AND guild_id = ? AND in_flight IS NULL"
    f" AND (parked = 1 OR {_MISSING})"
)
_CARDS = f"FROM card WHERE stale = 1 AND guild_id = ? AND {_MISSING}"
_CAMPAIGN_CARDS = f"FROM campaign_card WHERE stale = 1 AND guild_id = ? AND {_MISSING}"
_TRIES = (
    f"FROM delivery WHERE status = 'attempted' AND in_flight IS NULL AND {_MISSING}"
    " AND (SELECT guild_id FROM request WHERE request.id = delivery.request_id) = ?"
)
_ROOMS = f"FROM inbound WHERE behind > 0 AND guild_id = ? AND {_MISSING}"


def waits(connection: sqlite3.Connection, guild_id: int) -> bool:
    """Whether anything there waits for somebody to give a permission back."""
    row = connection.execute(
        f"SELECT EXISTS (SELECT 1 {_PARTS}) OR EXISTS (SELECT 1 {_CARDS})"
        f" OR EXISTS (SELECT 1 {_TRIES}) OR EXISTS (SELECT 1 {_ROOMS})"
        f" OR EXISTS (SELECT 1 {_CAMPAIGN_CARDS})"
        " OR EXISTS (SELECT 1 FROM unmarkable WHERE guild_id = ?)",
        (
            *(guild_id, *_CODES),
            *(guild_id, *_CODES),
            *(*_CODES, guild_id),
            *(guild_id, *_CODES),
            *(guild_id, *_CODES),
            guild_id,
        ),
    ).fetchone()
    return bool(row[0])


def hurry(connection: sqlite3.Connection, guild_id: int, now: int) -> None:
    """Somebody may have mended it: what waits is tried again at once.

    So is what needed a person because its channel could not be read.
    """
    outbox.unpark(connection, guild_id, now)
    marks.try_again(connection, guild_id)
    soon = "next_at = min(next_at, ?)"
    again = f"{soon}, person_at = NULL"
    for table, key, what, which, given in (
        ("outbox_part", "id", again, _PARTS, (guild_id, *_CODES)),
        ("card", "request_id", soon, _CARDS, (guild_id, *_CODES)),
        ("inbound", "channel_id", soon, _ROOMS, (guild_id, *_CODES)),
        ("campaign_card", "campaign_id", soon, _CAMPAIGN_CARDS, (guild_id, *_CODES)),
        ("delivery", "delivery_key", again, _TRIES, (*_CODES, guild_id)),
    ):
        connection.execute(
            f"UPDATE {table} SET {what} WHERE {key} IN (SELECT {key} {which})",
            (now, *given),
        )
