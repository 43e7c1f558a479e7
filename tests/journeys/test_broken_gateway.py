"""The gateway drops, forgets, repeats and garbles: members are served on, and once."""

from collections.abc import Callable

import pytest

from sandbox.gateway import Gateway
from tests.journeys.reading import words
from tests.journeys.test_lost_answers import check_one_dm, claimed
from tests.journeys.town import Process, Town


def sessions(process: Process) -> int:
    """How many times the bot has begun, or taken up again, a gateway session."""
    said = process.said()
    return said.count('"gateway_ready"') + said.count('"gateway_resumed"')


def forgets(gateway: Gateway) -> None:
    """The session is gone: it can't be taken up again."""
    gateway.forget()
    gateway.drop()


def garbles(gateway: Gateway) -> None:
    gateway.send_raw("{ this is no frame")


@pytest.mark.parametrize(
    "breaks", [Gateway.drop, Gateway.reconnect, Gateway.invalidate, forgets, garbles]
)
async def test_a_broken_gateway_is_joined_again_and_a_request_goes_on(
    town: Town, breaks: Callable[[Gateway], None]
) -> None:
    process = await town.serve()
    await town.set_up_desk()
    asked = await town.ask(town.ada)
    await town.until(lambda: asked.messages)
    card = await town.card()
    before = sessions(process)
    breaks(town.sandbox.gateway)
    await town.until(lambda: sessions(process) > before, process)
    await town.ben.click(card, "Claim").first_answer()
    await check_one_dm(town)
    assert len(town.cards()) == 1
    assert await process.stop() == 0


async def test_a_connection_lost_between_a_claim_and_the_echo_makes_one_dm(town: Town) -> None:
    process = await town.serve()
    await town.set_up_desk()
    before = sessions(process)
    town.sandbox.gateway.faults.drop_after("INTERACTION_CREATE", times=2)
    await claimed(town)
    await check_one_dm(town)
    await town.until(lambda: sessions(process) > before)
    assert len(town.cards()) == 1


async def test_an_interaction_told_twice_is_one_request_and_one_receipt(town: Town) -> None:
    await town.serve()
    await town.set_up_desk()
    faults = town.sandbox.gateway.faults
    faults.repeat("INTERACTION_CREATE")
    asked = await town.ask(town.ada)
    await town.until(lambda: asked.messages)
    card = await town.card()
    faults.repeat("INTERACTION_CREATE")
    pressed = await town.ben.click(card, "Claim").first_answer()
    assert "is yours" in pressed.content
    await check_one_dm(town)
    assert len(asked.messages) == 1
    assert "Waiting for a coordinator" in words(town, asked.messages[0])
    assert len(town.cards()) == 1
    claims = town.rows("SELECT count(*) FROM request_event WHERE event = 'claim'")
    assert claims == [(1,)]
    (reply,) = [one for one in town.ben.view(town.desk) if one.visible_to == town.ben.id]
    assert "is yours" in reply.content


async def test_an_event_that_is_garbled_costs_that_event_alone(town: Town) -> None:
    process = await town.serve()
    await town.set_up_desk()
    before = sessions(process)
    town.sandbox.gateway.faults.malform("INTERACTION_CREATE")
    lost = town.ada.command("help", town.general, topic="Printer")
    await town.until(lambda: sessions(process) > before, process)
    asked = await town.ask(town.cleo, "Scanner")
    await town.until(lambda: asked.messages)
    assert "Scanner" in words(town, await town.card())
    # Discord may tell it again to the session taken up: who has a receipt has a request.
    first = await lost.first_answer()
    asked_by_ada = f"SELECT count(*) FROM request WHERE member_id = {town.ada.id}"
    ((kept,),) = town.rows(asked_by_ada)
    assert kept == 1 or (kept == 0 and first.seen == "no answer")


async def test_a_form_that_is_open_through_a_restart_is_not_lost(town: Town) -> None:
    process = await town.serve()
    await town.set_up_desk()
    shown = town.ada.command("help", town.general)
    await shown.first_answer()
    assert shown.modal is not None
    await process.kill()
    typed = {"topic": "Printer", "details": "It smells of *smoke*."}
    unheard = await town.ada.submit(shown, typed).first_answer()
    assert unheard.seen == "no answer"
    assert town.states() == []
    # The form stays on her screen; she sends it again to the next process.
    await town.serve()
    sent = town.ada.submit(shown, typed)
    await sent.first_answer()
    await town.until(lambda: sent.messages)
    assert "Waiting for a coordinator" in words(town, sent.messages[0])
    card = await town.card()
    assert "Printer" in words(town, card)
    assert "It smells of *smoke*." in words(town, card)
    assert town.states() == ["queued"]


async def test_a_start_whose_gateway_is_not_named_is_tried_again(town: Town) -> None:
    town.sandbox.faults.add("GET /gateway/bot", "status_before", status=400, times=2)
    process = await town.serve()
    assert process.logged("discord_unreachable")
    assert await process.stop() == 0
