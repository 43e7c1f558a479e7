"""The one way to move a request on: transition, save, and mark its card, in one transaction."""

from dataclasses import dataclass

from domain.requests import EVENT_NAMES, Event, Request, transition
from storage import cards, requests
from storage.database import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestRules:
    """The settings that the help desk goes by; times in milliseconds."""

    claim_lease_ms: int = 900_000
    opening_lease_ms: int = 60_000
    max_open_per_member: int = 1
    cooldown_ms: int = 0
    max_attempts: int = 5
    max_unreadable: int = 5
    reopen_ms: int = 3 * 86_400_000
    retention_ms: int = 90 * 86_400_000
    dm_messages_per_minute: int = 30


def apply(
    connection: Connection,
    request: Request,
    event: Event,
    *,
    actor_id: int | None,
    now: int,
    note: str | None = None,
) -> Request:
    """The request one event on, stored with its history row; its card is to be drawn again.

    `actor_id` is None where Steward itself acts. Raises `Refused`, with nothing written.
    """
    after = transition(request, event)
    requests.save(
        connection, after, event=EVENT_NAMES[type(event)], actor_id=actor_id, now=now, note=note
    )
    cards.touch(connection, after.id, after.guild_id, now)
    return after
