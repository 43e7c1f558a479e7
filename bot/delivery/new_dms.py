"""The pace of new DMs, and the pause on them that Discord asks for with 40003.

Both are one for the whole application.
"""

from domain.delivery import NotDone, backoff_ms
from storage import channels, deliveries, requests
from storage.database import Connection

_BASE_MS = 60_000
_CAP_MS = 900_000
_MINUTE = 60_000


def slots(connection: Connection, now: int, *, per_minute: int) -> tuple[int, int]:
    """How many new DMs may be opened now, and when there may be one more (UTC ms)."""
    opening = deliveries.opening_new(connection)
    pause = channels.pause(connection)
    if pause is not None:
        ready = now >= pause.until and opening == 0
        return int(ready), max(pause.until, now + 1000)
    opened = channels.dms_opened_since(connection, now - _MINUTE)
    slot_at = opened[0] + _MINUTE if opened else now + 1000
    return max(0, per_minute - len(opened) - opening), slot_at


def is_awaited(connection: Connection) -> bool:
    """Whether a request waits for a new DM: it goes before words that nobody depends on."""
    return bool(requests.claimed_new(connection, limit=1)) or deliveries.opening_new(connection) > 0


def pause(connection: Connection, outcome: NotDone, now: int) -> int:
    """Stop opening new DMs, longer each time that Discord says so in a row; answer until when."""
    earlier = channels.pause(connection)
    tries = 1 if earlier is None else earlier.tries + 1
    asked_ms = outcome.retry_after_ms or 0
    wait = max(asked_ms, backoff_ms(tries, base_ms=_BASE_MS, cap_ms=_CAP_MS, jitter=1.0))
    channels.pause_dms(connection, channels.Pause(until=now + wait, tries=tries), outcome.problem)
    return now + wait
