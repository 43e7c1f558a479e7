"""Coordinators claim, give back and extend, by command and by button."""

from typing import Any

import pytest

from domain.requests import Claimed, Queued, Route
from tests.cogs.conftest import Scene
from tests.cogs.people import custom_ids, labels, press, press_together, shown


async def queued(scene: Scene, topic: str = "Printer") -> Any:
    await scene.set_up()
    await scene.ask(scene.ada, topic)
    return await scene.newest()


async def test_a_coordinator_claims_by_the_cards_button(scene: Scene) -> None:
    request = await queued(scene)
    result = await press(scene, scene.ben, f"claim:{request.id}")
    assert result.ephemeral
    assert f"{request.reference} is yours" in shown(result)
    state = (await scene.newest()).state
    assert isinstance(state, Claimed)
    assert state.owner_id == scene.ben.id


async def test_a_coordinator_claims_gives_back_and_extends_by_command(scene: Scene) -> None:
    request = await queued(scene)

    async def run(command: str) -> str:
        return shown(await scene.ben.slash(scene.desk, command, request=request.reference.lower()))

    assert "is yours" in await run("desk claim")
    first = (await scene.newest()).state
    scene.clock.advance(60_000)
    assert "is yours until" in await run("desk extend")
    extended = (await scene.newest()).state
    assert isinstance(first, Claimed)
    assert isinstance(extended, Claimed)
    assert extended.lease_until == first.lease_until + 60_000
    assert "waits in the queue again" in await run("desk release")
    assert await scene.states() == ["queued"]


async def test_claiming_twice_is_one_claim_and_no_quarrel(scene: Scene) -> None:
    request = await queued(scene)
    for _ in range(2):
        result = await press(scene, scene.ben, f"claim:{request.id}")
        assert "is yours" in shown(result)
    assert (await scene.newest()).revision == 1


async def test_a_second_coordinator_is_told_who_has_it(scene: Scene) -> None:
    request = await queued(scene)
    await press(scene, scene.ben, f"claim:{request.id}")
    result = await press(scene, scene.cleo, f"claim:{request.id}")
    assert "ben has this request" in shown(result)
    for prefix in ("release", "extend"):
        refused = await press(scene, scene.cleo, f"{prefix}:{request.id}")
        assert "don't hold the claim" in shown(refused)
    state = (await scene.newest()).state
    assert isinstance(state, Claimed)
    assert state.owner_id == scene.ben.id


async def test_of_those_who_press_at_the_same_moment_one_has_it(scene: Scene) -> None:
    request = await queued(scene)
    people = [scene.ben, scene.cleo, scene.ben, scene.cleo, scene.owner]
    answers = await press_together(scene, people, f"claim:{request.id}")
    state = (await scene.newest()).state
    assert isinstance(state, Claimed)
    told = [
        who.id for who, given in zip(people, answers, strict=True) if "is yours" in shown(given)
    ]
    assert set(told) == {state.owner_id}
    assert (await scene.newest()).revision == 1
    losers = [shown(given) for given in answers if "is yours" not in shown(given)]
    assert all("has this request" in text for text in losers)


async def test_a_role_taken_away_between_the_card_and_the_press_counts(scene: Scene) -> None:
    request = await queued(scene)
    scene.env.backend.remove_member_role(scene.guild.id, scene.ben.id, scene.coordinators.id)
    result = await press(scene, scene.ben, f"claim:{request.id}")
    assert "Only coordinators" in shown(result)
    assert await scene.states() == ["queued"]


@pytest.mark.parametrize(
    "command", ["desk queue", "desk mine", "desk reconcile", "desk claim", "desk release"]
)
async def test_members_are_told_that_the_desk_is_not_theirs(scene: Scene, command: str) -> None:
    await queued(scene)
    options = {"request": "ZZZZZ"} if command in ("desk claim", "desk release") else {}
    result = await scene.ada.slash(scene.general, command, **options)
    assert "Only coordinators" in shown(result)


async def test_before_it_is_set_up_the_desk_says_how(scene: Scene) -> None:
    for command in ("desk queue", "desk mine", "desk reconcile"):
        assert "/desk setup" in shown(await scene.ben.slash(scene.general, command))


async def test_nobody_takes_their_own_request(scene: Scene) -> None:
    await scene.set_up()
    await scene.ask(scene.ben)
    request = await scene.newest()
    result = await press(scene, scene.ben, f"claim:{request.id}")
    assert "your own request" in shown(result)
    assert await scene.states() == ["queued"]


async def test_a_private_thread_needs_a_help_channel(scene: Scene) -> None:
    request = await queued(scene)
    refused = await press(scene, scene.ben, f"thread:{request.id}")
    assert "help_channel" in shown(refused)
    await scene.set_up(help_channel=scene.general)
    await press(scene, scene.ben, f"thread:{request.id}")
    newest = await scene.newest()
    assert (newest.state_name, newest.route) == ("claimed", Route.THREAD)


async def test_an_unknown_reference_says_where_to_look(scene: Scene) -> None:
    await scene.set_up()
    result = await scene.ben.slash(scene.desk, "desk claim", request="` @everyone")
    assert "no such request" in shown(result)


async def test_the_queue_shows_ten_a_page_oldest_first(scene: Scene) -> None:
    await scene.set_up()
    for number in range(12):
        member = scene.guild.add_member(scene.env.create_user(f"member{number}"))
        await scene.ask(member, f"Topic number {number}")
    first = await scene.ben.slash(scene.desk, "desk queue")
    assert "Waiting: 12" in shown(first)
    assert "Topic number 0" in shown(first)
    assert "Topic number 9" in shown(first)
    assert "Topic number 10" not in shown(first)
    assert labels(first) == ["Next"]
    second = await scene.ben.click(first.response, label="Next")
    assert "Topic number 10" in shown(second)
    assert "Topic number 9" not in shown(second)
    assert labels(second) == ["First page"]
    back = await scene.ben.click(second.response, label="First page")
    assert "Topic number 0" in shown(back)
    assert labels(back) == ["Next"]


async def test_extending_twice_in_one_moment_is_extending_once(scene: Scene) -> None:
    request = await queued(scene)
    await press(scene, scene.ben, f"claim:{request.id}")
    scene.clock.advance(60_000)
    for _ in range(2):
        result = await press(scene, scene.ben, f"extend:{request.id}")
        assert f"{request.reference} is yours until" in shown(result)
    assert (await scene.newest()).revision == 2


async def test_an_empty_queue_and_a_page_behind_the_end_are_said(scene: Scene) -> None:
    await scene.set_up()
    assert "Nothing waits" in shown(await scene.ben.slash(scene.desk, "desk queue"))
    await scene.ask(scene.ada)
    beyond = await press(scene, scene.ben, "queue:999")
    assert "Nothing more" in shown(beyond)
    assert "Waiting: 1" in shown(beyond)


async def test_the_next_page_is_for_staff_only(scene: Scene) -> None:
    request = await queued(scene)
    result = await press(scene, scene.ada, f"queue:{request.id - 1}")
    assert "Only coordinators" in shown(result)
    assert request.topic not in shown(result)


async def test_a_coordinators_own_work_is_listed(scene: Scene) -> None:
    request = await queued(scene)
    assert "hold nothing" in shown(await scene.ben.slash(scene.desk, "desk mine"))
    await press(scene, scene.ben, f"claim:{request.id}")
    mine = shown(await scene.ben.slash(scene.desk, "desk mine"))
    assert request.reference in mine
    assert "claimed until <t:" in mine
    assert "hold nothing" in shown(await scene.cleo.slash(scene.desk, "desk mine"))


async def suggested(scene: Scene, who: Any, command: str, typed: str) -> list[str]:
    choices = await who.autocomplete(scene.desk, command, "request", typed)
    return [choice["value"] for choice in choices]


async def test_what_can_be_claimed_or_given_back_is_suggested_to_staff_only(scene: Scene) -> None:
    request = await queued(scene, "Printer 😀" + "x" * 90)
    reference = request.reference
    assert await suggested(scene, scene.ben, "desk claim", "") == [reference]
    assert await suggested(scene, scene.ben, "desk claim", "PRINT") == [reference]
    assert await suggested(scene, scene.ben, "desk claim", reference[:2].lower()) == [reference]
    assert await suggested(scene, scene.ben, "desk claim", "scanner") == []
    assert await suggested(scene, scene.ben, "desk release", "") == []
    await press(scene, scene.ben, f"claim:{request.id}")
    assert await suggested(scene, scene.ben, "desk claim", "") == []
    assert await suggested(scene, scene.ben, "desk release", "") == [reference]
    assert await suggested(scene, scene.ben, "desk extend", "") == [reference]
    assert await suggested(scene, scene.cleo, "desk release", "") == []


async def test_a_stranger_is_suggested_nothing(scene: Scene) -> None:
    await queued(scene)
    scene.env.backend.remove_member_role(scene.guild.id, scene.ben.id, scene.coordinators.id)
    choices = await scene.ada.autocomplete(scene.general, "desk claim", "request", "")
    assert choices == []


async def test_an_organizer_acts_without_the_coordinators_role(scene: Scene) -> None:
    request = await queued(scene)
    assert "is yours" in shown(await press(scene, scene.owner, f"claim:{request.id}"))
    assert not isinstance((await scene.newest()).state, Queued)
    assert custom_ids(await scene.owner.slash(scene.desk, "desk mine")) == []
