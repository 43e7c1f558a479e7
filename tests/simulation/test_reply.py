"""What a coordinator gives to /reply reaches the member once, and the desk's thread shows it."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.services.access import Actor
from bot.services.replying import Replied, Reply
from domain.errors import Refused
from storage import requests
from tests.simulation.simulated_discord import Trouble
from tests.simulation.story import COORDINATOR_ROLE, GUILD
from tests.simulation.talk import MEMBER, MINUTE, STAFF, Talk

REPLY = Reply(interaction_id=0, guild_id=GUILD, channel_id=0, text="hello")


@pytest.fixture
async def talk(tmp_path: Path, project_root: Path) -> AsyncIterator[Talk]:
    made = await Talk.begin(tmp_path / "ledger.db", project_root / "storage/migrations")
    yield made
    if made.house is not None:
        await made.house.kill()


def owner(talk: Talk) -> Actor:
    request = talk.living.ledger.look(lambda connection: requests.load(connection, 1))
    assert request.state_name == "active"
    return Actor(member_id=request.state.owner_id or 0, name="Ben", role_ids=STAFF)  # type: ignore[union-attr]


async def reply(talk: Talk, text: str, *, who: Actor | None = None) -> tuple[Reply, Replied]:
    talk.discord.next_id += 1
    words = replace(REPLY, interaction_id=talk.discord.next_id, channel_id=talk.thread, text=text)
    done = await talk.living.replying.reply(words, who or owner(talk), talk.clock.now())
    return words, done


async def test_a_reply_arrives_in_its_place_and_the_thread_shows_who_said_it(talk: Talk) -> None:
    await talk.hear(talk.staff_writes("one"))
    await reply(talk, "two")
    await talk.hear(talk.staff_writes("three"))
    await talk.run(MINUTE)
    assert talk.shown(talk.dm) == ["one", "two", "three"]
    [shown] = [one.shown for one in talk.discord.of(talk.thread) if one.shown.quiet]
    assert shown.text == "-# **Ben** · /reply\ntwo"


async def test_the_same_interaction_twice_is_one_message(talk: Talk) -> None:
    words, _ = await reply(talk, "hello")
    await talk.living.replying.reply(words, owner(talk), talk.clock.now())
    await talk.run(MINUTE)
    await talk.living.replying.reply(words, owner(talk), talk.clock.now())
    await talk.run(MINUTE)
    assert talk.shown(talk.dm) == ["hello"]
    assert talk.shown(talk.thread) == ["hello"]


async def test_a_long_reply_is_split_on_both_sides(talk: Talk) -> None:
    await reply(talk, "\n".join("a" * 1500 for _ in range(3)))
    await talk.run(MINUTE)
    for channel in (talk.dm, talk.thread):
        texts = [one.shown.text for one in talk.discord.of(channel) if one.shown.quiet]
        assert [text.count("a" * 1500) for text in texts] == [1, 1, 1]


async def test_a_note_stays_at_the_desk_by_command_too(talk: Talk) -> None:
    _, done = await reply(talk, "// she sounds upset")
    await talk.run(MINUTE)
    assert done.note
    assert talk.shown(talk.dm) == []
    assert talk.shown(talk.thread) == ["// she sounds upset"]


async def test_when_the_member_cant_be_reached_the_thread_says_so_below_the_words(
    talk: Talk,
) -> None:
    talk.discord.closed_dms.add(talk.dm)
    await reply(talk, "hello")
    await talk.run(10 * MINUTE)
    assert talk.shown(talk.thread) == ["hello"]
    assert any("Not delivered" in said for said in talk.said(talk.thread))


async def test_a_thread_that_takes_nothing_keeps_no_reply_from_the_member(talk: Talk) -> None:
    talk.discord.plan = lambda effect, target: Trouble(
        kind="parked" if (effect, target) == ("send", talk.thread) else "none"
    )
    await reply(talk, "hello")
    await talk.run(MINUTE)
    assert talk.shown(talk.dm) == ["hello"]


async def test_a_members_answer_to_a_reply_quotes_it(talk: Talk) -> None:
    await reply(talk, "which key?")
    await talk.run(MINUTE)
    copy = next(one for one in talk.discord.of(talk.dm) if one.shown.quiet)
    await talk.hear(talk.member_writes("the red one", reply_to=copy.message_id))
    await talk.run(MINUTE)
    answer = [one.shown.text for one in talk.discord.of(talk.thread)][-1]
    assert "which key?" in answer
    assert "Ben" in answer


async def test_a_catch_up_takes_no_reply_for_a_deleted_message(talk: Talk) -> None:
    await reply(talk, "hello")
    await talk.run(MINUTE)
    talk.living.intake.gap()
    await talk.run(MINUTE)
    assert talk.shown(talk.dm) == ["hello"]


async def test_a_stranger_to_the_conversation_is_refused(talk: Talk) -> None:
    other = next(who for who in (901, 902) if who != owner(talk).member_id)
    with pytest.raises(Refused, match="active_request_not_owned"):
        await reply(talk, "hello", who=replace(owner(talk), member_id=other))
    with pytest.raises(Refused, match="not_staff"):
        await reply(talk, "hello", who=replace(owner(talk), role_ids=frozenset({5})))
    await talk.run(MINUTE)
    assert talk.shown(talk.dm) == []


async def test_while_nobody_owns_it_any_coordinator_can_answer(talk: Talk) -> None:
    mine = owner(talk)
    await talk.living.helpdesk.release(GUILD, 1, mine, talk.clock.now())
    other = Actor(member_id=903, name="Cleo", role_ids=frozenset({COORDINATOR_ROLE}))
    await reply(talk, "hello", who=other)
    await talk.run(MINUTE)
    assert talk.shown(talk.dm) == ["hello"]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"text": " \u200b\n"}, "empty_message"),
        ({"text": "a" * 6001}, "message_too_long"),
        ({"channel_id": 500}, "not_in_thread"),
        ({"guild_id": 9}, "desk_not_ready"),
    ],
)
async def test_what_cant_be_carried_is_refused(
    talk: Talk, changes: dict[str, object], code: str
) -> None:
    words = replace(REPLY, interaction_id=5000, channel_id=talk.thread)
    words = replace(words, **changes)  # type: ignore[arg-type]
    with pytest.raises(Refused, match=code):
        await talk.living.replying.reply(words, owner(talk), talk.clock.now())


async def test_after_the_end_a_reply_is_refused(talk: Talk) -> None:
    mine = owner(talk)
    await talk.living.helpdesk.end(1, MEMBER, talk.clock.now())
    with pytest.raises(Refused, match="no_conversation"):
        await reply(talk, "hello", who=mine)
