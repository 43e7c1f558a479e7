"""What was said goes when its time is over, all of it and nothing else; the counts stay."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.delivery.jobs import retention as job
from bot.services.access import Actor
from bot.services.conversations import Conversations
from bot.words.values import Message
from domain.requests import ENDED_BY_MEMBER, ERASED, Resolved
from domain.written import Attachment, Forward
from storage import inbox, outbox, requests, retention, translations
from storage.database import Connection
from storage.inbox import NewEvent
from tests.simulation.simulated_discord import Plan, Trouble, no_trouble
from tests.simulation.story import GUILD
from tests.simulation.talk import MEMBER, MINUTE, STAFF, Talk

CANARY = "Kanarienvogel"
DAY = 86_400_000
LOOK = 5 * MINUTE
"""How often the job looks here: an hour of virtual time takes seconds of ours."""
BEN = Actor(member_id=901, name="Ben", role_ids=STAFF)


@pytest.fixture
async def talk(tmp_path: Path, project_root: Path) -> AsyncIterator[Talk]:
    made = await Talk.begin(tmp_path / "ledger.db", project_root / "storage/migrations")
    yield made
    if made.house is not None:
        await made.house.kill()


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    assert job._EVERY_MS == 60 * MINUTE
    monkeypatch.setattr(job, "_EVERY_MS", LOOK)


async def change(talk: Talk, sql: str, *values: object) -> None:
    """Change the ledger behind everybody's back."""

    def run(connection: Connection) -> None:
        connection.execute(sql, values)

    await talk.living.ledger.write(run)


async def speak(talk: Talk) -> None:
    """The canary is everywhere that somebody's words can be."""
    await change(talk, "UPDATE request SET topic = ?, details = ?", CANARY, CANARY)
    file = Attachment(id=1, name=CANARY, size=5, content_type="text/plain", url="https://x.test")
    written = talk.member_writes(
        f"{CANARY} one",
        stickers=(CANARY,),
        forwards=(Forward(text=CANARY, attachments=(file,)),),
        attachments=(file,),
    )
    answer = talk.staff_writes(f"{CANARY} two")
    note = talk.staff_writes(f"// {CANARY}")
    await talk.hear(replace(written, author_name=CANARY), answer, note)
    await talk.run(MINUTE)
    await talk.edit(written, f"{CANARY} edited")
    await talk.delete(answer)
    await talk.run(MINUTE)

    def translate(connection: Connection) -> None:
        asked = translations.ask(
            connection, written.message_id, "de", source_digest="0" * 64, now=1
        )
        assert translations.ready(connection, asked, CANARY, "en", 2)

    await talk.living.ledger.write(translate)


async def resolve(talk: Talk, resolution: str = CANARY) -> None:
    request = talk.living.ledger.look(lambda connection: requests.load(connection, 1))
    await change(talk, "UPDATE request SET owner_id = 901")
    conversations = Conversations(
        talk.living.ledger,  # type: ignore[arg-type]
        lambda: None,
        reopen_ms=0,
    )
    await conversations.resolve(GUILD, request.id, BEN, resolution, talk.clock.now())


async def days(talk: Talk, number: int) -> None:
    """The bot is off for so many days, and back for a while."""
    await talk.living.kill()
    talk.house = None
    talk.time.advance_to(talk.clock.now() + number * DAY)
    talk._up_at = talk.clock.now() + 1
    await talk.run(MINUTE)


def holding(talk: Talk, word: str) -> dict[str, int]:
    """The tables and columns in which the word stands, and how often."""

    def look(connection: Connection) -> dict[str, int]:
        found: dict[str, int] = {}
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        for (table,) in tables.fetchall():
            cursor = connection.execute(f"SELECT * FROM {table}")
            for row in cursor.fetchall():
                for column, value in zip(cursor.description, row, strict=True):
                    if word in str(value):
                        place = f"{table}.{column[0]}"
                        found[place] = found.get(place, 0) + 1
        return found

    return talk.living.ledger.look(look)


def numbers(talk: Talk) -> dict[str, int]:
    """How many rows each table of the past has, and how many things are in each state."""
    tables = ("request", "request_event", "relayed_message", "outbox_part", "inbox_event", "room")

    def look(connection: Connection) -> dict[str, int]:
        found = {
            table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in tables
        }
        return found | requests.counts(connection) | outbox.counts(connection)

    return talk.living.ledger.look(look)


def request_of(talk: Talk) -> Any:
    return talk.living.ledger.look(lambda connection: requests.load(connection, 1))


async def test_after_its_days_nothing_of_what_was_said_is_left_and_every_count_is(
    talk: Talk,
) -> None:
    await speak(talk)
    await resolve(talk)
    await talk.run(MINUTE)
    assert {place.partition(".")[0] for place in holding(talk, CANARY)} >= {
        "request",
        "relayed_message",
        "relayed_version",
        "translation",
    }
    before = numbers(talk)
    await days(talk, 89)
    assert holding(talk, CANARY)
    await days(talk, 2)
    assert holding(talk, CANARY) == {}
    assert numbers(talk) == before
    after = request_of(talk)
    assert (after.topic, after.details) == (ERASED, "")
    assert isinstance(after.state, Resolved)
    assert after.state.resolution == ERASED


async def test_a_bot_that_is_never_off_looks_again_and_again(talk: Talk) -> None:
    await speak(talk)
    await resolve(talk)
    await talk.run(LOOK)
    await change(talk, "UPDATE request SET ended_at = ended_at - ?", 90 * DAY)
    await talk.run(LOOK + MINUTE)
    assert holding(talk, CANARY) == {}


async def test_a_conversation_under_way_is_kept_however_old(talk: Talk) -> None:
    await speak(talk)
    before = holding(talk, CANARY)
    await days(talk, 400)
    assert holding(talk, CANARY) == before


async def test_how_it_ended_by_its_member_is_no_content(talk: Talk) -> None:
    await talk.living.helpdesk.end(1, MEMBER, talk.clock.now())
    await days(talk, 91)
    assert request_of(talk).state.resolution == ENDED_BY_MEMBER


async def another(talk: Talk, state: str, **more: object) -> None:
    """A second request, of the same member, whose topic and details are the canary."""
    columns = {"attempts": 1, "state": state, "topic": CANARY, "details": CANARY, "revision": 1}
    values: dict[str, object] = columns | more
    await change(
        talk,
        "INSERT INTO request (reference, interaction_id, guild_id, member_id, source_locale, route,"
        f" created_at, {', '.join(values)})"
        f" VALUES ('X', 5, {GUILD}, {MEMBER}, 'en', 'dm', 1{', ?' * len(values)})",
        *values.values(),
    )


@pytest.mark.parametrize("more", [{}, {"reason": "http_502", "dropped_by": 5}])
async def test_what_never_became_a_conversation_is_erased_too(
    talk: Talk, more: dict[str, object]
) -> None:
    await another(talk, "dropped" if more else "withdrawn", ended_at=talk.clock.now(), **more)
    await days(talk, 91)
    assert holding(talk, CANARY) == {}


async def test_a_later_edit_brings_nothing_back(talk: Talk) -> None:
    written = talk.member_writes("harmless")
    await talk.hear(written)
    await talk.run(MINUTE)
    await resolve(talk)
    await days(talk, 91)
    edited = await talk.edit(written, CANARY)
    await talk.run(MINUTE)
    assert holding(talk, CANARY) == {}
    event = talk.living.ledger.look(
        lambda connection: inbox.find(connection, f"e:{written.message_id}:{edited.edited_at}")
    )
    assert event is not None
    assert (event.state, event.problem) == ("dropped", "erased")


def parking(*channels: int) -> Plan:
    return lambda effect, target: Trouble(
        kind="parked" if effect == "send" and target in channels else "none"
    )


async def put_part(talk: Talk, event: str) -> None:
    """A part that waits to be sent to the member."""
    part = outbox.NewPart(
        event=event,
        ordinal=0,
        guild_id=GUILD,
        destination=talk.dm,
        kind="notice",
        payload=Message(text=f"{CANARY} {event}").to_json(),
        delivery_key=f"key-of-{event:_<20}"[:24],
    )
    await talk.living.ledger.write(
        lambda connection: outbox.plan(connection, part, talk.clock.now())
    )


async def test_words_that_wait_to_be_sent_go_and_those_of_others_stay(talk: Talk) -> None:
    talk.discord.plan = parking(talk.dm, talk.thread)
    await talk.hear(talk.member_writes(CANARY), talk.staff_writes(CANARY))
    await put_part(talk, "which:5:6")
    await resolve(talk)
    await another(talk, "active", conversation_id="other", owner_id=901)
    await change(
        talk,
        f"INSERT INTO conversation SELECT 'other', 2, {GUILD}, {MEMBER}, channel_id, NULL, 1"
        " FROM conversation",
    )
    await put_part(talk, "r:2:7")
    await days(talk, 91)
    await talk.run(2 * LOOK + MINUTE)
    assert holding(talk, CANARY) == {
        "request.topic": 1,
        "request.details": 1,
        "outbox_part.payload": 1,
    }
    assert holding(talk, f"{CANARY} r:2:7")
    talk.discord.plan = no_trouble
    await talk.run(20 * MINUTE)
    assert talk.shown(talk.thread) == []
    assert talk.thread in talk.discord.locked


async def test_a_word_on_its_way_ends_first_and_is_erased_with_the_next_look(talk: Talk) -> None:
    talk.discord.plan = lambda effect, target: (
        Trouble(delay_ms=2 * LOOK, late=True)
        if (effect, target) == ("send", talk.thread)
        else Trouble()
    )
    await talk.hear(talk.member_writes(CANARY))
    await talk.run(MINUTE)
    await resolve(talk, "Done")
    await change(talk, "UPDATE request SET ended_at = ended_at - ?", 91 * DAY)
    await talk.run(LOOK + MINUTE)
    kept = talk.living.ledger.look(lambda connection: retention.is_kept(connection, 1))
    assert not kept
    assert holding(talk, CANARY) == {"outbox_part.payload": 1}
    await talk.run(2 * LOOK)
    assert holding(talk, CANARY) == {}
    assert talk.shown(talk.thread) == [CANARY]
    assert talk.counts("request") == {"resolved": 1}
    assert holding(talk, "gone") == {"request.content": 1}


async def test_a_long_conversation_is_erased_in_small_steps_also_over_a_restart(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job, "_MESSAGES", 2)
    erased: list[int] = []

    def count(connection: Connection, *values: Any, **more: Any) -> int | None:
        assert len(erased) < 100
        last = erase_messages(connection, *values, **more)
        erased.append(more["after"])
        if len(erased) == 2:
            talk.living.ledger.at_commit = lambda _: "after"
        return last

    erase_messages = retention.erase_messages
    await talk.hear(*(talk.member_writes(f"{CANARY} {number}") for number in range(7)))
    await talk.run(MINUTE)
    await resolve(talk)
    monkeypatch.setattr(retention, "erase_messages", count)
    await days(talk, 91)
    await talk.run(3 * MINUTE)
    assert holding(talk, CANARY) == {}
    assert erased.count(0) == 2
    assert len(erased) == 2 + 5


async def test_one_that_can_not_be_erased_holds_up_no_other_and_is_tried_again(
    talk: Talk, caplog: pytest.LogCaptureFixture
) -> None:
    await resolve(talk)
    await talk.run(MINUTE)
    await another(talk, "withdrawn", ended_at=talk.clock.now())
    await change(
        talk,
        "CREATE TRIGGER broken BEFORE UPDATE OF topic ON request WHEN OLD.id = 1"
        " BEGIN SELECT RAISE(ABORT, 'broken'); END",
    )
    await days(talk, 91)
    assert set(holding(talk, CANARY)) == {"request.resolution"}
    failures = [record for record in caplog.records if record.message == "not_erased"]
    assert len(failures) == 1
    await change(talk, "DROP TRIGGER broken")
    await talk.run(LOOK + MINUTE)
    assert holding(talk, CANARY) == {}


async def test_what_was_set_aside_for_a_person_goes_in_its_time_too(talk: Talk) -> None:
    for number, dropped in ((1, False), (2, True)):
        event = NewEvent(
            id=f"m:{number}",
            channel_id=talk.dm,
            position=number,
            kind="message",
            author_id=MEMBER,
            conversation_id=None,
            payload=CANARY,
        )

        def put(connection: Connection, event: NewEvent = event, dropped: bool = dropped) -> None:
            inbox.add(connection, event, talk.clock.now())
            inbox.set_aside(connection, event.id, "unreadable_payload")
            if dropped:
                inbox.drop(connection, event.id, "deleted")

        await talk.living.ledger.write(put)
    await days(talk, 89)
    assert holding(talk, CANARY) == {"inbox_event.payload": 1}
    await days(talk, 2)
    assert holding(talk, CANARY) == {}


async def test_files_go_from_the_disk_too(talk: Talk) -> None:
    file = talk.discord.cdn.put("a.png", b"one")
    await talk.hear(talk.member_writes("look", attachments=(file,)))
    await talk.run(MINUTE)
    await resolve(talk)
    await talk.run(MINUTE)
    folder = talk.path.with_name(f"{talk.path.name}.files")
    assert [path.read_bytes() for path in folder.iterdir()] == [b"one"]
    await days(talk, 91)
    assert list(folder.iterdir()) == []
