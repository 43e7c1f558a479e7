"""A member reopens what has ended: a new request, which says what it goes on with."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.services.access import Actor
from bot.services.conversations import Conversations
from bot.services.reopening import Again, Reopened
from domain.errors import Refused
from domain.requests import Request
from storage import requests
from tests.simulation.house import RULES
from tests.simulation.story import DESK_CHANNEL, GUILD
from tests.simulation.talk import MEMBER, MINUTE, STAFF, Talk

DAYS = RULES.requests.reopen_ms


@pytest.fixture
async def talk(tmp_path: Path, project_root: Path) -> AsyncIterator[Talk]:
    made = await Talk.begin(tmp_path / "ledger.db", project_root / "storage/migrations")
    yield made
    if made.house is not None:
        await made.house.kill()


def request(talk: Talk, request_id: int = 1) -> Request:
    return talk.living.ledger.look(lambda connection: requests.load(connection, request_id))


async def resolve(talk: Talk) -> int:
    """The owner resolves it; answer who that is."""
    owner_id = request(talk).state.owner_id  # type: ignore[union-attr]
    assert owner_id is not None
    ending = Conversations(
        talk.living.ledger,  # type: ignore[arg-type]
        lambda: None,
        reopen_ms=DAYS,
    )
    owner = Actor(member_id=owner_id, name="Ben", role_ids=STAFF)
    await ending.resolve(GUILD, 1, owner, "New toner", talk.clock.now())
    await talk.run(MINUTE)
    return owner_id


async def reopen(talk: Talk, **changes: int) -> Reopened:
    talk.discord.next_id += 1
    again = Again(
        interaction_id=talk.discord.next_id,
        request_id=1,
        member_id=MEMBER,
        member_name="Ada",
        locale="de",
    )
    again = replace(again, **changes)  # type: ignore[arg-type]
    return await talk.living.reopening.reopen(again, talk.clock.now())


async def test_the_last_words_have_the_button_and_the_card_says_what_it_goes_on_with(
    talk: Talk,
) -> None:
    owner_id = await resolve(talk)
    assert any("reopen:1" in one.shown.custom_ids for one in talk.discord.of(talk.dm))
    reopened = await reopen(talk)
    new = reopened.receipt.request
    assert (new.reopens, new.topic, new.state_name) == (1, "Help me", "queued")
    assert request(talk).state_name == "resolved"
    await talk.run(MINUTE)
    card = [one.shown for one in talk.discord.of(DESK_CHANNEL)][-1]
    assert f"Reopens {request(talk).reference}, which <@{owner_id}> had" in card.description


async def test_the_new_conversation_is_one_of_its_own(talk: Talk) -> None:
    await resolve(talk)
    old = talk.thread
    new = (await reopen(talk)).receipt.request
    ben = Actor(member_id=901, name="Ben", role_ids=STAFF)
    await talk.living.helpdesk.claim(GUILD, new.id, ben, talk.clock.now())
    await talk.run(MINUTE)
    await talk.hear(talk.member_writes("it still smokes"))
    await talk.run(MINUTE)
    assert talk.shown(talk.thread_of(new.id)) == ["it still smokes"]
    assert talk.shown(old) == []


async def test_the_same_press_twice_is_one_request(talk: Talk) -> None:
    await resolve(talk)
    first = await reopen(talk, interaction_id=7777)
    second = await reopen(talk, interaction_id=7777)
    assert second.receipt.request.id == first.receipt.request.id
    assert second.receipt.repeated


async def test_what_the_member_ended_themselves_can_be_reopened_too(talk: Talk) -> None:
    await talk.living.helpdesk.end(1, MEMBER, talk.clock.now())
    await talk.run(MINUTE)
    assert any("reopen:1" in one.shown.custom_ids for one in talk.discord.of(talk.dm))
    assert (await reopen(talk)).receipt.request.reopens == 1


async def test_only_the_members_own_ended_request_is_reopened_and_only_in_time(talk: Talk) -> None:
    with pytest.raises(Refused, match="reopen_over"):
        await reopen(talk)
    await resolve(talk)
    with pytest.raises(Refused, match="request_not_found"):
        await reopen(talk, member_id=77)
    with pytest.raises(Refused, match="request_not_found"):
        await reopen(talk, request_id=99)
    talk.clock.advance(DAYS - MINUTE - 1)
    await reopen(talk)
    talk.clock.advance(1)
    with pytest.raises(Refused, match="reopen_over"):
        await reopen(talk)


async def test_the_rule_of_one_open_request_holds(talk: Talk) -> None:
    await resolve(talk)
    await reopen(talk)
    with pytest.raises(Refused, match="open_request_exists"):
        await reopen(talk)


async def test_what_has_been_erased_is_not_reopened(talk: Talk) -> None:
    await resolve(talk)
    await talk.living.ledger.write(
        lambda connection: connection.execute("UPDATE request SET content = 'going'")
    )
    with pytest.raises(Refused, match="reopen_over"):
        await reopen(talk)
