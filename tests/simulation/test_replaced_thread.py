"""A thread that somebody deletes is replaced, and the new one begins with where the words are."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.services import listening
from storage import requests
from tests.simulation.simulated_discord import Trouble
from tests.simulation.story import GUILD
from tests.simulation.talk import MEMBER, MINUTE, Talk

REPLACED = "This thread goes on for an earlier one"


@pytest.fixture
async def talk(tmp_path: Path, project_root: Path) -> AsyncIterator[Talk]:
    made = await Talk.begin(tmp_path / "ledger.db", project_root / "storage/migrations")
    yield made
    if made.house is not None:
        await made.house.kill()


async def delete_thread(talk: Talk) -> None:
    """Somebody deletes the thread, its card too, and the gateway tells it."""
    old, now = talk.thread, talk.clock.now()
    talk.discord.plan = lambda effect, target: Trouble(
        kind="refused" if (effect, target) == ("send", old) else "none", problem="unknown_channel"
    )
    await talk.living.ledger.write(lambda c: listening.thread_lost(c, GUILD, old, now))


def everything(talk: Talk) -> list[str]:
    """All that is in the newest thread, in order: titles, or carried text."""
    found = [one.shown for one in talk.discord.of(talk.thread)]
    return [one.title or one.text.partition("\n")[2] or one.text for one in found]


async def test_the_first_words_say_where_the_earlier_ones_are(talk: Talk) -> None:
    reference = talk.living.ledger.look(lambda c: requests.load(c, 1)).reference
    await delete_thread(talk)
    await talk.hear(talk.member_writes("hello"), talk.member_writes("are you there?"))
    await talk.run(10 * MINUTE)
    assert everything(talk)[0] == REPLACED
    assert everything(talk).count(REPLACED) == 1
    assert talk.shown(talk.thread) == ["hello", "are you there?"]
    first = talk.discord.of(talk.thread)[0].shown
    assert f"/transcript {reference}" in first.description


async def test_a_second_loss_is_told_in_the_third_thread_too(talk: Talk) -> None:
    await delete_thread(talk)
    await talk.run(10 * MINUTE)
    await delete_thread(talk)
    await talk.run(10 * MINUTE)
    assert everything(talk).count(REPLACED) == 1


async def test_a_first_thread_says_nothing_of_the_kind(talk: Talk) -> None:
    assert REPLACED not in everything(talk)


async def test_after_the_end_nothing_is_said_in_a_thread_that_is_gone(talk: Talk) -> None:
    await delete_thread(talk)
    await talk.living.helpdesk.end(1, MEMBER, talk.clock.now())
    await talk.run(20 * MINUTE)
    assert talk.counts("outbox_part").get("pending", 0) == 0
