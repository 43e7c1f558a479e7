"""What the worker and the commands ask all day is found by an index, however long the ledger."""

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from domain.requests import STATE_NAMES, Request, Route
from storage import (
    audit,
    cards,
    channels,
    conversations,
    deliveries,
    desks,
    files,
    inbox,
    marks,
    mending,
    outbox,
    outbox_changes,
    private_threads,
    relayed,
    requests,
    retention,
    rooms,
    runtime,
)
from storage.outbox import Part
from tests.domain.samples import QUEUED
from tests.storage.long_past import ENDED, GUILD, make

MEMBER, NOW = 5001, 1_000_000
GROWING = {
    "request",
    "request_event",
    "delivery",
    "conversation",
    "dm_channel",
    "channel_fence",
    "person",
    "outbox_part",
    "card",
    "extra_message",
    "relayed_message",
    "relayed_version",
    "relayed_file",
    "spooled_file",
    "translation",
    "inbox_event",
    "room",
    "inbound",
    "audit",
    "mark",
}
"""Not private_thread: its rows go when the conversation begins, or when the thread is closed."""


class Watched(sqlite3.Connection):
    """Keeps the plan of each statement as it is run, with its values bound and not written in.

    A partial index that a literal would allow and a bound value does not is thus found out.
    """

    plans: list[str] | None = None

    def execute(self, sql: str, values: Any = (), /) -> sqlite3.Cursor:
        if self.plans is not None and not sql.startswith("EXPLAIN"):
            rows = super().execute(f"EXPLAIN QUERY PLAN {sql}", values).fetchall()
            self.plans.extend(str(row[3]) for row in rows)
        return super().execute(sql, values)


@pytest.fixture(scope="module", params=["analyzed", "never analyzed"])
def connection(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Watched]:
    """A ledger with a long past."""
    path = tmp_path_factory.mktemp("ledger") / "ledger.db"
    with contextlib.closing(sqlite3.connect(path, isolation_level=None, factory=Watched)) as opened:
        make(opened)
        if request.param == "analyzed":
            opened.execute("ANALYZE")
        yield opened


@pytest.fixture
def partial(connection: Watched) -> set[str]:
    """The indexes that hold live rows alone: walking one whole is no scan of the past."""
    rows = connection.execute("SELECT name FROM sqlite_master WHERE sql LIKE '%INDEX% WHERE %'")
    return {name for (name,) in rows.fetchall()}


def some_request() -> Request:
    return replace(QUEUED, id=ENDED + 1, guild_id=GUILD, member_id=MEMBER)


def some_part() -> Part:
    values: dict[str, Any] = dict.fromkeys(Part.__dataclass_fields__, 1)
    return Part(
        **values | {"delivery_key": f"key-{100_001:020}", "event": "e1", "uncertain": False}
    )


def some_delivery() -> deliveries.Delivery:
    values: dict[str, Any] = dict.fromkeys(deliveries.Delivery.__dataclass_fields__, 1)
    return deliveries.Delivery(**values | {"delivery_key": KEY, "uncertain": False})


def some_card() -> cards.Card:
    values: dict[str, Any] = dict.fromkeys(cards.Card.__dataclass_fields__, 1)
    return cards.Card(**values)


def some_file(connection: sqlite3.Connection) -> files.RelayedFile:
    found = files.find(connection, 503_007, 1)
    assert found is not None
    return found


def take_over(connection: sqlite3.Connection) -> None:
    runtime.acquire(connection, 1, "one", 1, 2)
    runtime.acquire(connection, 1, "two", 3, 4)


KEY = f"key-{1:020}"

HOT: dict[str, tuple[Callable[[sqlite3.Connection], object], str]] = {
    "the queue": (lambda c: requests.queue(c, GUILD, limit=10), "request_queue"),
    "a page of the queue": (
        lambda c: requests.queue(c, GUILD, limit=10, after_id=ENDED + 2),
        "request_queue",
    ),
    "a place in the queue": (lambda c: requests.place(c, some_request()), "request_queue"),
    "leases that have run out": (
        lambda c: requests.due_leases(c, NOW, limit=100),
        "request_leases",
    ),
    "the next lease": (requests.next_lease, "request_leases"),
    "claimed requests": (lambda c: requests.claimed(c, limit=100), "request_to_open"),
    "claimed, of known members": (
        lambda c: requests.claimed_known(c, limit=100),
        "request_to_open",
    ),
    "claimed, of new members": (lambda c: requests.claimed_new(c, limit=100), "request_to_open"),
    "a coordinator's own": (lambda c: requests.owned(c, GUILD, 9, limit=25), "request_owned"),
    "conversations under way": (
        lambda c: requests.in_conversation(c, GUILD, limit=25),
        "request_owned",
    ),
    "the last to end": (lambda c: requests.ended(c, GUILD, limit=25), "request_ended"),
    "what is to be erased": (
        lambda c: retention.due(c, NOW, limit=10),
        "request_to_erase",
    ),
    "what was set aside long ago": (
        lambda c: retention.set_aside(c, NOW, limit=10),
        "inbox_aside",
    ),
    "a request's erasure": (
        lambda c: [step(c, 7) for step in (retention.begin, retention.finish)],
        "PRIMARY KEY",
    ),
    "messages to erase": (
        lambda c: retention.erase_messages(c, "c7", after=0, limit=10),
        "relayed_in_conversation",
    ),
    "what waits for an ended conversation": (
        lambda c: retention.erase_waiting(c, 7, "c7"),
        "inbox_queue",
    ),
    "all that a channel waits for": (lambda c: outbox.pending(c, 70), "outbox_due"),
    "whether content is kept": (lambda c: retention.is_kept(c, 7), "PRIMARY KEY"),
    "when one ended": (lambda c: retention.ended_at(c, 7), "PRIMARY KEY"),
    "a conversation's messages": (
        lambda c: list(relayed.of_conversation(c, "c7")),
        "relayed_in_conversation",
    ),
    "files due": (lambda c: files.due(c, NOW, limit=100), "relayed_file_wanted"),
    "the next file": (lambda c: files.next_due(c, 0), "relayed_file_wanted"),
    "whether a message waits for its files": (
        lambda c: files.is_waiting(c, 500_007),
        "PRIMARY KEY",
    ),
    "a message's files": (lambda c: files.of_message(c, 500_007), "PRIMARY KEY"),
    "a file kept": (
        lambda c: files.keep(c, some_file(c), sha256="f" * 64, size=5, now=NOW),
        "PRIMARY KEY",
    ),
    "a message's files released": (lambda c: files.release(c, 500_007), "PRIMARY KEY"),
    "files that nobody needs": (lambda c: files.idle(c, limit=100), "spooled_idle"),
    "a file forgotten": (lambda c: files.forget(c, f"{500_007:064}"), "PRIMARY KEY"),
    "whether something can not be read": (files.is_held, "inbox_aside"),
    "how much is spooled": (files.total, ""),
    "how many they are": (lambda c: relayed.how_many(c, "c7"), "relayed_in_conversation"),
    "what one said before": (lambda c: relayed.versions(c, 500_007), "PRIMARY KEY"),
    "what is on record of one": (
        lambda c: audit.of_request(c, 7, limit=10),
        "audit_of_request",
    ),
    "what is in doubt": (lambda c: requests.uncertain(c, GUILD, limit=25), "request_uncertain"),
    "a member's open ones": (lambda c: requests.open_of_member(c, GUILD, MEMBER), "request_open"),
    "a member's own": (
        lambda c: requests.of_member(c, MEMBER, guild_id=GUILD, limit=25),
        "request_of_member",
    ),
    "a member's own anywhere": (
        lambda c: requests.of_member(c, MEMBER, guild_id=None, limit=25),
        "request_of_member",
    ),
    "a member's latest": (lambda c: requests.latest_ask(c, GUILD, MEMBER), "request_of_member"),
    "a request": (lambda c: requests.load(c, 7), "PRIMARY KEY"),
    "a reference": (lambda c: requests.by_reference(c, GUILD, "R7"), "(reference=?)"),
    "an interaction": (lambda c: requests.by_interaction(c, 7), "(interaction_id=?)"),
    "a history": (lambda c: requests.history(c, 7), "PRIMARY KEY"),
    "a step": (
        lambda c: requests.save(
            c, replace(requests.load(c, 7), revision=2), event="x", actor_id=None, now=1
        ),
        "PRIMARY KEY",
    ),
    "first messages due": (lambda c: deliveries.due(c, NOW, limit=100), "delivery_live"),
    "the next first message": (lambda c: deliveries.next_due(c, 1), "delivery_live"),
    "new DMs under way": (deliveries.opening_new, "delivery_live"),
    "a first message": (lambda c: deliveries.find(c, KEY), "PRIMARY KEY"),
    "an attempt": (
        lambda c: deliveries.begin(c, some_delivery(), owner="me", channel_id=7, fence=0, now=NOW),
        "PRIMARY KEY",
    ),
    "its outcome": (lambda c: deliveries.finish(c, KEY, "sent", NOW), "PRIMARY KEY"),
    "whether a try was given up": (lambda c: deliveries.given_up(c, 7), "delivery_of_request"),
    "how much is in doubt": (deliveries.uncertain_count, "delivery_live"),
    "whether a message is named": (lambda c: deliveries.is_named(c, 100_007), "(message_id=?)"),
    "parts due": (lambda c: outbox.due(c, NOW, limit=100), "outbox_due"),
    "the next part": (lambda c: outbox.next_due(c, NOW), "outbox_due"),
    "a part": (lambda c: outbox.find(c, KEY), "(delivery_key=?)"),
    "an event's parts": (lambda c: outbox.of_event(c, "e7"), "(event=?)"),
    "a part's attempt": (
        lambda c: outbox.begin(c, some_part(), owner="me", fence=0, now=NOW),
        "PRIMARY KEY",
    ),
    "a part's receipt": (lambda c: outbox.sent(c, KEY, 9, NOW), "(delivery_key=?)"),
    "a part given up": (lambda c: outbox.drop(c, some_part(), "why"), "(event=?"),
    "cards for a channel given up": (lambda c: outbox.drop_cards(c, 7), "outbox_due"),
    "a request's refused part": (lambda c: outbox.last_drop(c, "r:7:", 5), "(event>?"),
    "parts that need a person": (
        lambda c: outbox.for_person(c, GUILD, limit=25),
        "outbox_person",
    ),
    "a person's decision": (lambda c: outbox.decided(c, some_part(), 9), "PRIMARY KEY"),
    "a part by its id": (lambda c: outbox.with_id(c, 7), "PRIMARY KEY"),
    "parked parts": (lambda c: outbox.unpark(c, GUILD, NOW), "outbox_due"),
    "what waits for a permission": (lambda c: mending.waits(c, GUILD), "outbox_due"),
    "what waited for one": (lambda c: mending.hurry(c, GUILD, NOW), "card_due"),
    "cards due": (lambda c: cards.due(c, NOW, limit=100), "card_due"),
    "the next card": (lambda c: cards.next_due(c, 1), "card_due"),
    "a card": (lambda c: cards.find(c, 7), "PRIMARY KEY"),
    "a message's card": (lambda c: cards.of_message(c, 200_007), "(message_id=?)"),
    "a card to draw": (lambda c: cards.touch(c, 7, GUILD, NOW), ""),
    "a card that is gone": (lambda c: cards.lost(c, some_card(), NOW), "PRIMARY KEY"),
    "a card drawn": (
        lambda c: cards.drawn(c, some_card(), "digest", stale=False),
        "PRIMARY KEY",
    ),
    "where cards are open": (cards.channels_of_open, "request_open"),
    "a channel's open cards": (lambda c: cards.open_in(c, 7), "request_open"),
    "cards drawn anew": (lambda c: cards.redraw(c, (some_card(),), NOW), "PRIMARY KEY"),
    "all open cards": (
        lambda c: cards.refresh_open(c, GUILD, moved=True, now=NOW),
        "PRIMARY KEY",
    ),
    "extras due": (lambda c: cards.extras_due(c, NOW, limit=100), "extra_due"),
    "the next extra": (lambda c: cards.next_extra(c, 0), "extra_due"),
    "a thread": (lambda c: conversations.find(c, 7), "(request_id=?)"),
    "private threads left behind": (private_threads.left_behind, "delivery_of_request"),
    "a private thread": (lambda c: private_threads.find(c, 7), "PRIMARY KEY"),
    "a DM": (lambda c: channels.dm_channel(c, MEMBER), "PRIMARY KEY"),
    "a forgotten DM": (lambda c: channels.forget_dm_channel(c, 15_001), "(channel_id=?)"),
    "new DMs of a minute": (lambda c: channels.dms_opened_since(c, 5_690), "dm_channel_opened"),
    "a fence": (lambda c: channels.fence(c, 15_001), "PRIMARY KEY"),
    "a fence in doubt": (lambda c: channels.doubt_fence(c, 15_001), "PRIMARY KEY"),
    "a name": (lambda c: desks.name_of(c, GUILD, MEMBER), "PRIMARY KEY"),
    "whether a channel is a DM": (lambda c: channels.is_dm(c, 15_001), "(channel_id=?)"),
    "marks due": (lambda c: marks.due(c, NOW, limit=100), "mark_due"),
    "the next mark": (lambda c: marks.next_due(c, NOW), "mark_due"),
    "a mark": (lambda c: marks.find(c, 500_007), "PRIMARY KEY"),
    "a mark that changes": (
        lambda c: marks.want(c, 500_007, "delivered", now=NOW, at=NOW),
        "PRIMARY KEY",
    ),
    "how an original's copies stand": (lambda c: marks.of_copies(c, "e7"), "outbox_target"),
    "inbox events due": (lambda c: inbox.due(c, NOW, limit=100), "inbox_queue"),
    "the next inbox event": (lambda c: inbox.next_due(c, 0), "inbox_queue"),
    "a lane's next event": (lambda c: inbox.first(c, 70, "c7"), "inbox_queue"),
    "an inbox event": (lambda c: inbox.find(c, "m:500007"), "(id=?)"),
    "events that waited for a thread": (
        lambda c: inbox.hurry(c, "c7", "no_thread", NOW),
        "inbox_of_conversation",
    ),
    "events that waited for a choice": (lambda c: inbox.choose(c, 70, "c7", NOW), "inbox_queue"),
    "a channel's waiting messages": (
        lambda c: inbox.messages_in(c, 70, since=0, before=NOW),
        "inbox_queue",
    ),
    "how much waits": (lambda c: (inbox.waiting(c), inbox.aside(c)), "inbox_aside"),
    "a room": (lambda c: rooms.live(c, 70), "room_live"),
    "a conversation's rooms": (lambda c: rooms.desk_channels(c, "c7"), "room_of_conversation"),
    "whose thread a channel was": (lambda c: rooms.desk_of(c, 70), "room_of_channel"),
    "active conversations of a DM": (
        lambda c: rooms.active_in(c, 70),
        "conversation_in_channel",
    ),
    "channels that are behind": (lambda c: rooms.behind(c, NOW, limit=100), "inbound_behind"),
    "the next channel behind": (lambda c: rooms.next_behind(c, NOW), "inbound_behind"),
    "how far a channel is read": (lambda c: rooms.inbound(c, 70), "PRIMARY KEY"),
    "an original": (lambda c: relayed.original_of(c, 100_007), "(message_id=?)"),
    "a channel's originals": (
        lambda c: relayed.messages_in(c, 70, since=0, before=NOW),
        "relayed_in_channel",
    ),
    "a copy's change": (lambda c: outbox_changes.change_of(c, 7), "outbox_target"),
    "an original's copies": (lambda c: outbox_changes.live_of_event(c, "e7"), "(event=?)"),
    "what waits for a channel": (lambda c: outbox_changes.waiting_for(c, 70), "outbox_due"),
    "the head of a lane": (lambda c: outbox.is_head(c, some_part()), "outbox_due"),
    "desks in trouble": (desks.untold, "desk_untold"),
    "a takeover": (take_over, "in_flight"),
}


@pytest.mark.parametrize("name", HOT)
def test_a_hot_query_finds_its_rows_by_an_index(
    connection: Watched, partial: set[str], name: str
) -> None:
    ask, index = HOT[name]
    connection.execute("BEGIN")
    connection.plans = []
    try:
        ask(connection)
        plans = list(connection.plans)
    finally:
        connection.plans = None
        connection.execute("ROLLBACK")
    assert any(index in plan for plan in plans) or not index, plans
    for plan in plans:
        if plan.startswith("SCAN "):
            table = plan.split()[1]
            whole = table in GROWING | {"part"} and not partial & set(plan.split())
            assert not whole, plans


@pytest.mark.parametrize(
    "name",
    [
        "the queue",
        "leases that have run out",
        "claimed requests",
        "a coordinator's own",
        "the last to end",
        "what is to be erased",
        "a conversation's messages",
    ],
)
def test_what_is_asked_for_in_order_is_not_sorted_first(connection: Watched, name: str) -> None:
    connection.plans = []
    HOT[name][0](connection)
    plans, connection.plans = connection.plans, None
    assert not [plan for plan in plans if "TEMP B-TREE" in plan]


@pytest.mark.parametrize("name", ["parts due", "the next part", "marks due", "the next mark"])
def test_a_long_backlog_in_a_channel_is_not_walked_to_find_its_first(
    connection: Watched, name: str
) -> None:
    connection.plans = []
    HOT[name][0](connection)
    plans, connection.plans = connection.plans, None
    assert not [plan for plan in plans if plan.startswith(("SCAN outbox_part", "SCAN mark"))]


def test_every_live_state_is_filled(connection: Watched) -> None:
    states = connection.execute("SELECT DISTINCT state FROM request").fetchall()
    ended = {"resolved", "dropped"}
    assert {state for (state,) in states} == set(STATE_NAMES.values()) - ended
    assert Route(requests.load(connection, 7).route) is Route.DM
