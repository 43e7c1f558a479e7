"""Where Discord can't say whether a first message arrived, a coordinator does."""

from typing import Any

import pytest

from bot.services.requests import apply
from domain.requests import Claim, DeliveryFailed, StartOpen
from storage import deliveries, requests
from tests.cogs.conftest import Scene
from tests.cogs.people import custom_ids, labels, press, shown

KEY = "first-try-0123456789"
LATER = 2_000_000_000_000


async def in_doubt(scene: Scene, *, unreadable: int, topic: str = "Printer") -> Any:
    """A request whose first message may have arrived, with history that often unreadable."""
    await scene.set_up()
    await scene.ask(scene.ada, topic)
    request = await scene.newest()
    now = scene.clock.now()

    def run(connection: Any) -> None:
        here = requests.load(connection, request.id)
        deliveries.plan(
            connection,
            delivery_key=KEY,
            request_id=here.id,
            conversation_id="c",
            now=now,
        )
        connection.execute(
            "UPDATE delivery SET channel_id = 5, fence = 1, tries = 1, first_try_at = ?,"
            " uncertain = 1, unreadable = ?, person_at = ?, problem = 'missing_access'"
            " WHERE delivery_key = ?",
            (now, unreadable, now if unreadable >= 5 else None, KEY),
        )
        for event in (
            Claim(owner_id=scene.ben.id, lease_until=LATER),
            StartOpen(owner_id=scene.ben.id, delivery_key=KEY, lease_until=LATER),
            DeliveryFailed(delivery_key=KEY, definitive=False, reason="http_503"),
        ):
            here = apply(connection, here, event, actor_id=scene.ben.id, now=now)

    await scene.database.write(run)
    return request


@pytest.mark.parametrize(
    ("label", "words", "state"),
    [
        ("It arrived", "the conversation has begun", "active"),
        ("It did not arrive", "waits in the queue again", "queued"),
        ("Drop it", "ended without an answer", "dropped"),
    ],
)
async def test_a_coordinator_decides(scene: Scene, label: str, words: str, state: str) -> None:
    request = await in_doubt(scene, unreadable=5)
    listed = await scene.cleo.slash(scene.desk, "desk reconcile")
    assert request.reference in shown(listed)
    assert "Steward can't see the channel" in shown(listed)
    assert labels(listed) == ["It arrived", "It did not arrive", "Drop it"]
    decided = await scene.cleo.click(listed.response, label=label)
    assert words in shown(decided)
    assert await scene.states() == [state]
    assert "No message is in doubt" in shown(await scene.cleo.slash(scene.desk, "desk reconcile"))


async def test_while_steward_can_still_find_out_nobody_decides(scene: Scene) -> None:
    request = await in_doubt(scene, unreadable=4)
    listed = await scene.ben.slash(scene.desk, "desk reconcile")
    assert "finding out by itself" in shown(listed)
    assert custom_ids(listed) == []
    for prefix in ("arrived", "absent", "drop"):
        assert "still finding out" in shown(await press(scene, scene.ben, f"{prefix}:{request.id}"))
    assert await scene.states() == ["needs_reconcile"]


async def test_members_decide_nothing(scene: Scene) -> None:
    request = await in_doubt(scene, unreadable=5)
    for prefix in ("arrived", "absent", "drop"):
        result = await press(scene, scene.ada, f"{prefix}:{request.id}")
        assert "Only coordinators" in shown(result)
    assert await scene.states() == ["needs_reconcile"]


async def test_a_second_decision_changes_nothing(scene: Scene) -> None:
    request = await in_doubt(scene, unreadable=5)
    await press(scene, scene.ben, f"absent:{request.id}")
    late = await press(scene, scene.cleo, f"arrived:{request.id}")
    assert "isn't in a state for that" in shown(late)
    assert await scene.states() == ["queued"]


async def test_pressing_the_first_messages_button_shows_that_it_arrived(scene: Scene) -> None:
    request = await in_doubt(scene, unreadable=0)
    result = await press(scene, scene.ada, f"end:{request.id}:{KEY}", in_dm=True)
    assert f"The conversation {request.reference} has ended" in shown(result)
    assert await scene.states() == ["resolved"]
    delivery = await scene.database.read(lambda connection: deliveries.find(connection, KEY))
    assert delivery is not None
    assert delivery.status == "sent"
    assert delivery.message_id is not None
    again = await press(scene, scene.ada, f"end:{request.id}:{KEY}", in_dm=True)
    assert "has ended" in shown(again)


async def test_the_button_of_another_try_or_person_settles_no_doubt(scene: Scene) -> None:
    request = await in_doubt(scene, unreadable=0)
    old = await press(scene, scene.ada, f"end:{request.id}:an-older-try", in_dm=True)
    assert "isn't open, or not yet" in shown(old)
    keyless = await press(scene, scene.ada, f"end:{request.id}", in_dm=True)
    assert "isn't open, or not yet" in shown(keyless)
    foreign = await press(scene, scene.cleo, f"end:{request.id}:{KEY}", in_dm=True)
    assert "Only the member who asked" in shown(foreign)
    assert await scene.states() == ["needs_reconcile"]


async def test_a_late_press_after_the_try_was_given_up_settles_nothing(scene: Scene) -> None:
    request = await in_doubt(scene, unreadable=5)
    await press(scene, scene.ben, f"absent:{request.id}")
    late = await press(scene, scene.ada, f"end:{request.id}:{KEY}", in_dm=True)
    assert "isn't open, or not yet" in shown(late)
    assert await scene.states() == ["queued"]


async def test_the_member_sees_that_the_team_has_dropped_it_and_may_ask_again(
    scene: Scene,
) -> None:
    request = await in_doubt(scene, unreadable=5)
    await press(scene, scene.ben, f"drop:{request.id}")
    seen = await scene.ada.slash(scene.general, "requests")
    assert f"{request.reference} · Printer" in shown(seen)
    assert "**Ended by the team**" in shown(seen)
    assert "Ended by the team: <t:" in shown(seen)
    assert labels(seen) == []
    await scene.ask(scene.ada, "Again")
    assert await scene.states() == ["dropped", "queued"]
