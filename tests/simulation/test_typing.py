"""A member's typing shows in the desk's thread: seldom, for the moment, and in nobody's way."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.clock import FakeClock
from storage import rooms
from storage.errors import DatabaseFull
from tests.simulation.simulated_discord import Trouble
from tests.simulation.story import START
from tests.simulation.talk import MEMBER, Talk


@pytest.fixture
async def talk(tmp_path: Path, project_root: Path) -> AsyncIterator[Talk]:
    made = await Talk.begin(tmp_path / "ledger.db", project_root / "storage/migrations")
    yield made
    await made.living.kill()


async def types(talk: Talk, channel_id: int | None = None, who: int = MEMBER) -> None:
    talk.living.spawn(talk.living.typing.began(channel_id or talk.dm, who))
    await talk.run(500)


def shown(talk: Talk) -> list[int]:
    """The channels in which we were seen typing, call by call."""
    return [target for effect, target in talk.discord.calls if effect == "type"]


async def test_the_desk_sees_that_the_member_types_at_most_once_in_eight_seconds(
    talk: Talk,
) -> None:
    commits = talk.living.ledger.commits
    for _ in range(20):
        await types(talk)
        await talk.run(500)
    assert shown(talk) == [talk.thread] * 3
    assert talk.living.ledger.commits <= commits + 1  # the lease's


async def test_a_call_that_hangs_keeps_nothing_waiting(talk: Talk) -> None:
    talk.discord.plan = lambda effect, _: Trouble(delay_ms=30_000 if effect == "type" else 0)
    await types(talk)
    await talk.hear(talk.member_writes("hello"))
    await talk.run(1_000)
    assert talk.shown(talk.thread) == ["hello"]
    assert len(shown(talk)) == 1


async def test_typing_that_goes_nowhere_is_ignored(talk: Talk) -> None:
    await types(talk, 4711)
    await types(talk, talk.thread, 901)
    await types(talk, who=99)
    assert shown(talk) == []


async def test_where_the_member_has_not_chosen_a_conversation_nothing_is_shown(talk: Talk) -> None:
    now = talk.clock.now()
    await talk.living.ledger.write(lambda c: rooms.revoke_channel(c, talk.dm, now))
    await types(talk)
    assert shown(talk) == []


async def test_after_the_end_it_is_not_shown(talk: Talk) -> None:
    await talk.living.helpdesk.end(1, MEMBER, talk.clock.now())
    await types(talk)
    assert shown(talk) == []


@pytest.mark.parametrize("kind", ["refused", "parked", "not_done", "lost_before"])
async def test_what_goes_wrong_is_not_tried_again(
    talk: Talk, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    talk.discord.plan = lambda effect, _: Trouble(kind=kind if effect == "type" else "none")
    await types(talk)
    await talk.run(60_000)
    assert len(shown(talk)) == 1
    assert not [one for one in caplog.records if one.levelname != "DEBUG"]


async def test_a_ledger_that_can_not_be_read_troubles_nobody(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(_: object) -> None:
        raise DatabaseFull("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(talk.living.ledger, "read", refuse)
        await types(talk)
    assert shown(talk) == []


async def test_a_clock_that_is_set_back_silences_no_room(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    await types(talk)
    monkeypatch.setattr(talk.living.typing, "_clock", FakeClock(START))
    await types(talk)
    assert len(shown(talk)) == 2
