"""Requests to measure with: a ledger with some in it, and real transitions of them."""

import sqlite3
from pathlib import Path

from domain.requests import EVENT_NAMES, Claim, Event, Queued, Release, Route, transition
from storage import desks, requests
from storage.database import Connection, Database

GUILD = 1
COORDINATOR = 7
COORDINATOR_ROLE = 3
NOW = 1_767_225_600_000


async def make(path: Path, number: int) -> list[int]:
    """Make a ledger with a desk and `number` queued requests, and return their ids."""

    def fill(connection: Connection) -> list[int]:
        desks.put(connection, DESK)
        return [requests.insert(connection, new_request(index)).id for index in range(number)]

    async with await Database.open(path) as database:
        return await database.write(fill)


def step(connection: sqlite3.Connection, request_id: int) -> int:
    """Claim the request if it is queued, else give it back: load, transition, save with history."""
    request = requests.load(connection, request_id)
    event: Event
    if isinstance(request.state, Queued):
        event = Claim(owner_id=COORDINATOR, lease_until=NOW + 900_000)
    else:
        event = Release(owner_id=COORDINATOR)
    after = transition(request, event)
    requests.save(connection, after, event=EVENT_NAMES[type(event)], actor_id=COORDINATOR, now=NOW)
    return after.revision


DESK = desks.Desk(
    guild_id=GUILD,
    guild_name="Bench",
    channel_id=2,
    help_channel_id=None,
    coordinator_role_id=COORDINATOR_ROLE,
    reviewer_role_id=None,
    organizer_role_id=None,
    route=Route.DM,
    identity="name",
    timezone="UTC",
    locale="en",
    problem=None,
    set_up_by=4,
    set_up_at=NOW,
)


def new_request(index: int) -> requests.NewRequest:
    """A request that differs from others by its `index`."""
    return requests.NewRequest(
        references=(f"B{index:05}",),
        interaction_id=1_000_000 + index,
        guild_id=GUILD,
        member_id=2_000_000 + index,
        topic="How do I set this up?",
        details="I have read the page twice and still don't see where the switch is.",
        source_locale="en",
        route=Route.DM,
        created_at=NOW,
    )
