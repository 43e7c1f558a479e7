"""What is written in a conversation reaches the other side once, in order, as it stands."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.services import pieces
from bot.services.desk import Desks
from bot.words.values import Message
from domain.requests import Active, Request
from storage import inbox, requests
from storage.database import Connection
from storage.relayed import Relayed
from tests.simulation.simulated_discord import Trouble
from tests.simulation.story import GUILD
from tests.simulation.talk import MEMBER, MINUTE, Talk


@pytest.fixture
async def talk(tmp_path: Path, project_root: Path) -> AsyncIterator[Talk]:
    made = await Talk.begin(tmp_path / "ledger.db", project_root / "storage/migrations")
    yield made
    if made.house is not None:
        await made.house.kill()


async def test_both_sides_read_what_the_other_writes(talk: Talk) -> None:
    await talk.hear(talk.member_writes("hello"), talk.staff_writes("hi Ada"))
    await talk.hear(talk.member_writes("it leaks"))
    await talk.run(MINUTE)
    assert talk.shown(talk.thread) == ["hello", "it leaks"]
    assert talk.shown(talk.dm) == ["hi Ada"]


async def test_a_repeated_event_is_carried_once(talk: Talk) -> None:
    written = talk.member_writes("hello")
    await talk.hear(written, written)
    await talk.run(MINUTE)
    await talk.hear(written)
    await talk.run(MINUTE)
    assert talk.shown(talk.thread) == ["hello"]


async def test_what_begins_with_two_strokes_stays_at_the_desk(talk: Talk) -> None:
    await talk.hear(talk.staff_writes("// she sounds upset"), talk.staff_writes("hello"))
    await talk.run(MINUTE)
    assert talk.shown(talk.dm) == ["hello"]


async def test_who_is_no_coordinator_is_told_once_and_not_carried(talk: Talk) -> None:
    one = talk.staff_writes("let me answer", who=77, role_ids=frozenset())
    two = talk.staff_writes("and again", who=77, role_ids=frozenset())
    await talk.hear(one, two)
    await talk.run(MINUTE)
    assert talk.shown(talk.dm) == []
    assert sum("<@77>" in said for said in talk.said(talk.thread)) == 1


def owner_of(talk: Talk) -> int:
    request: Request = talk.living.ledger.look(lambda connection: requests.load(connection, 1))
    assert isinstance(request.state, Active)
    assert request.state.owner_id is not None
    return request.state.owner_id


async def test_who_owns_the_conversation_by_manage_server_alone_is_carried(talk: Talk) -> None:
    mine = owner_of(talk)
    others = 900 + 77
    nobody: frozenset[int] = frozenset()
    await talk.hear(
        talk.staff_writes("mine", who=mine, role_ids=nobody, manages_guild=True),
        talk.staff_writes("not mine", who=others, role_ids=nobody, manages_guild=True),
        talk.staff_writes("no longer", who=mine, role_ids=nobody, manages_guild=False),
    )
    await talk.run(MINUTE)
    assert talk.shown(talk.dm) == ["mine"]


@pytest.mark.parametrize("manages", [True, False])
async def test_whether_the_owner_manages_the_server_is_waited_for(
    talk: Talk, manages: bool
) -> None:
    mine = owner_of(talk)
    talk.discord.members[mine] = frozenset()
    talk.discord.managers = None
    await talk.hear(talk.staff_writes("hello", who=mine, role_ids=None))
    await talk.run(MINUTE)
    assert talk.shown(talk.dm) == []
    assert talk.said(talk.thread)[1:] == []
    talk.discord.managers = {mine} if manages else set()
    await talk.run(MINUTE)
    assert talk.shown(talk.dm) == (["hello"] if manages else [])
    assert len(talk.said(talk.thread)[1:]) == (0 if manages else 1)


async def test_what_was_written_while_nobody_listened_is_carried_as_it_stands(talk: Talk) -> None:
    early = talk.member_writes("before")
    await talk.hear(early)
    await talk.run(MINUTE)
    await talk.living.kill()
    talk.house = None
    talk._up_at = talk.clock.now() + 1
    mine = [talk.member_writes(f"m{number}") for number in range(150)]
    for number in range(150):
        talk.staff_writes(f"s{number}")
    talk.discord.unwrite(mine[3])
    talk.discord.rewrite(mine[5], "m5, better")
    talk.discord.rewrite(early, "before, better")
    live = talk.member_writes("live")
    await talk.run(2)
    await talk.hear(live)
    await talk.run(20 * MINUTE)
    expected = [f"m{number}" for number in range(150) if number != 3]
    expected[4] = "m5, better"
    # What was carried before the gap is out of reach of the last hundred messages by now.
    assert talk.shown(talk.thread) == ["before", *expected, "live"]
    assert talk.shown(talk.dm) == [f"s{number}" for number in range(150)]


async def test_edits_and_deletions_of_a_gap_follow_too(talk: Talk) -> None:
    kept, changed, gone = (talk.member_writes(text) for text in ("one", "two", "three"))
    answer = talk.staff_writes("an answer")
    await talk.hear(kept, changed, gone, answer)
    await talk.run(MINUTE)
    talk.discord.rewrite(changed, "two, better")
    talk.discord.unwrite(gone)
    talk.discord.unwrite(answer)
    talk.living.intake.gap()
    await talk.run(MINUTE)
    shown = talk.shown(talk.thread)
    assert shown[:2] == ["one", "two, better"]
    assert shown[2].endswith("three")
    assert shown[2] != "three"
    assert talk.shown(talk.dm) == []


async def test_a_member_who_blocks_the_bot_is_not_written_to_without_end(talk: Talk) -> None:
    talk.discord.closed_dms.add(talk.dm)
    await talk.hear(talk.staff_writes("hello"))
    await talk.run(60 * MINUTE)
    assert sum(called == ("send", talk.dm) for called in talk.discord.calls) == 2
    assert any("Not delivered" in said for said in talk.said(talk.thread))


async def test_edits_while_the_send_hangs_become_one(talk: Talk) -> None:
    hang = Trouble(delay_ms=20_000)
    talk.discord.plan = lambda effect, target: (
        hang if (effect, target) == ("send", talk.thread) else Trouble()
    )
    written = talk.member_writes("draft")
    await talk.hear(written)
    await talk.run(1000)
    for number in range(5):
        written = await talk.edit(written, f"draft {number}")
    await talk.run(MINUTE)
    assert talk.shown(talk.thread) == ["draft 4"]
    assert sum(called == ("edit", talk.thread) for called in talk.discord.calls) == 1


async def test_an_edit_of_what_has_not_left_changes_it_in_the_queue(talk: Talk) -> None:
    talk.discord.plan = lambda effect, target: Trouble(
        kind="not_done" if (effect, target) == ("send", talk.thread) else "none"
    )
    first, second = talk.member_writes("one"), talk.member_writes("two")
    await talk.hear(first, second)
    await talk.run(1000)
    await talk.edit(second, "two, better")
    await talk.delete(first)
    talk.discord.plan = lambda *_: Trouble()
    await talk.run(10 * MINUTE)
    assert talk.shown(talk.thread) == ["two, better"]
    assert ("edit", talk.thread) not in talk.discord.calls


async def test_a_deletion_in_flight_removes_the_copy_after_it_arrived(talk: Talk) -> None:
    talk.discord.plan = lambda effect, target: Trouble(
        delay_ms=20_000 if (effect, target) == ("send", talk.dm) else 0
    )
    written = talk.staff_writes("wrong person")
    await talk.hear(written)
    await talk.run(1000)
    await talk.delete(written)
    await talk.run(MINUTE)
    assert talk.shown(talk.dm) == []


@pytest.mark.parametrize(("before", "after"), [(1, 3), (3, 1), (3, 2)])
async def test_an_edit_may_change_the_number_of_parts(talk: Talk, before: int, after: int) -> None:
    written = talk.staff_writes("\n".join("a" * 1500 for _ in range(before)))
    await talk.hear(written)
    await talk.run(MINUTE)
    for number in (after, before, after):
        written = await talk.edit(written, "\n".join("b" * 1500 for _ in range(number)))
        await talk.run(MINUTE)
    copies = talk.discord.of(talk.dm)
    bodies = [one.shown.text.count("b") for one in copies if one.shown.quiet]
    assert bodies == [1500] * after


async def test_a_deleted_thread_is_replaced_and_what_waited_goes_there(talk: Talk) -> None:
    old = talk.thread
    talk.discord.plan = lambda effect, target: Trouble(
        kind="refused" if (effect, target) == ("send", old) else "none", problem="unknown_channel"
    )
    await talk.hear(talk.member_writes("hello"), talk.member_writes("are you there?"))
    await talk.run(20 * MINUTE)
    assert talk.thread != old
    assert talk.shown(talk.thread) == ["hello", "are you there?"]


async def test_after_the_end_nothing_is_carried_and_the_author_is_told(talk: Talk) -> None:
    dm, thread = talk.dm, talk.thread
    late = talk.staff_writes("one more thing")
    await talk.living.helpdesk.end(1, MEMBER, talk.clock.now())
    await talk.hear(late)
    await talk.run(MINUTE)
    assert talk.shown(dm) == []
    assert thread in talk.discord.archived
    assert thread in talk.discord.locked


async def test_an_unreadable_event_is_set_aside_and_holds_up_nothing(talk: Talk) -> None:
    await talk.living.ledger.write(
        lambda connection: inbox.add(
            connection,
            inbox.NewEvent(
                id="m:1",
                channel_id=talk.dm,
                position=1,
                kind="message",
                author_id=1,
                conversation_id=None,
                payload="{",
            ),
            talk.clock.now(),
        )
    )
    await talk.hear(talk.member_writes("hello"))
    await talk.run(MINUTE)
    assert talk.shown(talk.thread) == ["hello"]
    assert talk.counts("inbox_event")["queued"] == 1


async def test_an_event_that_cannot_be_worked_is_kept_and_then_set_aside(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a fault of ours: the message is not lost, and what comes after it goes on."""
    of = pieces.of

    def fail(connection: Connection, original: Relayed, *more: Any) -> tuple[Message, ...]:
        if original.text == "poison":
            raise ZeroDivisionError
        return of(connection, original, *more)

    with monkeypatch.context() as patched:
        patched.setattr(pieces, "of", fail)
        await talk.hear(talk.member_writes("poison"), talk.member_writes("hello"))
        await talk.run(60 * MINUTE)
    assert talk.shown(talk.thread) == ["hello"]
    assert talk.counts("inbox_event")["queued"] == 1


async def test_an_edit_made_while_there_is_no_thread_waits_for_the_new_one(talk: Talk) -> None:
    old = talk.thread
    written = talk.member_writes("hello")
    await talk.hear(written)
    await talk.run(MINUTE)
    desks = Desks(talk.living.ledger, lambda: None)  # type: ignore[arg-type]
    await desks.lost_thread(GUILD, old, talk.clock.now())
    for number in range(2):
        await talk.hear(talk.member_writes(f"more {number}"))
    await talk.edit(written, "hello, are you there?")
    assert talk.counts("inbox_event")["queued"] == 3
    await talk.run(20 * MINUTE)
    assert talk.thread != old
    assert talk.counts("inbox_event") == {"done": 4}
    assert talk.shown(talk.thread) == ["more 0", "more 1"]


async def test_an_organizer_talks_to_the_member_as_a_coordinator_does(talk: Talk) -> None:
    await talk.living.ledger.write(
        lambda connection: connection.execute("UPDATE desk SET organizer_role_id = 700")
    )
    await talk.hear(talk.staff_writes("I'm Olga", who=78, role_ids=frozenset({700})))
    await talk.run(MINUTE)
    assert talk.shown(talk.dm) == ["I'm Olga"]
