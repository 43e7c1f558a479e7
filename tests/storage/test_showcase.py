"""Campaigns and entries on disk: what the domain can't make, the tables refuse."""

import contextlib
import sqlite3
from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import permutations
from typing import Any

import pytest

from domain import campaigns as c
from domain import entries as e
from domain.errors import Refused
from storage import campaigns, entries
from storage.migrate import load, statements
from tests.domain.showcase_samples import (
    AUTHOR,
    ENTRY_STATES,
    LATER,
    LEASE,
    NOW,
    OTHER,
    REVIEWER,
    TOKEN,
)
from tests.storage.long_past import MIGRATIONS

GUILD = 70
COLUMNS: dict[str, Any] = {
    "reviewer_id": REVIEWER,
    "token": TOKEN,
    "lease_until": LEASE,
    "words": "Which wind?",
    "summary": "A fine kite.",
}


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    """The schema as it ships, with a guild's desk."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as opened:
        for migration in load(MIGRATIONS):
            for statement in statements(migration.sql):
                opened.execute(statement)
        opened.execute("PRAGMA foreign_keys = ON")
        opened.execute(
            "INSERT INTO desk (guild_id, guild_name, channel_id, coordinator_role_id, route,"
            " identity, timezone, locale, set_up_by, set_up_at)"
            " VALUES (70, 'Town', 71, 72, 'dm', 'name', 'UTC', 'en', 1, 1)"
        )
        yield opened


def open_campaign(connection: sqlite3.Connection, interaction_id: int = 1) -> c.Campaign:
    new = campaigns.NewCampaign(
        interaction_id=interaction_id,
        guild_id=GUILD,
        channel_id=71,
        slug="kites",
        name="Kites",
        text="",
        capacity=2,
        closes_at=LATER,
        created_by=4,
        created_at=NOW,
    )
    return campaigns.insert(connection, new)


def enter(connection: sqlite3.Connection, author_id: int = AUTHOR, number: int = 1) -> e.Entry:
    known = campaigns.live(connection, GUILD, limit=1)
    campaign = known[0] if known else open_campaign(connection)
    new = entries.NewEntry(
        references=(f"E{number:04}",),
        campaign_id=campaign.id,
        guild_id=GUILD,
        author_id=author_id,
        source=f"i:{number}",
        source_locale="de",
        title="Kite",
        url="https://example.org",
        why="",
        named=True,
        created_at=NOW,
    )
    return entries.insert(connection, new)


def put(connection: sqlite3.Connection, state: str) -> e.Entry:
    """An entry in that state on disk, whichever way it came there."""
    entry = replace(enter(connection), revision=1, state=ENTRY_STATES[state])
    entries.save(connection, entry, event="lease", actor_id=REVIEWER, now=NOW)
    return entry


@pytest.mark.parametrize("state", ENTRY_STATES)
def test_an_entry_comes_back_as_it_was_kept(connection: sqlite3.Connection, state: str) -> None:
    entry = put(connection, state)
    assert entries.load(connection, entry.id) == entry
    assert entries.by_reference(connection, GUILD, "e0001") == entry
    counted = {name: number for name, number in entries.counts(connection).items() if number}
    assert counted == {state: 1}


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("state", ENTRY_STATES)
def test_the_table_refuses_a_state_with_a_field_missing_or_too_many(
    connection: sqlite3.Connection, state: str, column: str
) -> None:
    entry = put(connection, state)
    carried = column in {field.name for field in fields(ENTRY_STATES[state])}
    value = None if carried else COLUMNS[column]
    with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
        connection.execute(f"UPDATE entry SET {column} = ?", (value,))
    assert entries.load(connection, entry.id) == entry


ALIKE = {("queued", "withdrawn"), ("withdrawn", "queued")}


@pytest.mark.parametrize(
    ("state", "other"), [pair for pair in permutations(ENTRY_STATES, 2) if pair not in ALIKE]
)
def test_the_table_refuses_one_states_fields_under_anothers_name(
    connection: sqlite3.Connection, state: str, other: str
) -> None:
    put(connection, state)
    with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
        connection.execute("UPDATE entry SET state = ?", (other,))


@pytest.mark.parametrize(
    "change",
    [
        "state = 'lost'",
        "reviewer_id = author_id",
        "title = ''",
        "url = ''",
        "source = ''",
        "named = 2",
        "revision = -1",
        "lease_until = 'soon'",
        "campaign_id = 99",
    ],
)
def test_the_table_refuses_an_entry_that_the_domain_could_not_have_made(
    connection: sqlite3.Connection, change: str
) -> None:
    put(connection, "leased")
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute(f"UPDATE entry SET {change}")


@pytest.mark.parametrize(
    "change",
    [
        "state = 'lost'",
        "capacity = 0",
        "accepted_count = -1",
        "accepted_count = capacity + 1",
        "slug = ''",
        "name = ''",
        "guild_id = 99",
        "revision = -1",
        "closes_at = 'soon'",
    ],
)
def test_the_table_refuses_a_campaign_that_the_domain_could_not_have_made(
    connection: sqlite3.Connection, change: str
) -> None:
    open_campaign(connection)
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute(f"UPDATE campaign SET {change}")


def test_a_slug_is_one_campaigns_and_an_author_has_one_entry(
    connection: sqlite3.Connection,
) -> None:
    open_campaign(connection)
    with pytest.raises(sqlite3.IntegrityError, match="slug"):
        open_campaign(connection, 2)
    enter(connection)
    with pytest.raises(sqlite3.IntegrityError, match="author_id"):
        enter(connection, number=2)
    enter(connection, author_id=OTHER, number=2)


def test_of_two_who_save_at_once_one_does(connection: sqlite3.Connection) -> None:
    entry = enter(connection)
    leases = [
        e.transition(
            entry, e.Lease(reviewer_id=who, token=f"{TOKEN}{who}", lease_until=LATER, now=NOW)
        )
        for who in (REVIEWER, OTHER)
    ]
    entries.save(connection, leases[0], event="lease", actor_id=REVIEWER, now=NOW)
    with pytest.raises(Refused, match="concurrent_update"):
        entries.save(connection, leases[1], event="lease", actor_id=OTHER, now=NOW)
    assert entries.load(connection, entry.id) == leases[0]
    campaign = campaigns.load(connection, entry.campaign_id)
    campaigns.save(connection, c.transition(campaign, c.Accept(now=NOW)))
    with pytest.raises(Refused, match="concurrent_update"):
        campaigns.save(connection, c.transition(campaign, c.BeginDraining()))
    assert campaigns.load(connection, campaign.id).accepted_count == 1


@pytest.mark.parametrize(
    "change",
    ["event = 'x'", "at = 1", "revision = 9", "actor_id = 5", "note = 'x'", "state = 'done'"],
)
def test_an_entrys_history_is_never_rewritten(connection: sqlite3.Connection, change: str) -> None:
    put(connection, "leased")
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(f"UPDATE entry_event SET {change}")


@pytest.mark.parametrize("change", ["event = 'x'", "at = 1", "actor_id = 5", "state = 'closed'"])
def test_a_campaigns_history_is_never_rewritten(
    connection: sqlite3.Connection, change: str
) -> None:
    open_campaign(connection)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(f"UPDATE campaign_event SET {change}")


def test_people_in_a_history_can_be_forgotten(connection: sqlite3.Connection) -> None:
    entry = put(connection, "leased")
    connection.execute("UPDATE entry_event SET actor_id = NULL, note = NULL")
    connection.execute("UPDATE campaign_event SET actor_id = NULL")
    assert {row.actor_id for row in entries.history(connection, entry.id)} == {None}
