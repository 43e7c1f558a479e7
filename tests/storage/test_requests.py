"""Requests on a real file: what is loaded is what the domain made, and nothing else fits in."""

import contextlib
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from domain.errors import Refused
from domain.requests import (
    EVENT_NAMES,
    STATE_NAMES,
    Claim,
    Event,
    Request,
    Route,
    transition,
)
from storage import desks, requests, retention
from storage.migrate import load, statements
from tests.domain.requests_model import Requests
from tests.domain.samples import EVENTS, LATER, MEMBER, OTHER, OWNER, STATES

GUILD = 70
MIGRATIONS = Path(requests.__file__).parent / "migrations"


def ledger(path: Path) -> sqlite3.Connection:
    """The schema as it ships, without the writer's thread, and a guild with a desk."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("BEGIN")
    for migration in load(MIGRATIONS):
        for statement in statements(migration.sql):
            connection.execute(statement)
    desks.put(
        connection,
        desks.Desk(
            guild_id=GUILD,
            guild_name="Town",
            channel_id=71,
            help_channel_id=None,
            coordinator_role_id=72,
            reviewer_role_id=None,
            organizer_role_id=None,
            route=Route.DM,
            identity="name",
            timezone="UTC",
            locale="en-GB",
            problem=None,
            set_up_by=MEMBER,
            set_up_at=1,
        ),
    )
    connection.execute("COMMIT")
    return connection


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A ledger on a file, open."""
    with contextlib.closing(ledger(tmp_path / "ledger.db")) as opened:
        yield opened


def ask(connection: sqlite3.Connection, number: int = 1) -> Request:
    new = requests.NewRequest(
        references=(f"R{number:04}",),
        interaction_id=1000 + number,
        guild_id=GUILD,
        member_id=MEMBER,
        topic="Printer",
        details="It eats paper.",
        source_locale="en-GB",
        route=Route.DM,
        created_at=5,
    )
    return requests.insert(connection, new)


def save(connection: sqlite3.Connection, after: Request, event: Event) -> None:
    requests.save(connection, after, event=EVENT_NAMES[type(event)], actor_id=OWNER, now=9)


class RequestsOnDisk(Requests):
    """The same random events, each saved and loaded again."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._connection = ledger(Path(self._folder.name) / "ledger.db")
        self._events = ["ask"]
        super().__init__()

    def asked(self) -> Request:
        return ask(self._connection)

    def accept(self, after: Request, event: Event) -> None:
        before = self.request
        save(self._connection, after, event)
        assert requests.load(self._connection, after.id) == after
        super().accept(after, event)
        self._events.append(EVENT_NAMES[type(event)])
        with pytest.raises(Refused, match="concurrent_update"):
            save(self._connection, replace(after, state=before.state), event)

    def teardown(self) -> None:
        history = requests.history(self._connection, self.request.id)
        assert [row.event for row in history] == self._events
        assert [row.revision for row in history] == list(range(self.request.revision + 1))
        assert history[-1].state == self.request.state_name
        counts = requests.counts(self._connection)
        assert {name for name, number in counts.items() if number} == {self.request.state_name}
        self._connection.close()
        self._folder.cleanup()


TestRequestsOnDisk = RequestsOnDisk.TestCase
TestRequestsOnDisk.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)


def put(connection: sqlite3.Connection, state: str, number: int = 1) -> Request:
    """A request in that state on disk, whichever way it came there."""
    asked = ask(connection, number)
    request = replace(asked, revision=1, state=STATES[state])
    save(connection, request, EVENTS["claim"])
    assert requests.load(connection, request.id) == request
    return request


@pytest.mark.parametrize("state", list(STATE_NAMES.values()))
def test_when_a_request_ended_is_known_of_those_that_have(
    connection: sqlite3.Connection, state: str
) -> None:
    request = put(connection, state)
    over = state in ("resolved", "withdrawn", "dropped")
    assert retention.ended_at(connection, request.id) == (9 if over else None)
    assert [one.id for one in requests.ended(connection, GUILD, limit=5)] == [request.id] * over
    assert requests.ended(connection, 71, limit=5) == ()
    for wrong in ("content = 'lost'", "content = 'gone'" if not over else "content = ''"):
        with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
            connection.execute(f"UPDATE request SET {wrong}")


COLUMNS: dict[str, Any] = {
    "attempts": 2,
    "last_problem": "dms_closed",
    "owner_id": OWNER,
    "lease_until": LATER,
    "delivery_key": "key-of-this-try-0001",
    "reason": "http_502",
    "conversation_id": "conversation-0000001",
    "resolution": "Answered.",
    "dropped_by": OTHER,
}
MAY_BE_NULL = {("queued", "last_problem"), ("active", "owner_id"), ("resolved", "owner_id")}
NAMES = list(STATE_NAMES.values())


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("state", NAMES)
def test_the_table_refuses_a_state_with_a_field_missing_or_too_many(
    connection: sqlite3.Connection, state: str, column: str
) -> None:
    request = put(connection, state)
    carried = column in {field.name for field in fields(STATES[state])}
    value = None if carried else COLUMNS[column]
    change = f"UPDATE request SET {column} = ? WHERE id = ?"
    if (state, column) in MAY_BE_NULL:
        assert connection.execute(change, (value, request.id)).rowcount == 1
        return
    with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
        connection.execute(change, (value, request.id))
    assert requests.load(connection, request.id) == request


# A queued request without a problem carries its attempts alone, and so does a withdrawn one.
ALIKE = ("withdrawn", "queued")


@pytest.mark.parametrize(
    ("state", "other"), [pair for pair in permutations(NAMES, 2) if pair != ALIKE]
)
def test_the_table_refuses_one_states_fields_under_anothers_name(
    connection: sqlite3.Connection, state: str, other: str
) -> None:
    request = put(connection, state)
    with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
        connection.execute("UPDATE request SET state = ? WHERE id = ?", (other, request.id))


@pytest.mark.parametrize(
    "change",
    [
        "state = 'lost'",
        "owner_id = member_id",
        "attempts = 0",
        "attempts = -1",
        "topic = ''",
        "route = 'pigeon'",
        "revision = -1",
        "attempts = 'two'",
        "lease_until = 'soon'",
        "guild_id = 99",
        "reopens = 99",
    ],
)
def test_the_table_refuses_what_the_domain_could_not_have_made(
    connection: sqlite3.Connection, change: str
) -> None:
    request = put(connection, "opening")
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute(f"UPDATE request SET {change} WHERE id = ?", (request.id,))


def test_one_delivery_key_belongs_to_one_request(connection: sqlite3.Connection) -> None:
    put(connection, "opening", 1)
    with pytest.raises(sqlite3.IntegrityError, match="delivery_key"):
        put(connection, "needs_reconcile", 2)


def test_of_two_coordinators_who_claim_at_once_one_owns_the_request(
    connection: sqlite3.Connection,
) -> None:
    asked = ask(connection)
    claims = [Claim(owner_id=owner, lease_until=LATER) for owner in (OWNER, OTHER)]
    first, second = (transition(asked, claim) for claim in claims)
    save(connection, first, claims[0])
    with pytest.raises(Refused) as refused:
        save(connection, second, claims[1])
    assert (refused.value.code, refused.value.details["reference"]) == (
        "concurrent_update",
        asked.reference,
    )
    assert requests.load(connection, asked.id) == first
    history = requests.history(connection, asked.id)
    assert [(row.revision, row.event, row.state) for row in history] == [
        (0, "ask", "queued"),
        (1, "claim", "claimed"),
    ]


def test_the_history_says_who_did_what_and_when_and_is_never_rewritten(
    connection: sqlite3.Connection,
) -> None:
    asked = ask(connection)
    claim = Claim(owner_id=OWNER, lease_until=LATER)
    requests.save(
        connection, transition(asked, claim), event="claim", actor_id=OWNER, now=77, note="by hand"
    )
    _, row = requests.history(connection, asked.id)
    assert row == requests.HistoryRow(
        revision=1, event="claim", state="claimed", actor_id=OWNER, at=77, note="by hand"
    )
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute("UPDATE request_event SET actor_id = 5")


def test_an_unknown_request_is_not_found(connection: sqlite3.Connection) -> None:
    asked = ask(connection)
    with pytest.raises(Refused, match="request_not_found"):
        requests.load(connection, asked.id + 1)
    with pytest.raises(Refused, match="request_not_found"):
        requests.by_reference(connection, GUILD + 1, asked.reference)
    assert requests.by_reference(connection, GUILD, asked.reference.lower()) == asked


def test_the_first_free_reference_is_taken(connection: sqlite3.Connection) -> None:
    ask(connection, 1)
    new = requests.NewRequest(
        references=("R0001", "R0002"),
        interaction_id=1,
        guild_id=GUILD,
        member_id=MEMBER,
        topic="Printer",
        details="",
        source_locale="de",
        route=Route.THREAD,
        created_at=6,
    )
    assert requests.insert(connection, new).reference == "R0002"
    with pytest.raises(sqlite3.IntegrityError, match="every candidate"):
        requests.insert(connection, replace(new, interaction_id=2))


def test_a_place_in_the_queue_is_counted_to_a_hundred(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN")
    asked = [ask(connection, number) for number in range(requests.PLACE_CAP + 5)]
    assert [requests.place(connection, asked[at]) for at in (0, 1, 99, 100, 104)] == [
        0,
        1,
        99,
        100,
        100,
    ]
    connection.execute("ROLLBACK")


def test_the_counts_follow_every_change_of_state(connection: sqlite3.Connection) -> None:
    for number, state in enumerate(NAMES):
        if state != "needs_reconcile":
            put(connection, state, number)
    truth = dict(
        connection.execute("SELECT state, count(*) FROM request GROUP BY state").fetchall()
    )
    counted = requests.counts(connection)
    assert {state: number for state, number in counted.items() if number} == truth
    assert requests.counts(connection, GUILD) == counted
    assert requests.counts(connection, GUILD + 1) == {}
