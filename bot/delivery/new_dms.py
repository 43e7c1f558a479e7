"""The pause on new DMs that Discord asks for with 40003: one for the whole application."""

from domain.delivery import NotDone, backoff_ms
from storage import channels
from storage.database import Connection

_BASE_MS = 60_000
_CAP_MS = 900_000


def pause(connection: Connection, outcome: NotDone, now: int) -> int:
    """Stop opening new DMs, longer each time that Discord says so in a row; answer until when."""
    earlier = channels.pause(connection)
    tries = 1 if earlier is None else earlier.tries + 1
    asked_ms = outcome.retry_after_ms or 0
    wait = max(asked_ms, backoff_ms(tries, base_ms=_BASE_MS, cap_ms=_CAP_MS, jitter=1.0))
    channels.pause_dms(connection, channels.Pause(until=now + wait, tries=tries), outcome.problem)
    return now + wait
