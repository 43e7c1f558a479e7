"""Members ask for help: by topic, by form, twice, and after a restart."""

from dataclasses import replace
from typing import Any

import pytest

from bot.app import StewardBot
from bot.services.requests import RequestRules
from tests.cogs.conftest import Scene
from tests.cogs.people import press, shown, submit


async def test_a_member_asks_at_once_and_gets_a_receipt(scene: Scene) -> None:
    await scene.set_up()
    result = await scene.ask(scene.ada, "Printer on fire")
    request = await scene.newest()
    assert result.ephemeral
    assert request.reference in shown(result)
    assert "You are next" in shown(result)
    assert "direct messages from this server open" in shown(result)
    assert (request.topic, request.member_id, request.state_name) == (
        "Printer on fire",
        scene.ada.id,
        "queued",
    )


async def test_the_receipt_says_how_many_wait_before(scene: Scene) -> None:
    await scene.set_up()
    asked = []
    for name in ("dan", "eva", "flo"):
        member = scene.guild.add_member(scene.env.create_user(name))
        asked.append(shown(await scene.ask(member)))
    assert [("You are next" in asked[0]), ("1 before" in asked[1]), ("2 before" in asked[2])] == [
        True,
        True,
        True,
    ]


async def test_without_a_topic_a_form_is_shown_and_its_submit_asks(scene: Scene) -> None:
    await scene.set_up()
    form = await scene.ada.slash(scene.general, "help")
    assert form.modal is not None
    result = await scene.ada.submit_modal(form, {"topic": "Printer", "details": "It smokes"})
    request = await scene.newest()
    assert request.reference in shown(result)
    assert (request.topic, request.details) == ("Printer", "It smokes")


async def test_two_people_with_the_form_open_do_not_mix(scene: Scene) -> None:
    await scene.set_up()
    adas = await scene.ada.slash(scene.general, "help")
    bens = await scene.ben.slash(scene.general, "help")
    await scene.ada.submit_modal(adas, {"topic": "From Ada", "details": ""})
    assert (await scene.newest()).member_id == scene.ada.id
    await scene.ben.submit_modal(bens, {"topic": "From Ben", "details": ""})
    newest = await scene.newest()
    assert (newest.member_id, newest.topic) == (scene.ben.id, "From Ben")


async def test_a_form_that_was_open_during_a_restart_still_asks(scene: Scene) -> None:
    await scene.set_up()
    form = await scene.ada.slash(scene.general, "help")
    restarted = StewardBot(scene.bot.services, scene.clock)
    await scene.env.restart_bot(restarted)
    result = await scene.ada.submit_modal(form, {"topic": "Printer", "details": "It smokes"})
    assert (await scene.newest()).details == "It smokes"
    assert "You are next" in shown(result)


async def test_the_same_submit_delivered_twice_is_one_request(scene: Scene) -> None:
    await scene.set_up()
    await submit(scene, scene.ada, "help:1", {"topic": "Printer"}, times=3)
    assert await scene.states() == ["queued"]


async def test_a_second_request_is_refused_and_every_word_given_back(scene: Scene) -> None:
    await scene.set_up()
    await scene.ask(scene.ada)
    first = await scene.newest()
    details = "word " * 399 + "end."
    form = {"topic": "Scanner", "details": details}
    result = await submit(scene, scene.ada, "help:1", form)
    assert first.reference in shown(result)
    assert "Scanner" in shown(result)
    assert details in shown(result)
    assert await scene.states() == ["queued"]


async def test_the_form_is_not_shown_to_who_could_not_ask(scene: Scene) -> None:
    without_desk = await scene.ada.slash(scene.general, "help")
    assert without_desk.modal is None
    assert "no help desk yet" in shown(without_desk)
    await scene.set_up()
    await scene.ask(scene.ada)
    with_an_open_one = await scene.ada.slash(scene.general, "help")
    assert with_an_open_one.modal is None
    assert "already have an open request" in shown(with_an_open_one)


async def test_what_is_given_back_breaks_out_of_nothing(scene: Scene) -> None:
    await scene.set_up()
    await scene.ask(scene.ada)
    hostile = {"topic": "<@1> **x**", "details": "# [x](http://y)\n```\n@everyone"}
    result = await submit(scene, scene.ada, "help:1", hostile)
    for forged in ("<@1>", "**x**", "](http", "```"):
        assert forged not in shown(result)


@pytest.mark.parametrize("topic", ["\u200b", " ", "\u202e\u2066", "\u0301"])
async def test_a_topic_with_nothing_to_read_is_refused(scene: Scene, topic: str) -> None:
    await scene.set_up()
    result = await submit(scene, scene.ada, "help:1", {"topic": topic})
    assert "no readable text" in shown(result)
    assert await scene.states() == []


async def test_asking_works_in_a_server_only(scene: Scene) -> None:
    await scene.set_up()
    for result in (
        await submit(scene, scene.ada, "help:1", {"topic": "Printer"}, in_dm=True),
        await press(scene, scene.ada, "ask:panel", in_dm=True),
    ):
        assert "works in a server" in shown(result)
    assert await scene.states() == []


async def test_the_panels_button_shows_the_form(scene: Scene) -> None:
    await scene.set_up()
    result = await press(scene, scene.ada, "ask:panel")
    assert result.modal is not None
    assert [row["component"]["custom_id"] for row in result.modal["components"]] == [
        "topic",
        "details",
    ]


async def test_where_the_desk_answers_in_threads_the_receipt_says_so(scene: Scene) -> None:
    await scene.set_up(help_channel=scene.general, route="thread")
    assert "in a private thread" in shown(await scene.ask(scene.ada))


class TestCooldown:
    @pytest.fixture
    def rules(self) -> RequestRules:
        return replace(RequestRules(), cooldown_ms=60_000)

    async def test_a_member_waits_between_requests(self, scene: Scene) -> None:
        await scene.set_up()
        await scene.ask(scene.ada)
        first: Any = await scene.newest()
        await scene.bot.services.helpdesk.withdraw(first.id, scene.ada.id, scene.clock.now())
        refused = await scene.ask(scene.ada)
        assert f"<t:{(scene.clock.now() + 60_000) // 1000}:R>" in shown(refused)
        scene.clock.advance(60_000)
        await scene.ask(scene.ada)
        assert await scene.states() == ["withdrawn", "queued"]


class TestSeveralOpenRequests:
    @pytest.fixture
    def rules(self) -> RequestRules:
        return replace(RequestRules(), max_open_per_member=2)

    async def test_a_member_has_as_many_open_requests_as_the_setting_allows(
        self, scene: Scene
    ) -> None:
        await scene.set_up()
        await scene.ask(scene.ada, "Printer")
        await scene.ask(scene.ada, "Scanner")
        refused = await scene.ask(scene.ada, "Lamp")
        assert "already have an open request" in shown(refused)
        assert "Lamp" in shown(refused)
        assert await scene.states() == ["queued", "queued"]
        latest: Any = await scene.newest()
        await scene.bot.services.helpdesk.withdraw(latest.id, scene.ada.id, scene.clock.now())
        await scene.ask(scene.ada, "Lamp")
        assert await scene.states() == ["queued", "withdrawn", "queued"]
