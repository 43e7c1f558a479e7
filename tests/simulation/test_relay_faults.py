"""A conversation under odd circumstances: nothing is lost, doubled, misplaced or held up."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.services import listening
from tests.simulation.simulated_discord import Plan, Trouble
from tests.simulation.story import GUILD
from tests.simulation.talk import MEMBER, MINUTE, Talk


@pytest.fixture
async def talk(tmp_path: Path, project_root: Path) -> AsyncIterator[Talk]:
    made = await Talk.begin(tmp_path / "ledger.db", project_root / "storage/migrations")
    yield made
    if made.house is not None:
        await made.house.kill()


def slow(effect: str, target: int, **more: object) -> Plan:
    """That takes twenty seconds."""
    trouble = Trouble(delay_ms=20_000, **more)  # type: ignore[arg-type]
    return lambda one, at: trouble if (one, at) == (effect, target) else Trouble()


async def lose_thread(talk: Talk) -> None:
    """Somebody deletes the thread, and the gateway tells it."""
    old, now = talk.thread, talk.clock.now()
    talk.discord.gone.add(old)
    await talk.living.ledger.write(lambda c: listening.thread_lost(c, GUILD, old, now))


async def test_what_is_deleted_while_it_is_read_late_is_not_carried(talk: Talk) -> None:
    written = talk.member_writes("a secret")
    talk.discord.plan = slow("read_back", talk.dm)
    talk.living.intake.gap()
    await talk.run(1000)
    await talk.delete(written)
    await talk.run(10 * MINUTE)
    ever = [one.shown.text for one in talk.discord.messages if one.channel_id == talk.thread]
    assert not any("a secret" in text for text in ever)


async def test_what_is_edited_while_it_is_read_late_is_carried_as_it_stands(talk: Talk) -> None:
    written = talk.member_writes("draft")
    talk.discord.plan = slow("read_back", talk.dm)
    talk.living.intake.gap()
    await talk.run(1000)
    await talk.edit(written, "better")
    await talk.run(10 * MINUTE)
    assert talk.shown(talk.thread) == ["better"]


async def test_what_comes_while_a_channel_can_be_read_again_is_not_taken_for_deleted(
    talk: Talk,
) -> None:
    dm = talk.dm
    talk.discord.plan = lambda effect, target: Trouble(
        kind="parked" if (effect, target) == ("read_back", dm) else "none"
    )
    talk.living.intake.gap()
    await talk.run(MINUTE)
    talk.discord.plan = slow("read_back", dm)
    talk.living.intake.gap()
    await talk.run(1000)
    await talk.hear(talk.member_writes("hello"))
    await talk.run(10 * MINUTE)
    assert talk.shown(talk.thread) == ["hello"]


async def test_an_edit_while_the_thread_is_replaced_reaches_the_new_one(talk: Talk) -> None:
    await lose_thread(talk)
    written = talk.member_writes("draft")
    await talk.hear(written)
    await talk.run(10 * MINUTE)
    assert talk.shown(talk.thread) == ["draft"]
    talk.discord.plan = lambda effect, target: Trouble(
        kind="not_done" if effect in ("start_thread", "send") else "none", problem="rate"
    )
    await talk.hear(later := talk.member_writes("second draft"))
    await talk.run(1000)
    await lose_thread(talk)
    await talk.run(1000)
    await talk.edit(later, "better")
    talk.discord.plan = lambda *_: Trouble()
    await talk.run(10 * MINUTE)
    assert talk.shown(talk.thread) == ["better"]


async def test_what_is_on_its_way_to_a_thread_that_is_replaced_stays_in_order(talk: Talk) -> None:
    old = talk.thread
    talk.discord.plan = slow("send", old, late=True)
    first = talk.member_writes("one")
    await talk.hear(first, talk.member_writes("two"))
    await talk.run(1000)
    await talk.edit(first, "one, better")
    await lose_thread(talk)
    await talk.run(10 * MINUTE)
    assert talk.thread != old
    assert talk.shown(talk.thread) == ["one, better", "two"]


async def test_a_thread_that_is_made_after_the_end_is_closed(talk: Talk) -> None:
    await lose_thread(talk)
    talk.discord.plan = lambda effect, _: Trouble(
        delay_ms=20_000 if effect == "start_thread" else 0
    )
    await talk.run(5_000)
    await talk.living.helpdesk.end(1, MEMBER, talk.clock.now())
    await talk.run(20 * MINUTE)
    rooms = talk.living.ledger.look(
        lambda c: c.execute("SELECT count(*) FROM room WHERE revoked_at IS NULL").fetchone()
    )
    heard = talk.living.ledger.look(lambda c: c.execute("SELECT count(*) FROM inbound").fetchone())
    assert (rooms[0], heard[0]) == (0, 0)
    assert all(
        one in talk.discord.gone or one in talk.discord.archived for one in talk.discord.threads
    )


async def test_who_is_no_coordinator_any_more_edits_nothing_that_the_member_reads(
    talk: Talk,
) -> None:
    written = talk.staff_writes("hello")
    await talk.hear(written)
    await talk.run(MINUTE)
    talk.discord.members[901] = frozenset()
    edited = talk.discord.rewrite(written, "something vile")
    await talk.living.intake.edited(replace(edited, role_ids=frozenset()), talk.clock.now())
    await talk.run(MINUTE)
    assert talk.shown(talk.dm) == ["hello"]


async def test_what_has_become_a_note_is_not_quoted_to_the_member(talk: Talk) -> None:
    written = talk.staff_writes("hello")
    await talk.hear(written)
    await talk.run(MINUTE)
    await talk.edit(written, "// a difficult one")
    await talk.run(MINUTE)
    await talk.hear(talk.staff_writes("how are you?", reply_to=written.message_id))
    await talk.run(MINUTE)
    assert not any("difficult" in one.shown.text for one in talk.discord.of(talk.dm))


async def test_what_was_deleted_is_not_quoted_to_the_member(talk: Talk) -> None:
    written = talk.staff_writes("a password")
    await talk.hear(written)
    await talk.run(MINUTE)
    answer = talk.staff_writes("never mind", reply_to=written.message_id)
    await talk.delete(written)
    await talk.hear(answer)
    await talk.run(MINUTE)
    assert not any("password" in one.shown.text for one in talk.discord.of(talk.dm))


async def test_a_thread_is_locked_though_its_last_words_are_refused(talk: Talk) -> None:
    thread = talk.thread
    talk.discord.plan = lambda effect, target: Trouble(
        kind="refused" if (effect, target) == ("send", thread) else "none", problem="automod"
    )
    await talk.living.helpdesk.end(1, MEMBER, talk.clock.now())
    await talk.run(MINUTE)
    assert thread in talk.discord.locked


async def test_a_guild_without_a_thread_holds_up_no_other(talk: Talk) -> None:
    """The member's direct messages go to two conversations: one waits for its thread."""
    here = talk.thread
    await talk.also_in(2)
    await talk.choose(1)
    await lose_thread_of(talk, here)
    talk.discord.plan = lambda effect, _: Trouble(
        kind="parked" if effect == "start_thread" else "none", problem="missing_permissions"
    )
    await talk.hear(talk.member_writes("to the first"))
    await talk.run(MINUTE)
    await talk.choose(2)
    await talk.hear(talk.member_writes("to the second"))
    await talk.run(MINUTE)
    assert talk.shown(talk.thread_of(2)) == ["to the second"]
    talk.discord.plan = lambda *_: Trouble()
    await talk.run(10 * MINUTE)
    assert talk.shown(talk.thread_of(1)) == ["to the first"]


async def lose_thread_of(talk: Talk, thread_id: int) -> None:
    now = talk.clock.now()
    talk.discord.gone.add(thread_id)
    await talk.living.ledger.write(lambda c: listening.thread_lost(c, GUILD, thread_id, now))


async def test_what_was_written_just_before_the_end_is_answered(talk: Talk) -> None:
    """It is heard after the end, and its author is not left to think that it was carried."""
    written = talk.staff_writes("one more thing")
    await talk.living.helpdesk.end(1, MEMBER, talk.clock.now())
    await talk.hear(written)
    await talk.run(MINUTE)
    assert talk.shown(talk.dm) == []
    assert any(said.endswith("has ended") for said in talk.said(talk.thread))
    assert heard(talk) == 0


async def test_a_thread_that_is_gone_after_the_end_is_not_read_for_ever(talk: Talk) -> None:
    talk.living.intake.gap()
    await talk.living.helpdesk.end(1, MEMBER, talk.clock.now())
    talk.discord.gone.add(talk.thread)
    await talk.run(10 * MINUTE)
    assert heard(talk) == 0


def heard(talk: Talk) -> int:
    """How many channels are listened to."""
    found = talk.living.ledger.look(lambda c: c.execute("SELECT count(*) FROM inbound").fetchone())
    return int(found[0])


async def test_an_edit_waits_with_its_message_whatever_was_chosen_since(talk: Talk) -> None:
    here = talk.thread
    await talk.also_in(2)
    await lose_thread_of(talk, here)
    talk.discord.plan = lambda effect, _: Trouble(
        kind="parked" if effect == "start_thread" else "none", problem="missing_permissions"
    )
    await talk.hear(written := talk.member_writes("draft"))
    await talk.run(1000)
    await talk.choose(1)
    await talk.run(1000)
    await talk.choose(2)
    await talk.edit(written, "better")
    await talk.run(1000)
    talk.discord.plan = lambda *_: Trouble()
    await talk.run(10 * MINUTE)
    assert talk.shown(talk.thread_of(1)) == ["better"]
    assert talk.shown(talk.thread_of(2)) == []
