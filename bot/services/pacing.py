"""How fast a member's messages are carried: so many in a minute, in order, and the rest later.

Counted is what is carried, not what is written: so a flood trickles through however long it was.
What is read late, after a gap, has waited already, and is not held up again.
"""

from dataclasses import replace

from bot.services.notices import tell_too_fast
from domain.requests import Request
from domain.written import Written
from storage import pace
from storage.database import Connection
from storage.inbox import Event
from storage.pace import Minute

TOO_FAST = "too_fast"
_MINUTE = 60_000


def wait(
    connection: Connection, event: Event, written: Written, request: Request, most: int, now: int
) -> int | None:
    """Until when (UTC ms) the member's message has to wait; None: it is carried now, and counted.

    The first that waits is answered with a notice; not again while one full minute follows another.
    """
    if event.at - written.at > _MINUTE:
        return None
    latest = pace.find(connection, written.author_id)
    # One that begins after `now` was begun before the clock was set back.
    if latest is None or not 0 <= now - latest.began_at < _MINUTE:
        told = latest is not None and latest.told and now - latest.began_at < 2 * _MINUTE
        begun = Minute(member_id=written.author_id, began_at=now, number=1, told=told)
        pace.put(connection, begun)
        return None
    if latest.number < most:
        pace.put(connection, replace(latest, number=latest.number + 1))
        return None
    if not latest.told:
        tell_too_fast(connection, written, request, most, now)
        pace.put(connection, replace(latest, told=True))
    return latest.began_at + _MINUTE
