"""Members see what they asked for, and take it back."""

from typing import Any

import pytest

from bot.services.requests import apply
from domain.requests import Claim, DeliveryFailed, DmOpened, StartOpen
from storage import requests
from tests.cogs.conftest import Scene
from tests.cogs.people import custom_ids, labels, press, shown

LATER = 2_000_000_000_000
CLAIM = Claim(owner_id=7, lease_until=LATER)
START = StartOpen(owner_id=7, delivery_key="key-1", lease_until=LATER)


async def lead(scene: Scene, *events: Any) -> None:
    """Take the newest request through these events."""
    request = await scene.newest()

    def run(connection: Any) -> None:
        here = requests.load(connection, request.id)
        for event in events:
            here = apply(connection, here, event, actor_id=7, now=scene.clock.now())

    await scene.database.write(run)


async def test_a_member_sees_where_their_request_stands_and_what_happened(scene: Scene) -> None:
    await scene.set_up()
    await scene.ask(scene.ada, "Printer")
    await lead(scene, CLAIM)
    result = await scene.ada.slash(scene.general, "requests")
    request = await scene.newest()
    assert result.ephemeral
    assert f"{request.reference} · Printer" in shown(result)
    assert "A coordinator has it" in shown(result)
    assert f"Asked: <t:{request.created_at // 1000}:f>" in shown(result)
    assert "Taken by a coordinator" in shown(result)


async def test_nobody_sees_or_withdraws_what_somebody_else_asked(scene: Scene) -> None:
    await scene.set_up()
    await scene.ask(scene.ada, "Printer")
    request = await scene.newest()
    other = await scene.ben.slash(scene.general, "requests")
    assert "asked for nothing" in shown(other)
    withdrawn = await press(scene, scene.ben, f"withdraw:{request.id}")
    assert "no such request" in shown(withdrawn)
    ended = await press(scene, scene.ben, f"end:{request.id}:key")
    assert "Only the member who asked" in shown(ended)
    assert await scene.states() == ["queued"]


async def test_withdrawing_shows_it_withdrawn_and_frees_the_member_to_ask_again(
    scene: Scene,
) -> None:
    await scene.set_up()
    await scene.ask(scene.ada, "Printer")
    request = await scene.newest()
    result = await scene.ada.slash(scene.general, "requests")
    assert labels(result) == ["Withdraw"]
    withdrawn = await scene.ada.click(result.response, label="Withdraw")
    assert f"{request.reference} is withdrawn" in shown(withdrawn)
    assert labels(withdrawn) == []
    assert await scene.states() == ["withdrawn"]
    await scene.ask(scene.ada, "Scanner")
    assert await scene.states() == ["withdrawn", "queued"]


async def test_withdrawing_too_late_says_so_and_changes_nothing(scene: Scene) -> None:
    await scene.set_up()
    await scene.ask(scene.ada)
    await lead(scene, CLAIM, START)
    request = await scene.newest()
    result = await press(scene, scene.ada, f"withdraw:{request.id}")
    assert "too late to withdraw" in shown(result)
    assert "<@7>" not in shown(result)
    assert await scene.states() == ["opening"]


async def test_an_open_conversation_can_be_ended_from_the_list_once(scene: Scene) -> None:
    await scene.set_up()
    await scene.ask(scene.ada)
    opened = DmOpened(delivery_key="key-1", conversation_id="c")
    await lead(scene, CLAIM, START, opened)
    result = await scene.ada.slash(scene.general, "requests")
    assert labels(result) == ["End conversation"]
    for _ in range(2):
        pressed = await press(scene, scene.ada, custom_ids(result)[0])
        assert "has ended" in shown(pressed)
    assert await scene.states() == ["resolved"]


async def test_ending_by_the_first_messages_button_works_in_the_dm(scene: Scene) -> None:
    await scene.set_up()
    await scene.ask(scene.ada)
    await lead(scene, CLAIM, START, DmOpened(delivery_key="key-1", conversation_id="c"))
    request = await scene.newest()
    result = await press(scene, scene.ada, f"end:{request.id}:key-1", in_dm=True)
    assert "has ended" in shown(result)
    assert await scene.states() == ["resolved"]


async def test_a_member_whose_dms_are_closed_is_told_what_to_do(scene: Scene) -> None:
    await scene.set_up()
    await scene.ask(scene.ada)
    failed = DeliveryFailed(delivery_key="key-1", definitive=True, reason="dms_closed")
    await lead(scene, CLAIM, START, failed)
    result = await scene.ada.slash(scene.general, "requests")
    assert "direct messages from this server are closed" in shown(result)


@pytest.mark.parametrize("topic", ["@everyone <@1> **x**", "# [x](http://y)", "`" * 90, "😀" * 50])
async def test_a_hostile_topic_is_shown_as_text(scene: Scene, topic: str) -> None:
    await scene.set_up()
    receipt = await scene.ask(scene.ada, topic)
    listed = await scene.ada.slash(scene.general, "requests")
    queue = await scene.ben.slash(scene.general, "desk queue")
    for text in (shown(receipt), shown(listed), shown(queue)):
        assert "<@1>" not in text
        assert "](http" not in text
        assert "**x**" not in text


async def test_in_the_dm_requests_of_every_server_are_listed_with_its_name(scene: Scene) -> None:
    await scene.set_up()
    await scene.ask(scene.ada, "Printer")
    elsewhere = await scene.ben.slash(scene.general, "requests")
    assert "asked for nothing" in shown(elsewhere)
    request = await scene.newest()
    listed = await scene.ada.user.slash("requests")
    assert f"{request.reference} · Printer · Harbour" in shown(listed)
    withdrawn = await scene.ada.user.click(listed.response, label="Withdraw")
    assert "is withdrawn" in shown(withdrawn)
    assert await scene.states() == ["withdrawn"]
