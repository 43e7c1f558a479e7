"""Authors answer what their entry was sent back with, from their DM and from their receipt."""

from typing import Any

import pytest

from domain.entries import Queued
from tests.cogs.conftest import Scene
from tests.cogs.fairground import Fairground, button
from tests.cogs.people import press, shown, submit


@pytest.fixture
async def fair(scene: Scene) -> Fairground:
    """Ada's entry is back with her."""
    fair = await Fairground.begin(scene)
    await fair.nominate(scene.ada)
    card = await fair.take(fair.rex)
    await fair.send(fair.rex, button(card, "Send back"), words="Which wind?")
    assert await fair.state() == "returned"
    return fair


def values(form: Any) -> dict[str, str]:
    """What the fields of a form hold when it opens."""
    parts = [row["component"] for row in form.modal["components"]]
    return {part["custom_id"]: part.get("value", "") for part in parts}


@pytest.mark.parametrize("in_dm", [False, True])
async def test_the_form_begins_with_the_work_and_its_answer_waits_for_a_reviewer(
    fair: Fairground, in_dm: bool
) -> None:
    ada = fair.scene.ada
    form = await press(fair.scene, ada, "answer-entry:1", in_dm=in_dm)
    work = {"title": "Red kite", "url": "https://example.org/kite", "why": "It flies."}
    assert values(form) == {"words": ""} | work
    typed = work | {"words": "A strong one.", "title": "Redder kite"}
    given = await submit(fair.scene, ada, "answer-entry:1", typed, in_dm=in_dm)
    assert given.ephemeral
    assert "waits for a reviewer again" in shown(given)
    entry = await fair.entry()
    assert (entry.state, entry.title) == (Queued(), "Redder kite")
    assert "A strong one." in shown(await fair.take(fair.rita))


async def test_an_answer_that_cannot_be_taken_is_given_back_whole(fair: Fairground) -> None:
    typed = {"words": "A strong one.", "title": "My title", "url": "javascript:x", "why": "Mine"}
    said = shown(await submit(fair.scene, fair.scene.ada, "answer-entry:1", typed))
    assert "no link that can be shown" in said
    assert all(words in said for words in ("A strong one.", "My title", "javascript", "Mine"))
    assert await fair.state() == "returned"


async def test_nobody_answers_for_the_author(fair: Fairground) -> None:
    refused = await press(fair.scene, fair.rex, "answer-entry:1")
    assert refused.modal is None
    assert "Only its author" in shown(refused)
    said = shown(await submit(fair.scene, fair.rex, "answer-entry:1", {"words": "Mine"}))
    assert "Only its author" in said
    assert await fair.state() == "returned"


async def test_an_answer_delivered_twice_or_sent_again_is_one_answer(fair: Fairground) -> None:
    ada = fair.scene.ada
    await submit(fair.scene, ada, "answer-entry:1", {"words": "A strong one."}, times=2)
    revision = (await fair.entry()).revision
    said = shown(await submit(fair.scene, ada, "answer-entry:1", {"words": "Once more."}))
    assert "doesn't wait for an answer" in said
    assert "Once more." in said
    assert "doesn't wait for an answer" in shown(await press(fair.scene, ada, "answer-entry:1"))
    assert (await fair.entry()).revision == revision == 3


@pytest.mark.parametrize("argument", ["", "x", "99", "9" * 30])
async def test_a_forged_answer_changes_nothing(fair: Fairground, argument: str) -> None:
    ada = fair.scene.ada
    assert shown(await press(fair.scene, ada, f"answer-entry:{argument}"))
    assert shown(await submit(fair.scene, ada, f"answer-entry:{argument}", {"words": "x"}))
    assert await fair.state() == "returned"
