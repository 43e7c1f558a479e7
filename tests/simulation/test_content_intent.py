"""Without the message-content intent: what can't be read is not carried, and its author is told."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from domain.requests import Route
from domain.written import Attachment
from storage import conversations
from tests.simulation.talk import MEMBER, MINUTE, Talk

FILE = Attachment(id=1, name="a.txt", size=5, content_type="text/plain", url="https://example/a")


@pytest.fixture
def route() -> Route:
    return Route.DM


@pytest.fixture
async def talk(tmp_path: Path, project_root: Path, route: Route) -> AsyncIterator[Talk]:
    migrations = project_root / "storage/migrations"
    made = await Talk.begin(tmp_path / "ledger.db", migrations, route=route)
    yield made
    if made.house is not None:
        await made.house.kill()


async def test_a_coordinator_is_told_once_to_use_the_command(talk: Talk) -> None:
    await talk.hear(talk.staff_writes("", hidden=True), talk.staff_writes("", hidden=True))
    await talk.hear(talk.staff_writes("<@99> hello"))
    await talk.run(MINUTE)
    assert talk.shown(talk.dm) == ["<@99> hello"]
    assert talk.said(talk.thread).count("Use /reply here") == 1


async def test_a_dm_of_files_alone_is_read_all_the_same(talk: Talk) -> None:
    await talk.hear(talk.member_writes("", hidden=True, attachments=(FILE,)))
    await talk.run(MINUTE)
    assert len(talk.shown(talk.thread)) == 1


async def test_an_edit_that_can_not_be_read_leaves_the_copy_as_it_is(talk: Talk) -> None:
    written = talk.staff_writes("hello")
    await talk.hear(written)
    await talk.run(MINUTE)
    await talk.edit(replace(written, hidden=True), "")
    await talk.run(MINUTE)
    assert talk.shown(talk.dm) == ["hello"]
    assert talk.said(talk.thread).count("Use /reply here") == 1


@pytest.mark.parametrize("route", [Route.THREAD])
async def test_a_member_in_a_private_thread_is_told_to_mention_steward(talk: Talk) -> None:
    opened = talk.living.ledger.look(lambda connection: conversations.find(connection, 1))
    assert opened is not None
    assert opened.thread_id is not None
    here = opened.channel_id
    hidden, mention = (
        talk.discord.write(here, MEMBER, text, author_name="Ada", hidden=not text)
        for text in ("", "<@99> help")
    )
    await talk.hear(hidden, mention)
    await talk.run(MINUTE)
    assert talk.said(here).count("Mention Steward here") == 1
    assert talk.shown(opened.thread_id) == ["<@99> help"]
