"""A member with conversations in two guilds: what they write goes where they mean it, or waits."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.services.choosing import Chosen
from domain.errors import Refused
from tests.simulation.talk import MEMBER, MINUTE, Talk

VILLAGE = 2


@pytest.fixture
async def talk(tmp_path: Path, project_root: Path) -> AsyncIterator[Talk]:
    made = await Talk.begin(tmp_path / "ledger.db", project_root / "storage/migrations")
    yield made
    if made.house is not None:
        await made.house.kill()


async def end(talk: Talk, request_id: int) -> None:
    await talk.living.helpdesk.end(request_id, MEMBER, talk.clock.now())


def carried(talk: Talk) -> list[Any]:
    """The copies in the member's direct messages."""
    return [one for one in talk.discord.of(talk.dm) if one.shown.quiet]


def asked(talk: Talk) -> int:
    return sum("Which conversation" in said for said in talk.said(talk.dm))


async def test_what_is_written_waits_for_the_choice_and_then_goes_there_in_order(
    talk: Talk,
) -> None:
    here, there = talk.thread, talk.thread_of(await talk.also_in(VILLAGE))
    await talk.hear(*(talk.member_writes(f"m{number}") for number in range(3)))
    await talk.run(MINUTE)
    assert talk.shown(here) == talk.shown(there) == []
    assert asked(talk) == 1
    assert sum("kept too" in said for said in talk.said(talk.dm)) == 1
    await talk.choose(2)
    await talk.hear(talk.member_writes("m3"))
    await talk.run(MINUTE)
    assert talk.shown(there) == ["m0", "m1", "m2", "m3"]
    assert talk.shown(here) == []


async def test_choosing_anew_revokes_the_earlier_choice_from_then_on(talk: Talk) -> None:
    here, there = talk.thread, talk.thread_of(await talk.also_in(VILLAGE))
    await talk.choose(1)
    await talk.hear(talk.member_writes("to the harbour"))
    await talk.choose(2)
    await talk.hear(talk.member_writes("to the village"))
    await talk.choose(1)
    await talk.choose(1)
    await talk.hear(talk.member_writes("and back"))
    await talk.run(MINUTE)
    assert talk.shown(here) == ["to the harbour", "and back"]
    assert talk.shown(there) == ["to the village"]


async def test_both_desks_reach_the_member_whatever_they_have_chosen(talk: Talk) -> None:
    here = talk.thread
    await talk.also_in(VILLAGE)
    await talk.choose(2)
    written = talk.discord.write(
        here, 901, "the harbour speaks", guild_id=1, role_ids=frozenset({600})
    )
    await talk.hear(written, talk.staff_writes("the village speaks"))
    await talk.run(MINUTE)
    assert talk.shown(talk.dm) == ["the harbour speaks", "the village speaks"]


async def test_the_member_sees_which_conversation_each_message_is_of(talk: Talk) -> None:
    here = talk.thread
    await talk.hear(talk.staff_writes("alone"))
    await talk.also_in(VILLAGE)
    written = talk.discord.write(
        here, 901, "the harbour speaks", guild_id=1, role_ids=frozenset({600})
    )
    await talk.hear(written, talk.staff_writes("the village speaks"))
    await talk.run(MINUTE)
    headers = [one.shown.text.partition("\n")[0] for one in carried(talk)]
    assert headers[0] == "-# **Ben**"
    assert [header.startswith("-# **Ben** · Village, ") for header in headers] == [
        False,
        False,
        True,
    ]
    assert len(set(headers)) == 3


async def test_a_reply_goes_to_the_conversation_that_it_answers(talk: Talk) -> None:
    here, there = talk.thread, talk.thread_of(await talk.also_in(VILLAGE))
    await talk.choose(1)
    await talk.hear(talk.staff_writes("which key?"))
    await talk.run(MINUTE)
    (question,) = carried(talk)
    await talk.hear(talk.member_writes("the blue one", reply_to=question.message_id))
    await talk.hear(talk.member_writes("to the harbour"))
    await talk.run(MINUTE)
    assert talk.shown(there) == ["> -# which key?\nthe blue one"]
    assert talk.shown(here) == ["to the harbour"]


async def test_a_reply_to_a_conversation_that_is_over_goes_to_the_chosen_one(talk: Talk) -> None:
    here, there = talk.thread, talk.thread_of(await talk.also_in(VILLAGE))
    await talk.choose(1)
    await talk.hear(talk.staff_writes("which key?"))
    await talk.run(MINUTE)
    (question,) = carried(talk)
    await end(talk, 2)
    await talk.hear(talk.member_writes("the blue one", reply_to=question.message_id))
    await talk.run(MINUTE)
    assert talk.shown(there) == []
    assert talk.shown(here) == ["the blue one"]


async def test_when_the_chosen_one_ends_the_next_message_asks(talk: Talk) -> None:
    here, there = talk.thread, talk.thread_of(await talk.also_in(VILLAGE))
    await talk.choose(1)
    await end(talk, 1)
    await talk.hear(talk.member_writes("thank you"))
    await talk.run(MINUTE)
    assert asked(talk) == 1
    assert talk.shown(here) == talk.shown(there) == []
    await talk.choose(2)
    await talk.run(MINUTE)
    assert talk.shown(there) == ["thank you"]


async def test_what_was_written_for_the_ended_one_never_reaches_another_guild(talk: Talk) -> None:
    here, there = talk.thread, talk.thread_of(await talk.also_in(VILLAGE))
    await talk.choose(1)
    unheard = talk.member_writes("for the harbour alone")
    await end(talk, 1)
    await talk.choose(2)
    await talk.hear(talk.member_writes("for the village"))
    talk.living.intake.gap()
    await talk.run(MINUTE)
    await talk.hear(unheard)
    await talk.run(MINUTE)
    assert talk.shown(here) == []
    assert talk.shown(there) == ["for the village"]


async def test_what_was_missed_before_a_choice_goes_to_what_was_chosen_then(talk: Talk) -> None:
    here, there = talk.thread, talk.thread_of(await talk.also_in(VILLAGE))
    await talk.choose(1)
    talk.member_writes("missed")
    await talk.choose(2)
    talk.living.intake.gap()
    await talk.run(MINUTE)
    assert talk.shown(here) == ["missed"]
    assert talk.shown(there) == []


async def test_a_new_conversation_gets_nothing_that_was_written_before_it(talk: Talk) -> None:
    talk.member_writes("written for the harbour, heard by nobody yet")
    talk.living.intake.gap()
    await end(talk, 1)
    request_id = await talk.also_in(VILLAGE)
    await talk.hear(talk.member_writes("for the village"))
    await talk.run(MINUTE)
    assert talk.shown(talk.thread_of(request_id)) == ["for the village"]


async def test_what_waits_when_the_last_conversation_ends_is_answered_at_once(talk: Talk) -> None:
    await talk.also_in(VILLAGE)
    await talk.hear(talk.member_writes("anybody?"))
    await talk.run(MINUTE)
    await end(talk, 1)
    await end(talk, 2)
    await talk.run(MINUTE)
    assert talk.counts("inbox_event") == {"dropped": 1}
    assert any("has ended" in said for said in talk.said(talk.dm))


async def test_only_what_is_theirs_open_and_talked_about_there_can_be_chosen(talk: Talk) -> None:
    await talk.also_in(VILLAGE)
    await end(talk, 2)

    async def refused(**changes: int) -> str:
        facts = {"interaction_id": 1, "member_id": MEMBER, "request_id": 1, "channel_id": talk.dm}
        with pytest.raises(Refused) as caught:
            await talk.living.choosing.choose(Chosen(**(facts | changes)), talk.clock.now())
        return caught.value.code

    assert await refused(member_id=77) == "request_not_found"
    assert await refused(request_id=99) == "request_not_found"
    assert await refused(request_id=2) == "no_conversation"
    assert await refused(channel_id=5) == "no_conversation"
