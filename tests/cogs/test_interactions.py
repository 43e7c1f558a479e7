"""The one door: whatever is pressed or sent in, and whatever breaks, a person gets a sentence."""

import logging
from typing import Any

import pytest

from bot.app import EXTENSIONS
from tests.cogs.conftest import Scene
from tests.cogs.people import press, run_command, shown, submit, suggest


@pytest.mark.parametrize(
    "custom_id",
    [
        "nobody:1",
        "",
        ":",
        "claim",
        "claim:",
        "claim:x",
        "claim:-1",
        "claim:1:2",
        "claim:٣",
        "claim: 1",
        "claim:" + "9" * 19,
        "claim:" + "9" * 90,
        "queue:" + "9" * 20,
        "end::key",
        "withdraw:1;DROP TABLE request",
        "setup:" + "a" * 90,
    ],
)
async def test_a_forged_or_outdated_button_is_answered_calmly(scene: Scene, custom_id: str) -> None:
    await scene.set_up()
    result = await press(scene, scene.ben, custom_id)
    assert "no longer" in shown(result)


async def test_a_button_for_an_unknown_request_says_so(scene: Scene) -> None:
    await scene.set_up()
    largest = 2**63 - 1
    for prefix in ("claim", "release", "extend", "thread", "arrived", "absent", "drop"):
        result = await press(scene, scene.ben, f"{prefix}:{largest}")
        assert "no such request" in shown(result)


async def test_the_desks_buttons_are_refused_where_there_is_no_server(scene: Scene) -> None:
    await scene.set_up()
    await scene.ask(scene.ada)
    request = await scene.newest()
    for prefix in ("claim", "release", "extend", "thread", "arrived", "absent", "drop", "queue"):
        result = await press(scene, scene.ben, f"{prefix}:{request.id}", in_dm=True)
        assert "works in a server" in shown(result)
    assert await scene.states() == ["queued"]


async def test_a_button_of_one_server_does_nothing_in_another(scene: Scene) -> None:
    await scene.set_up()
    await scene.ask(scene.ada)
    request = await scene.newest()
    elsewhere = scene.env.create_guild(name="Elsewhere")
    result = await press(scene, scene.ben, f"claim:{request.id}", guild_id=str(elsewhere.id))
    assert "no help desk" in shown(result)
    assert await scene.states() == ["queued"]


async def test_an_unknown_form_is_answered(scene: Scene) -> None:
    result = await submit(scene, scene.ada, "nobody:1", {"topic": "x"})
    assert "no longer" in shown(result)


async def test_a_form_with_nothing_in_it_is_answered(scene: Scene) -> None:
    await scene.set_up()
    result = await submit(scene, scene.ada, "help:1", {})
    assert "no readable text" in shown(result)
    assert await scene.states() == []


async def test_what_breaks_is_an_apology_whose_reference_is_in_the_log(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def breaks(*_: Any, **__: Any) -> None:
        raise RuntimeError("secret insides")

    await scene.set_up()
    monkeypatch.setattr(scene.bot.services.helpdesk, "ask", breaks)
    result = await scene.ask(scene.ada)
    logged = [record for record in caplog.records if record.message == "interaction_failed"]
    assert len(logged) == 1
    assert logged[0].ref in shown(result)  # type: ignore[attr-defined]
    assert "secret" not in shown(result)


async def test_a_handler_that_breaks_before_its_work_is_an_apology_too(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def breaks(*_: Any) -> None:
        raise RuntimeError("secret insides")

    monkeypatch.setattr(scene.bot.cogs["Help"], "_form", breaks)
    result = await press(scene, scene.ada, "ask:panel")
    (failed,) = [record for record in caplog.records if record.message == "interaction_failed"]
    assert failed.ref in shown(result)  # type: ignore[attr-defined]
    assert "secret" not in shown(result)


@pytest.mark.parametrize(
    "data",
    [
        {"name": "gone"},
        {"name": "desk", "options": [{"name": "gone", "type": 1, "options": []}]},
        {"name": "desk", "options": [{"name": "claim", "type": 1, "options": []}]},
    ],
)
async def test_a_command_that_has_changed_is_answered(scene: Scene, data: dict[str, Any]) -> None:
    result = await run_command(scene, scene.ada, data)
    assert "This command has changed" in shown(result)


async def test_suggestions_for_a_command_that_is_gone_are_logged_and_answered_with_no_words(
    scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    typed = {"name": "request", "type": 3, "value": "A", "focused": True}
    result = await suggest(scene, scene.ada, {"name": "gone", "options": [typed]})
    assert result.response is None
    ours = [record.message for record in caplog.records if record.name.startswith("cogs")]
    assert ours == ["suggestions_failed"]


async def test_a_choice_that_steward_can_not_see_is_answered(scene: Scene) -> None:
    role = {"name": "coordinators", "type": 8, "value": str(scene.coordinators.id)}
    channel = {"name": "channel", "type": 7, "value": "5"}
    chosen = {"name": "setup", "type": 1, "options": [channel, role]}
    result = await run_command(scene, scene.owner, {"name": "desk", "options": [chosen]})
    assert "can't see what you chose" in shown(result)


async def test_an_interaction_that_is_over_changes_nothing_about_what_was_done(
    scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    await scene.set_up()
    caplog.set_level(logging.INFO)
    result = await submit(scene, scene.ada, "help:1", {"topic": "Printer"}, times=2)
    assert (await scene.newest()).reference in shown(result)
    assert await scene.states() == ["queued"]
    over = [record for record in caplog.records if record.message == "answer_not_shown"]
    assert [record.code for record in over] == [40060]  # type: ignore[attr-defined]


async def test_people_are_spoken_to_in_their_language(scene: Scene) -> None:
    await scene.set_up()
    result = await submit(scene, scene.ada, "help:1", {"topic": "Drucker"}, locale="de")
    assert "Du bist als Nächstes dran" in shown(result)
    other = await press(scene, scene.ben, "nobody:1", locale="fr")
    assert "no longer works" in shown(other)


async def test_nobody_is_taken_for_a_stranger_before_the_gateway_has_shown_the_server(
    scene: Scene,
) -> None:
    await scene.set_up()
    await scene.ask(scene.ada)
    request = await scene.newest()
    known = scene.bot._connection._guilds.pop(scene.guild.id)
    result = await press(scene, scene.ben, f"claim:{request.id}")
    assert "just started" in shown(result)
    scene.bot._connection._guilds[scene.guild.id] = known
    await press(scene, scene.ben, f"claim:{request.id}")
    assert await scene.states() == ["claimed"]


async def test_views_and_forms_are_not_kept_in_memory(scene: Scene) -> None:
    await scene.set_up()
    for _ in range(3):
        await scene.ada.slash(scene.general, "help")
        await scene.owner.slash(
            scene.general, "desk setup", channel=scene.desk, coordinators=scene.coordinators
        )
    store = scene.bot._connection._view_store
    assert not store._views
    assert not store._modals


async def test_every_extension_is_loaded(scene: Scene) -> None:
    assert set(EXTENSIONS) == set(scene.bot.extensions)
