"""What the showcase asks all day costs the same however many entries and old buttons there are.

Counted in the steps of SQLite's own machine, which are the same on every run.
"""

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from domain.campaigns import Accept, transition
from domain.entries import GiveUp, Lease
from domain.entries import transition as entry_transition
from storage import buttons, campaign_cards, campaigns, entries, showcase_words
from storage.migrate import load, statements
from tests.storage.long_past import MIGRATIONS
from tests.storage.test_hot_queries import Watched

GUILD, NOW, DAY = 70, 1_000_000, 86_400_000
GROWING = {"entry", "entry_event", "visit_button", "showcase_word", "campaign", "campaign_card"}
ALIVE = {"campaign_live"}
"""Indexes that hold live rows alone: walking one whole is no scan of the past."""

_DESK = """
INSERT INTO desk (guild_id, guild_name, channel_id, coordinator_role_id, route, identity, timezone,
    locale, set_up_by, set_up_at)
  VALUES (70, 'Town', 71, 72, 'dm', 'name', 'UTC', 'en', 1, 1);
"""
_FILL = """
INSERT INTO campaign (id, guild_id, interaction_id, channel_id, slug, name, text, capacity,
    accepted_count, closes_at, created_by, created_at, revision, state)
  SELECT value, 70, value, 71, 's' || value, 'S' || value, '', 100000, 0, 2000000 + value, 1, 1, 0,
    CASE WHEN value > 9 THEN 'closed' ELSE 'open' END
  FROM generate_series_of_campaigns;
INSERT INTO campaign_card (campaign_id, guild_id, channel_id, message_id, stale, next_at)
  SELECT id, 70, 71, 7000000 + id, id < 5, 1 FROM campaign;
INSERT INTO entry (id, reference, campaign_id, guild_id, author_id, source, source_locale, title,
    url, why, named, created_at, revision, state, reviewer_id, token, lease_until, words, summary)
  SELECT value, 'E' || value, 1, 70, 5000 + value, 'i:' || value, 'en', 'T', 'https://e.org', '',
    0, 1, 0,
    CASE WHEN value % 10 < 6 THEN 'done' WHEN value % 10 < 9 THEN 'queued' ELSE 'leased' END,
    CASE WHEN value % 10 < 6 THEN 9 WHEN value % 10 < 9 THEN NULL ELSE 20 + value END,
    CASE WHEN value % 10 < 9 THEN NULL ELSE 'token-' || value END,
    CASE WHEN value % 10 < 9 THEN NULL ELSE 1000000 + value END,
    NULL, CASE WHEN value % 10 < 6 THEN 'Good.' END
  FROM generate_series_of_entries;
INSERT INTO entry_event SELECT id, 0, 'submit', 'queued', author_id, 1, NULL FROM entry;
INSERT INTO showcase_word (entry_id, revision, person_id, next_at)
  SELECT id, 0, author_id, id + 10 FROM entry WHERE id % 10 = 0;
"""
_SERIES = (
    "(WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < {end})"
    " SELECT value FROM n)"
)


def filled(connection: sqlite3.Connection, size: int) -> None:
    """A guild with that many entries in one campaign, and a hundredth as many campaigns."""
    connection.execute("BEGIN")
    for migration in load(MIGRATIONS):
        for statement in statements(migration.sql):
            connection.execute(statement)
    text = _FILL.replace("generate_series_of_campaigns", _SERIES.format(end=10 + size // 100))
    text = text.replace("generate_series_of_entries", _SERIES.format(end=size))
    for statement in statements(_DESK + text):
        connection.execute(statement)
    buttons.put(
        connection,
        (
            buttons.Button(
                token=f"token-{number:014}",
                visit=f"visit-{number // 3}",
                subject=f"entry:{number // 3}",
                action="approve",
                guild_id=GUILD,
                member_id=9,
                payload="lease",
                expires_at=number + 1,
                state="live",
            )
            for number in range(size * 10)
        ),
    )
    connection.execute("COMMIT")


@pytest.fixture(scope="module")
def ledgers() -> Iterator[tuple[Watched, Watched]]:
    """One with a hundred entries and a thousand buttons, one with a hundred times as many."""
    with contextlib.ExitStack() as stack:
        opened = []
        for size in (100, 10_000):
            connection = sqlite3.connect(":memory:", isolation_level=None, factory=Watched)
            opened.append(stack.enter_context(contextlib.closing(connection)))
            filled(connection, size)
        yield opened[0], opened[1]


def save_lease(connection: sqlite3.Connection) -> None:
    entry = entries.next_in_campaign(connection, 1, reviewer_id=9)
    assert entry is not None
    lease = Lease(reviewer_id=9, token="t" * 20, lease_until=NOW + 1, now=NOW)
    leased = entry_transition(entry, lease)
    entries.save(connection, leased, event="lease", actor_id=9, now=NOW)
    back = entry_transition(leased, GiveUp(token="t" * 20, now=NOW))
    entries.save(connection, back, event="give_up", actor_id=9, now=NOW)


def submit(connection: sqlite3.Connection) -> None:
    campaigns.save(connection, transition(campaigns.load(connection, 1), Accept(now=NOW)))
    assert entries.of_author(connection, 1, 1) is None
    entries.insert(
        connection,
        entries.NewEntry(
            references=("E-new",),
            campaign_id=1,
            guild_id=GUILD,
            author_id=1,
            source="i:0",
            source_locale="en",
            title="T",
            url="https://e.org",
            why="",
            named=False,
            created_at=NOW,
        ),
    )


HOT: dict[str, tuple[Callable[[sqlite3.Connection], object], str]] = {
    "progress": (lambda c: entries.counts(c, 1), "PRIMARY KEY"),
    "the next entry of a campaign": (
        lambda c: entries.next_in_campaign(c, 1, reviewer_id=9),
        "entry_queue",
    ),
    "the next entry of a guild": (
        lambda c: entries.next_in_guild(c, GUILD, reviewer_id=9),
        "entry_queue_of_guild",
    ),
    "a lease taken and given back": (save_lease, "entry_queue"),
    "a submission": (submit, "(campaign_id=? AND author_id=?)"),
    "an author's entry": (lambda c: entries.of_author(c, 1, 5007), "(campaign_id=?"),
    "an author's entries": (
        lambda c: entries.all_of_author(c, 5007, guild_id=GUILD, limit=25),
        "entry_of_author",
    ),
    "what waits for an author": (
        lambda c: entries.returned_to(c, 5007, limit=25),
        "entry_returned",
    ),
    "what a reviewer holds": (lambda c: entries.held_by(c, GUILD, 29, limit=25), "entry_held"),
    "what reviewers hold": (lambda c: entries.leased_in(c, GUILD, limit=9), "entry_held"),
    "a page of what is unfinished": (
        lambda c: entries.unfinished(c, 1, limit=10, after_id=50),
        "entry_unfinished",
    ),
    "a page of what is done": (
        lambda c: entries.done(c, 1, limit=10, after_id=50),
        "entry_done",
    ),
    "an entry by its reference": (
        lambda c: entries.by_reference(c, GUILD, "E7"),
        "(reference=?)",
    ),
    "leases that have run out": (lambda c: entries.due_leases(c, NOW, limit=9), "entry_leases"),
    "the next lease": (entries.next_lease, "entry_leases"),
    "an entry's history": (lambda c: entries.history(c, 7), "PRIMARY KEY"),
    "a campaign by its slug": (lambda c: campaigns.by_slug(c, GUILD, "s7"), "(guild_id=?"),
    "live campaigns": (lambda c: campaigns.live(c, GUILD, limit=25), "campaign_live"),
    "a page of campaigns": (
        lambda c: campaigns.newest(c, GUILD, before=None, limit=10),
        "campaign_of_guild",
    ),
    "deadlines that have come": (lambda c: campaigns.due(c, NOW, limit=9), "campaign_closing"),
    "the next deadline": (campaigns.next_due, "campaign_closing"),
    "a campaign's history": (lambda c: campaigns.history(c, 1), "PRIMARY KEY"),
    "campaign cards due": (
        lambda c: campaign_cards.due(c, NOW, limit=9),
        "campaign_card_due",
    ),
    "the next campaign card": (lambda c: campaign_cards.next_due(c, NOW), "campaign_card_due"),
    "a message's campaign card": (
        lambda c: campaign_cards.of_message(c, 7_000_001),
        "(message_id=?)",
    ),
    "campaign cards that are shown": (campaign_cards.shown, "campaign_live"),
    "words due to people we have not met": (
        lambda c: showcase_words.due_new(c, 15, limit=1),
        "showcase_word_due",
    ),
    "words due to people we know": (
        lambda c: showcase_words.due_known(c, 25, limit=9),
        "showcase_word_due",
    ),
    "the next word": (lambda c: showcase_words.next_due(c, 15), "showcase_word_due"),
    "a person's words": (lambda c: showcase_words.to_person(c, 5010), "showcase_word_to"),
    "a person's words later": (
        lambda c: showcase_words.wait(c, 5010, NOW),
        "showcase_word_to",
    ),
    "a button": (lambda c: buttons.find(c, f"token-{7:014}"), "PRIMARY KEY"),
    "a button used": (
        lambda c: buttons.use(c, replace(found(c), visit="visit-2")),
        "visit_button_shown",
    ),
    "a visit's live buttons": (lambda c: buttons.live_of(c, "entry:2", 9), "visit_button_of"),
    "a newer visit": (lambda c: buttons.void(c, "entry:2", 9), "visit_button_of"),
    "a subject's buttons": (lambda c: buttons.void_subject(c, "entry:2"), "visit_button_of"),
    "old buttons": (lambda c: buttons.prune(c, DAY, limit=20), "visit_button_over"),
    "the first old button": (buttons.first_over, "visit_button_over"),
}


def found(connection: sqlite3.Connection) -> buttons.Button:
    button = buttons.find(connection, f"token-{7:014}")
    assert button is not None
    return button


def steps(connection: sqlite3.Connection, act: Callable[[sqlite3.Connection], object]) -> int:
    """How many steps of SQLite's machine `act` takes; what it did is undone."""
    counted = [0]

    def step() -> int:
        counted[0] += 1
        return 0

    connection.execute("BEGIN")
    connection.set_progress_handler(step, 1)
    try:
        act(connection)
    finally:
        connection.set_progress_handler(None, 1)
        connection.execute("ROLLBACK")
    return counted[0]


@pytest.mark.parametrize("name", HOT)
def test_a_hot_query_costs_the_same_in_a_ledger_a_hundred_times_as_large(
    ledgers: tuple[Watched, Watched], name: str
) -> None:
    few, many = (steps(connection, HOT[name][0]) for connection in ledgers)
    assert many <= 1.5 * few


@pytest.mark.parametrize("name", HOT)
def test_a_hot_query_finds_its_rows_by_an_index(
    ledgers: tuple[Watched, Watched], name: str
) -> None:
    ask, index = HOT[name]
    connection = ledgers[1]
    connection.execute("BEGIN")
    connection.plans = []
    try:
        ask(connection)
        plans = list(connection.plans)
    finally:
        connection.plans = None
        connection.execute("ROLLBACK")
    assert any(index in plan for plan in plans), plans
    for plan in plans:
        if plan.startswith("SCAN ") and plan.split()[1] in GROWING:
            assert set(plan.split()) & ALIVE, plans


def test_what_is_counted_is_what_is_there(ledgers: tuple[Watched, Watched]) -> None:
    for connection in ledgers:
        rows = connection.execute("SELECT state, count(*) FROM entry GROUP BY state").fetchall()
        counted = dict(rows)
        assert {s: n for s, n in entries.counts(connection, 1).items() if n} == counted
        assert entries.counts(connection) == entries.counts(connection, 1)
