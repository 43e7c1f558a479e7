"""Who writes without a conversation is told so, once, and can ask with what they wrote."""

from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from bot.services.helpdesk import Ask
from domain.requests import Route
from domain.written import Written
from storage import desks
from tests.simulation.simulated_discord import Trouble
from tests.simulation.story import GUILD
from tests.simulation.talk import MEMBER, MINUTE, Talk

OTHER, DM = 2, 7000


@pytest.fixture
async def talk(tmp_path: Path, project_root: Path) -> AsyncIterator[Talk]:
    """`OTHER` is in the harbour too, and has asked for nothing."""
    made = await Talk.begin(tmp_path / "ledger.db", project_root / "storage/migrations")
    made.discord.members[OTHER] = frozenset()
    yield made
    if made.house is not None:
        await made.house.kill()


async def write(talk: Talk, text: str, *, who: int = OTHER, channel_id: int = DM) -> Written:
    """Somebody writes in their DM, and the gateway tells it as the bot hears it."""
    written = talk.discord.write(channel_id, who, text)
    await hear(talk, written)
    return written


async def hear(talk: Talk, written: Written) -> None:
    if not await talk.living.intake.wrote(written, talk.clock.now()):
        await talk.living.offering.wrote(written, talk.clock.now())


async def kept(talk: Talk, *, who: int = OTHER, channel_id: int = DM) -> str:
    return await talk.living.offering.text_in(channel_id, who, talk.clock.now())


def buttons(talk: Talk, channel_id: int = DM) -> list[frozenset[str]]:
    return [one.shown.custom_ids for one in talk.discord.of(channel_id)]


def ask(talk: Talk, *, route: Route = Route.DM, who: int = OTHER) -> Ask:
    talk.discord.next_id += 1
    return Ask(
        interaction_id=talk.discord.next_id,
        guild_id=GUILD,
        guild_name="Harbour",
        member_id=who,
        member_name="Otto",
        topic="Keys",
        details="",
        locale="de",
    )


async def test_they_are_told_once_and_everything_they_wrote_is_kept(talk: Talk) -> None:
    for text in ("hello", "anybody?", "my key is lost"):
        await write(talk, text)
        await talk.run(MINUTE)
    assert buttons(talk) == [frozenset({f"dmask:{GUILD}"})]
    assert "not passed on" in talk.discord.of(DM)[0].shown.description
    assert await kept(talk) == "hello\nanybody?\nmy key is lost"


async def test_a_flood_costs_one_message_and_little_room(talk: Talk) -> None:
    for _ in range(100):
        await write(talk, "spam " * 50)
    await talk.run(MINUTE)
    assert len(talk.discord.of(DM)) == 1
    assert len(await kept(talk)) <= 2000
    commits = talk.living.ledger.commits
    await write(talk, "more")
    assert talk.living.ledger.commits == commits


async def test_after_ten_minutes_the_text_is_erased_and_they_are_told_anew(talk: Talk) -> None:
    first = await write(talk, "hello")
    await talk.run(11 * MINUTE)
    rows = talk.living.ledger.look(
        lambda connection: connection.execute("SELECT count(*) FROM dm_offer_text").fetchone()
    )
    assert rows == (0,)
    assert await kept(talk) == ""
    await hear(talk, first)
    await talk.run(MINUTE)
    assert len(talk.discord.of(DM)) == 1
    await write(talk, "still here")
    await talk.run(MINUTE)
    assert len(talk.discord.of(DM)) == 2
    assert await kept(talk) == "still here"


async def test_what_they_edit_or_delete_is_kept_so(talk: Talk) -> None:
    first, second = await write(talk, "my pasword is 1234"), await write(talk, "oops")
    await talk.living.offering.edited(replace(first, text="it leaks", edited_at=5))
    await talk.living.offering.deleted(second.message_id)
    assert await kept(talk) == "it leaks"


async def test_what_is_kept_is_its_authors_alone_and_is_erased_when_used(talk: Talk) -> None:
    await write(talk, "hello")
    assert await kept(talk, who=MEMBER) == ""
    await talk.living.offering.used(DM, MEMBER)
    assert await kept(talk) == "hello"
    await talk.living.offering.used(DM, OTHER)
    assert await kept(talk) == ""


async def test_there_is_a_button_for_each_server_with_a_desk_that_they_are_in(talk: Talk) -> None:
    await talk.also_in(2)
    talk.discord.strangers = {(2, OTHER)}
    await write(talk, "hello")
    await talk.run(MINUTE)
    assert buttons(talk) == [frozenset({f"dmask:{GUILD}"})]


async def test_with_many_servers_there_are_five_buttons_and_a_word_about_the_rest(
    talk: Talk,
) -> None:
    here = talk.living.ledger.look(lambda connection: desks.load(connection, GUILD))
    for guild_id in range(10, 60):
        there = replace(here, guild_id=guild_id, guild_name=f"Town {guild_id}")
        await talk.living.ledger.write(partial(desks.put, desk=there))
    await write(talk, "hello")
    await talk.run(MINUTE)
    assert len(buttons(talk)[0]) == 5
    assert "/help" in talk.discord.of(DM)[0].shown.description
    assert sum(effect == "roles" for effect, _ in talk.discord.calls) <= 25


async def test_who_is_in_no_server_with_a_desk_is_told_of_the_command(talk: Talk) -> None:
    del talk.discord.members[OTHER]
    await write(talk, "hello")
    await talk.run(MINUTE)
    assert buttons(talk) == [frozenset()]
    assert "/help" in talk.discord.of(DM)[0].shown.description


async def test_while_discord_gives_no_answer_the_word_waits(talk: Talk) -> None:
    talk.discord.plan = lambda effect, _: Trouble(kind="not_done" if effect == "roles" else "none")
    await write(talk, "hello")
    await talk.run(MINUTE)
    assert talk.discord.of(DM) == []
    talk.discord.plan = lambda *_: Trouble()
    await talk.run(5 * MINUTE)
    assert buttons(talk) == [frozenset({f"dmask:{GUILD}"})]


async def test_who_waits_in_the_queue_is_told_where_they_stand(talk: Talk) -> None:
    given = await talk.living.helpdesk.ask(ask(talk), talk.clock.now())
    await write(talk, "hello")
    await write(talk, "are you there?")
    await talk.run(MINUTE)
    [told] = [one.shown for one in talk.discord.of(DM)]
    assert told.title == "Nicht weitergegeben"
    assert given.request.reference in told.description
    assert not told.buttons
    assert await kept(talk) == ""


async def test_who_asks_after_the_offer_is_told_that_later_words_go_nowhere_either(
    talk: Talk,
) -> None:
    await write(talk, "hello")
    await talk.run(1000)
    await talk.living.helpdesk.ask(ask(talk), talk.clock.now())
    await write(talk, "and another thing")
    await talk.run(1000)
    assert [bool(one) for one in buttons(talk)] == [True, False]


async def test_who_has_asked_since_the_offer_is_told_again_that_nobody_reads_them(
    talk: Talk,
) -> None:
    await write(talk, "hello")
    await talk.run(1000)
    given = await talk.living.helpdesk.ask(ask(talk), talk.clock.now())
    await talk.living.helpdesk.withdraw(given.request.id, OTHER, talk.clock.now())
    for text in ("thank you", "and good night"):
        await write(talk, text)
        await talk.run(1000)
    assert [bool(one) for one in buttons(talk)] == [True, True]


async def test_who_wrote_before_there_was_any_desk_is_told_once_there_is_one(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as before:
        before.setattr(desks, "guilds", lambda _: ())
        before.setattr(desks, "find", lambda *_: None)
        await write(talk, "hello")
        await talk.run(1000)
        assert buttons(talk) == []
    await write(talk, "hello again")
    await talk.run(1000)
    assert buttons(talk) == [frozenset({f"dmask:{GUILD}"})]


async def test_a_private_thread_is_where_the_dm_points_to(
    tmp_path: Path, project_root: Path
) -> None:
    talk = await Talk.begin(
        tmp_path / "thread.db", project_root / "storage/migrations", route=Route.THREAD
    )
    [thread] = talk.discord.private_threads_of[550]
    await write(talk, "hello", who=MEMBER)
    await talk.run(MINUTE)
    assert f"<#{thread}>" in talk.discord.of(DM)[0].shown.description
    await talk.living.kill()


async def test_a_conversation_is_not_disturbed(talk: Talk) -> None:
    await write(talk, "hello", who=MEMBER, channel_id=talk.dm)
    await talk.run(MINUTE)
    assert talk.shown(talk.thread) == ["hello"]
    assert not any("Nobody reads this" in said for said in talk.said(talk.dm))
