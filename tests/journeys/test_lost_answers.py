"""What comes back from Discord is lost, late or broken: still one DM, and no person is needed."""

import asyncio
from typing import Any

import pytest

from sandbox.truth import Exchange
from tests.journeys.town import MESSAGES, OPEN_DM, Town


def to_ada(town: Town) -> Any:
    """Posts to Ada's DM."""
    dm = town.ada.dm.id
    return lambda exchange: isinstance(exchange, Exchange) and f"/{dm}/" in exchange.path


async def claimed(town: Town) -> None:
    """Ada has asked, and Ben has pressed Claim."""
    await town.ask(town.ada)
    card = await town.card()
    await town.ben.click(card, "Claim").first_answer()


async def check_one_dm(town: Town) -> None:
    """Ada has one message from Steward, the request is active, and nothing is in doubt."""
    await town.until(lambda: town.states() == ["active"])
    assert len(town.dms(town.ada)) == 1
    posted = [
        message
        for message in town.sandbox.truth.messages(town.ada.dm, include_deleted=True)
        if message.author_id == town.sandbox.world.bot.id
    ]
    assert len(posted) == 1
    doubts = town.rows("SELECT count(*) FROM delivery WHERE uncertain = 1")
    assert doubts == [(0,)]
    assert town.sandbox.world.unknown == []


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("close_after", {}),
        ("status_after", {"status": 502}),
        ("status_after", {"status": 504}),
        ("cut_body", {}),
        ("html", {}),
        ("broken_json", {}),
        ("remaining_zero", {"seconds": 30}),
        ("close_before", {}),
        ("status_before", {"status": 503}),
        ("refuse", {}),
        ("ratelimit", {"seconds": 0.2}),
        ("ratelimit", {"seconds": 0.2, "via": False}),
        ("ratelimit", {"seconds": 0.2, "everywhere": True}),
        ("hang_after", {"seconds": 2}),
        ("hang_before", {"seconds": 2}),
    ],
)
@pytest.mark.parametrize("echo", [True, False])
async def test_a_first_message_whose_answer_goes_wrong_arrives_once(
    town: Town, kind: str, options: dict[str, Any], echo: bool
) -> None:
    process = await town.serve()
    await town.set_up_desk()
    town.sandbox.faults.add(MESSAGES, kind, when=to_ada(town), **options)
    if not echo:
        town.sandbox.gateway.faults.lose("MESSAGE_CREATE", times=5)
    await claimed(town)
    await check_one_dm(town)
    assert await process.stop() == 0


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("close_after", {}),
        ("status_after", {"status": 502}),
        ("ratelimit", {"seconds": 0.2}),
        ("cut_body", {}),
        ("hang_before", {"seconds": 1}),
    ],
)
async def test_a_dm_channel_whose_opening_goes_wrong_is_opened_again(
    town: Town, kind: str, options: dict[str, Any]
) -> None:
    await town.serve()
    await town.set_up_desk()
    town.sandbox.faults.add(OPEN_DM, kind, **options)
    await claimed(town)
    await check_one_dm(town)


async def test_a_card_whose_answer_is_lost_is_posted_once(town: Town) -> None:
    await town.serve()
    await town.set_up_desk()
    town.sandbox.gateway.faults.lose("MESSAGE_CREATE", times=1)
    town.sandbox.faults.add(MESSAGES, "close_after")
    await town.ask(town.ada)
    await town.card()
    await town.until(lambda: town.rows("SELECT 1 FROM card WHERE message_id IS NOT NULL"))
    assert len(town.cards()) == 1


async def test_a_thread_whose_answer_is_lost_is_there_once(town: Town) -> None:
    await town.serve()
    await town.set_up_desk()
    town.sandbox.faults.add(
        "POST /channels/{channel_id}/messages/{message_id}/threads", "close_after"
    )
    await claimed(town)
    await town.until(lambda: town.rows("SELECT 1 FROM card WHERE thread = 'made'"))
    assert len(town.guild.threads) == 1
    await town.until(
        lambda: any(
            message.author_id == town.sandbox.world.bot.id
            for thread in town.guild.threads
            for message in town.sandbox.truth.messages(thread)
        )
    )


async def test_fifty_coordinators_at_once_make_one_owner_and_one_dm(town: Town) -> None:
    world = town.sandbox.world
    await town.serve()
    await town.set_up_desk()
    await town.ask(town.ada)
    card = await town.card()
    people = [town.sandbox.person(world.add_user(f"coordinator{n}")) for n in range(50)]
    for person in people:
        person.join(town.guild, town.coordinators)
    pressed = [person.click(card, "Claim") for person in people]
    answers = await asyncio.gather(*(one.first_answer() for one in pressed))
    await check_one_dm(town)
    texts = [answer.content for answer in answers]
    assert sum("is yours" in text for text in texts) == 1
    winner = next(
        person.user.name for person, text in zip(people, texts, strict=True) if "is yours" in text
    )
    assert sum(f"{winner} has this request" in text for text in texts) == 49
