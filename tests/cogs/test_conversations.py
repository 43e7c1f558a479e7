"""Conversations are resolved, handed over, given back and taken, by button and by command."""

from typing import Any

import pytest

from bot.words.cards import request_card
from domain.requests import Active, Resolved
from storage import conversations, requests
from tests.cogs.conftest import Scene
from tests.cogs.people import press, submit
from tests.cogs.people import shown as words


async def in_conversation(scene: Scene, owner: Any) -> Any:
    """Ada's request, in conversation with `owner` as the worker leaves it."""
    await scene.set_up()
    await scene.ask(scene.ada)
    request = await scene.newest()

    def begin(connection: Any) -> None:
        connection.execute(
            "UPDATE request SET state = 'active', attempts = 1, owner_id = ?,"
            " conversation_id = 'talk' WHERE id = ?",
            (owner.id, request.id),
        )
        conversations.open_(
            connection, conversation_id="talk", request=request, channel_id=77, now=1
        )
        conversations.put_thread(connection, request.id, 88)
        connection.execute(
            "INSERT INTO person VALUES (?, ?, 'Ben')", (request.guild_id, scene.ben.id)
        )

    await scene.database.write(begin)
    return await scene.newest()


async def said(scene: Scene) -> list[tuple[int, str]]:
    """What is planned to be said at the end, and where."""
    return await scene.database.read(
        lambda connection: connection.execute(
            "SELECT destination, payload FROM outbox_part WHERE kind = 'ended' ORDER BY ordinal"
        ).fetchall()
    )


async def test_the_owner_resolves_with_words_that_both_sides_read(scene: Scene) -> None:
    request = await in_conversation(scene, scene.ben)
    form = await press(scene, scene.ben, f"resolve:{request.id}")
    result = await scene.ben.submit_modal(form, {"resolution": "New toner"})
    assert "is resolved" in words(result)
    ended = await scene.newest()
    assert ended.state == Resolved(
        owner_id=scene.ben.id, conversation_id="talk", resolution="New toner"
    )
    planned = await said(scene)
    assert [where for where, _ in planned] == [77, 88]
    assert all("New toner" in payload for _, payload in planned)
    again = await submit(scene, scene.ben, f"resolve:{request.id}:1", {"resolution": "Twice"})
    assert "isn't in a state for that" in words(again)
    for prefix in ("resolve", "handover"):
        stale = await press(scene, scene.ben, f"{prefix}:{request.id}")
        assert stale.modal is None
        assert "isn't in a state for that" in words(stale)
    assert len(await said(scene)) == 2


async def test_somebody_else_is_told_whose_it_is_before_they_type(scene: Scene) -> None:
    request = await in_conversation(scene, scene.ben)
    for prefix in ("resolve", "handover"):
        result = await press(scene, scene.cleo, f"{prefix}:{request.id}")
        assert result.modal is None
        assert "belongs to Ben" in words(result)


async def test_a_blank_resolution_is_refused(scene: Scene) -> None:
    request = await in_conversation(scene, scene.ben)
    form = await press(scene, scene.ben, f"resolve:{request.id}")
    result = await scene.ben.submit_modal(form, {"resolution": "\u200b \u2060"})
    assert "no readable text" in words(result)
    assert (await scene.newest()).state_name == "active"


async def test_a_conversation_is_handed_over_by_command_to_a_coordinator_only(
    scene: Scene,
) -> None:
    request = await in_conversation(scene, scene.ben)
    refused = await scene.ben.slash(
        scene.general, "desk hand-over", request=request.reference, to=scene.ada
    )
    assert "isn't a coordinator" in words(refused)
    moved = await scene.ben.slash(
        scene.general, "desk hand-over", request=request.reference, to=scene.cleo
    )
    assert "belongs to" in words(moved)
    assert (await scene.newest()).state == Active(
        attempts=1, owner_id=scene.cleo.id, conversation_id="talk"
    )
    by_organizer = await scene.owner.slash(
        scene.general, "desk hand-over", request=request.reference, to=scene.ben
    )
    assert "belongs to" in words(by_organizer)


async def test_a_conversation_is_given_back_and_taken_by_one(scene: Scene) -> None:
    request = await in_conversation(scene, scene.ben)
    given = await scene.ben.slash(scene.general, "desk release", request=request.reference)
    assert "waits for somebody" in words(given)
    free = await scene.newest()
    assert free.state == Active(attempts=1, owner_id=None, conversation_id="talk")
    card = request_card(free, locale="en", owner_name=None, max_attempts=5)
    assert [button.label for button in card.buttons] == ["Take"]
    taken = await press(scene, scene.cleo, f"take:{request.id}")
    assert "is yours" in words(taken)
    late = await press(scene, scene.ben, f"take:{request.id}")
    assert "cleo has this request" in words(late)


async def test_a_member_cannot_take_their_own_conversation(scene: Scene) -> None:
    request = await in_conversation(scene, scene.ben)
    await scene.ben.slash(scene.general, "desk release", request=request.reference)

    def as_ben(connection: Any) -> None:
        connection.execute("UPDATE request SET member_id = ?", (scene.cleo.id,))

    await scene.database.write(as_ben)
    assert "your own request" in words(await press(scene, scene.cleo, f"take:{request.id}"))


@pytest.mark.parametrize("command", ["resolve", "take"])
async def test_commands_about_nothing_say_so(scene: Scene, command: str) -> None:
    await scene.set_up()
    result = await scene.ben.slash(scene.general, f"desk {command}", request="ZZZZZ")
    assert "no such request" in words(result)


async def test_the_history_tells_who_did_what(scene: Scene) -> None:
    request = await in_conversation(scene, scene.ben)
    await scene.ben.slash(scene.general, "desk hand-over", request=request.reference, to=scene.cleo)
    rows = await scene.database.read(lambda connection: requests.history(connection, request.id))
    assert (rows[-1].event, rows[-1].actor_id) == ("hand_over", scene.ben.id)
