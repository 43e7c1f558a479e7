"""How a message fares is told by a reaction under it, behind everything that is to be delivered."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.words.marks import DELIVERED, PROBLEM, TAKEN
from domain.written import Written
from storage import desks, mending
from storage.errors import DatabaseFull
from tests.simulation.simulated_discord import Killed, Trouble
from tests.simulation.story import GUILD
from tests.simulation.talk import MEMBER, MINUTE, Talk


@pytest.fixture
async def talk(tmp_path: Path, project_root: Path) -> AsyncIterator[Talk]:
    made = await Talk.begin(tmp_path / "ledger.db", project_root / "storage/migrations")
    yield made
    if made.house is not None:
        await made.house.kill()


def trouble(
    talk: Talk, effect: str, kind: str, channel_id: int | None = None, *, delay_ms: int = 0
) -> None:
    """From now on that call goes wrong, there or everywhere."""
    talk.discord.plan = lambda called, target: (
        Trouble(kind=kind, late=delay_ms > 0, problem="missing_permissions", delay_ms=delay_ms)
        if called == effect and channel_id in (None, target)
        else Trouble()
    )


def calm(talk: Talk) -> None:
    talk.discord.plan = lambda *_: Trouble()


def shown(talk: Talk, written: Written) -> set[str]:
    return talk.discord.marks(written.message_id)


def rows(talk: Talk) -> int:
    return int(
        talk.living.ledger.look(lambda c: c.execute("SELECT count(*) FROM mark").fetchone()[0])
    )


def reactions(talk: Talk) -> int:
    return sum(effect in ("react", "unreact") for effect, _ in talk.discord.calls)


async def test_what_is_delivered_at_once_is_marked_so_and_never_as_taken(talk: Talk) -> None:
    mine, theirs = talk.member_writes("hello"), talk.staff_writes("hi Ada")
    await talk.hear(mine, theirs)
    await talk.run(MINUTE)
    assert (shown(talk, mine), shown(talk, theirs)) == ({DELIVERED}, {DELIVERED})
    assert reactions(talk) == 2
    assert rows(talk) == 0


async def test_what_takes_longer_is_marked_as_taken_until_it_is_delivered(talk: Talk) -> None:
    trouble(talk, "send", "none", talk.thread, delay_ms=20_000)
    mine = talk.member_writes("hello")
    await talk.hear(mine)
    await talk.run(1_900)
    assert shown(talk, mine) == set()
    await talk.run(200)
    assert shown(talk, mine) == {TAKEN}
    await talk.run(MINUTE)
    assert shown(talk, mine) == {DELIVERED}
    assert rows(talk) == 0


async def test_a_long_message_is_delivered_when_all_of_it_is(talk: Talk) -> None:
    mine = talk.staff_writes("\n".join("a" * 1500 for _ in range(3)))
    trouble(talk, "send", "none", talk.dm, delay_ms=2_000)
    await talk.hear(mine)
    await talk.run(5_000)
    assert len(talk.shown(talk.dm)) == 2
    assert shown(talk, mine) == {TAKEN}
    await talk.run(MINUTE)
    assert shown(talk, mine) == {DELIVERED}


async def test_what_discord_refuses_is_marked_as_a_problem(talk: Talk) -> None:
    talk.discord.closed_dms.add(talk.dm)
    written = talk.staff_writes("hello")
    await talk.hear(written)
    await talk.run(MINUTE)
    assert shown(talk, written) == {PROBLEM}


async def test_an_edit_that_is_delivered_after_all_takes_the_problem_away(talk: Talk) -> None:
    trouble(talk, "send", "refused", talk.dm)
    written = talk.staff_writes("http://bad.example")
    await talk.hear(written)
    await talk.run(MINUTE)
    assert shown(talk, written) == {PROBLEM}
    calm(talk)
    await talk.edit(written, "never mind")
    await talk.run(MINUTE)
    assert talk.shown(talk.dm) == ["never mind"]
    assert shown(talk, written) == {DELIVERED}
    assert rows(talk) == 0


async def test_an_edit_that_is_refused_is_a_problem_until_the_next_one(talk: Talk) -> None:
    written = talk.staff_writes("hello")
    await talk.hear(written)
    await talk.run(MINUTE)
    trouble(talk, "edit", "refused", talk.dm)
    written = await talk.edit(written, "http://bad.example")
    await talk.run(MINUTE)
    assert shown(talk, written) == {PROBLEM}
    calm(talk)
    await talk.edit(written, "hello again")
    await talk.run(MINUTE)
    assert shown(talk, written) == {DELIVERED}


async def test_an_edit_that_changes_nothing_of_that_asks_discord_nothing(talk: Talk) -> None:
    written = talk.member_writes("helo")
    await talk.hear(written)
    await talk.run(MINUTE)
    await talk.edit(written, "hello")
    await talk.run(MINUTE)
    assert talk.shown(talk.thread) == ["hello"]
    assert reactions(talk) == 1


async def test_notes_have_none_and_what_becomes_a_note_loses_its_own(talk: Talk) -> None:
    note, written = talk.staff_writes("// she is upset"), talk.staff_writes("she is upset")
    await talk.hear(note, written)
    await talk.run(MINUTE)
    assert (shown(talk, note), shown(talk, written)) == (set(), {DELIVERED})
    await talk.edit(written, "// she is upset")
    await talk.run(MINUTE)
    assert shown(talk, written) == set()
    assert talk.shown(talk.dm) == []
    assert rows(talk) == 0


async def test_who_may_not_write_there_sees_that_it_goes_nowhere(talk: Talk) -> None:
    written = talk.staff_writes("let me answer", who=77, role_ids=frozenset())
    await talk.hear(written)
    await talk.run(MINUTE)
    assert shown(talk, written) == {PROBLEM}
    assert rows(talk) == 0


async def test_so_does_who_writes_after_the_end(talk: Talk) -> None:
    late = talk.member_writes("one more thing")
    talk.living.intake.gap()
    await talk.hear(late)
    await talk.living.helpdesk.end(1, MEMBER, talk.clock.now())
    await talk.run(MINUTE)
    assert shown(talk, late) == {PROBLEM}


async def test_a_message_that_is_deleted_meanwhile_is_not_marked(talk: Talk) -> None:
    trouble(talk, "send", "none", talk.thread, delay_ms=20_000)
    written = talk.member_writes("oops")
    await talk.hear(written)
    await talk.run(1_000)
    await talk.delete(written)
    await talk.run(MINUTE)
    assert shown(talk, written) == set()
    assert (reactions(talk), rows(talk)) == (0, 0)


async def test_marks_never_keep_a_delivery_waiting(talk: Talk) -> None:
    trouble(talk, "react", "none", delay_ms=30_000)
    first = [talk.member_writes(f"m{number}") for number in range(4)]
    await talk.hear(*first, talk.staff_writes("hi Ada"))
    await talk.run(1_000)
    await talk.hear(talk.member_writes("last"))
    await talk.run(1_000)
    assert talk.shown(talk.thread) == ["m0", "m1", "m2", "m3", "last"]
    assert reactions(talk) == 2  # one a channel


@pytest.mark.parametrize("kind", ["lost_before", "lost_after", "not_done"])
async def test_what_goes_wrong_is_repeated_until_it_is_shown(talk: Talk, kind: str) -> None:
    trouble(talk, "react", kind)
    written = talk.member_writes("hello")
    await talk.hear(written)
    await talk.run(10_000)
    calm(talk)
    await talk.run(5 * MINUTE)
    assert shown(talk, written) == {DELIVERED}
    assert rows(talk) == 0


async def test_a_mark_that_may_be_there_is_taken_away_before_the_next(talk: Talk) -> None:
    talk.discord.plan = lambda effect, target: (
        Trouble(kind="lost_after")
        if effect == "react"
        else Trouble(delay_ms=20_000 if (effect, target) == ("send", talk.thread) else 0, late=True)
    )
    written = talk.member_writes("hello")
    await talk.hear(written)
    await talk.run(3_000)
    assert shown(talk, written) == {TAKEN}
    calm(talk)
    await talk.run(5 * MINUTE)
    assert shown(talk, written) == {DELIVERED}


@pytest.mark.parametrize("problem", ["too_many_reactions", "thread_archived"])
async def test_where_discord_will_not_have_it_nobody_is_troubled(talk: Talk, problem: str) -> None:
    kind = "not_done" if problem == "thread_archived" else "refused"
    talk.discord.plan = lambda effect, _: (
        Trouble(kind=kind, problem=problem) if effect == "react" else Trouble()
    )
    await talk.hear(talk.staff_writes("hello"))
    await talk.run(60 * MINUTE)
    assert (reactions(talk), rows(talk)) == (1, 0)
    assert not any(effect == "edit_thread" for effect, _ in talk.discord.calls)
    assert desk_problem(talk) is None


def desk_problem(talk: Talk) -> str | None:
    return talk.living.ledger.look(lambda c: desks.load(c, GUILD)).problem


async def test_without_the_permission_the_desk_hears_of_it_once_and_marks_rest(talk: Talk) -> None:
    trouble(talk, "react", "parked")
    mine = [talk.staff_writes(f"s{number}") for number in range(3)]
    await talk.hear(*mine)
    await talk.run(60 * MINUTE)
    assert talk.shown(talk.dm) == ["s0", "s1", "s2"]
    assert reactions(talk) == 1
    assert desk_problem(talk) == "missing_permissions"
    calm(talk)
    look = talk.living.ledger.look
    assert look(lambda c: mending.waits(c, GUILD))
    await talk.living.ledger.write(lambda c: mending.hurry(c, GUILD, talk.clock.now()))
    assert not look(lambda c: mending.waits(c, GUILD))
    again = talk.staff_writes("again")
    await talk.hear(again)
    await talk.run(MINUTE)
    assert shown(talk, again) == {DELIVERED}
    assert shown(talk, mine[0]) == set()


async def test_in_a_dm_there_is_nobody_to_ask_for_a_permission(talk: Talk) -> None:
    trouble(talk, "react", "parked", talk.dm)
    await talk.hear(talk.member_writes("hello"))
    await talk.run(10 * MINUTE)
    assert (reactions(talk), rows(talk)) == (1, 0)
    assert desk_problem(talk) is None


async def test_what_was_given_up_is_tried_again_by_the_next_process(talk: Talk) -> None:
    trouble(talk, "react", "parked")
    await talk.hear(talk.staff_writes("hello"))
    await talk.run(MINUTE)
    calm(talk)
    await restart(talk)
    again = talk.staff_writes("again")
    await talk.hear(again)
    await talk.run(2 * MINUTE)
    assert shown(talk, again) == {DELIVERED}


async def restart(talk: Talk) -> None:
    await talk.living.kill()
    talk.house = None
    talk._up_at = talk.clock.now() + 1
    await talk.run(2 * MINUTE)


async def test_a_restart_adds_no_mark_again(talk: Talk) -> None:
    mine, slow = talk.member_writes("hello"), talk.staff_writes("hi")
    await talk.hear(mine)
    await talk.run(MINUTE)
    trouble(talk, "send", "not_done", talk.dm)
    await talk.hear(slow)
    await talk.run(10_000)
    assert shown(talk, slow) == {TAKEN}
    before = reactions(talk)
    await restart(talk)
    assert reactions(talk) == before
    calm(talk)
    await talk.run(10 * MINUTE)
    assert shown(talk, slow) == {DELIVERED}


@pytest.mark.parametrize("fate", ["before", "after"])
@pytest.mark.parametrize("number", range(1, 6))
async def test_whatever_commit_a_process_dies_at_the_mark_comes_right(
    talk: Talk, number: int, fate: str
) -> None:
    trouble(talk, "send", "none", talk.thread, delay_ms=3_000)
    dies_at = talk.living.ledger.commits + number
    talk.living.ledger.at_commit = lambda commit: fate if commit == dies_at else None
    written = talk.member_writes("hello")
    with contextlib.suppress(Killed):
        await talk.hear(written)
    await talk.run(10 * MINUTE)
    assert talk._owners == 2
    assert shown(talk, written) == {DELIVERED}
    assert rows(talk) == 0


def full(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(_: object) -> None:
        raise DatabaseFull("the disk is full")

    monkeypatch.setattr(talk.living.ledger, "write", refuse)


async def test_what_could_not_be_written_down_is_marked_until_it_is_carried_after_all(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    await talk.hear(talk.member_writes("before"))
    await talk.run(MINUTE)
    mine, note = talk.member_writes("hello"), talk.staff_writes("// a note")
    with monkeypatch.context() as patched:
        full(talk, patched)
        await talk.hear(mine, note)
        await talk.run(1_000)
        assert (shown(talk, mine), shown(talk, note)) == ({PROBLEM}, set())
    await talk.run(5 * MINUTE)
    assert talk.shown(talk.thread) == ["before", "hello"]
    assert shown(talk, mine) == {DELIVERED}


async def test_so_it_is_where_the_process_ended_in_between(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = talk.member_writes("hello")
    with monkeypatch.context() as patched:
        full(talk, patched)
        await talk.hear(mine)
        await talk.run(1_000)
    assert shown(talk, mine) == {PROBLEM}
    await restart(talk)
    await talk.run(5 * MINUTE)
    assert talk.shown(talk.thread) == ["hello"]
    assert shown(talk, mine) == {DELIVERED}


async def test_where_nobody_listens_nothing_is_marked(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = talk.discord.write(4711, 5, "hello", guild_id=GUILD)
    with monkeypatch.context() as patched:
        full(talk, patched)
        await talk.hear(elsewhere)
        await talk.run(1_000)
    assert shown(talk, elsewhere) == set()
