"""The member leaves, is banned, or blocks the bot, at any moment: the card says what is so."""

from collections.abc import Callable

import pytest

from sandbox.entities import Message
from sandbox.faults import Fault
from tests.journeys.reading import buttons, words
from tests.journeys.test_lost_answers import to_ada
from tests.journeys.town import MESSAGES, OPEN_DM, Town

INSTEAD = "Open a private thread instead"
GONE = "The member shares no server with Steward any more."
CLOSED = "The member takes no direct messages from this server."

Departure = Callable[[Town], None]


def leaves(town: Town) -> None:
    town.ada.leave(town.guild)


def is_banned(town: Town) -> None:
    town.sandbox.world.ban(town.ada.user, town.guild)


def blocks(town: Town) -> None:
    town.ada.block_bot()


def comes_back(town: Town) -> None:
    """Undo whichever it was."""
    world = town.sandbox.world
    if town.ada.id in town.guild.bans:
        world.unban(town.ada.user, town.guild)
    town.ada.join(town.guild)
    town.ada.unblock_bot()


async def check_waits(town: Town, card: Message, problem: str, offered: list[str]) -> None:
    """The request waits, its card says why, and nothing is tried until a person acts."""
    await town.until(lambda: problem in words(town, card))
    assert town.states() == ["queued"]
    assert buttons(card) == offered
    assert town.dms(town.ada) == []
    assert town.rows("SELECT count(*) FROM delivery WHERE status = 'attempted'") == [(0,)]
    assert town.cards() == [card]
    assert town.sandbox.world.unknown == []


async def check_goes_on(town: Town, card: Message) -> None:
    """They are back, a coordinator tries once more, and the conversation begins."""
    comes_back(town)
    await town.ben.click(card, "Claim").first_answer()
    await town.until(lambda: town.states() == ["active"])
    assert len(town.dms(town.ada)) == 1
    await town.until(lambda: "In conversation with @ben" in words(town, card))


@pytest.mark.parametrize(
    ("departs", "problem", "offered"),
    [
        (leaves, GONE, ["Claim"]),
        (is_banned, GONE, ["Claim"]),
        (blocks, CLOSED, ["Claim", INSTEAD]),
    ],
)
async def test_who_is_out_of_reach_while_waiting_keeps_their_request(
    town: Town, departs: Departure, problem: str, offered: list[str]
) -> None:
    await town.serve()
    await town.set_up_desk()
    await town.ask(town.ada)
    card = await town.card()
    departs(town)
    await town.ben.click(card, "Claim").first_answer()
    await check_waits(town, card, problem, offered)
    await check_goes_on(town, card)


@pytest.mark.parametrize(
    ("moment", "departs", "problem", "offered"),
    [
        (OPEN_DM, leaves, GONE, ["Claim"]),
        (MESSAGES, is_banned, GONE, ["Claim"]),
        (MESSAGES, blocks, CLOSED, ["Claim", INSTEAD]),
    ],
)
async def test_who_is_out_of_reach_as_the_message_leaves_keeps_their_request(
    town: Town, moment: str, departs: Departure, problem: str, offered: list[str]
) -> None:
    await town.serve()
    await town.set_up_desk()
    await town.ask(town.ada)
    card = await town.card()
    fault: Fault = town.sandbox.faults.add(
        moment, "hold_before", when=to_ada(town) if moment == MESSAGES else None
    )
    await town.ben.click(card, "Claim").first_answer()
    await fault.reached.wait()
    departs(town)
    fault.release()
    await check_waits(town, card, problem, offered)
    await check_goes_on(town, card)


async def test_a_message_that_arrived_before_they_left_is_found_in_the_history(town: Town) -> None:
    settings = {"DELIVERY__NONCE_WINDOW_SECONDS": "15", "WORKER__LEASE_SECONDS": "6"}
    await town.serve(settings)
    await town.set_up_desk()
    await town.ask(town.ada)
    card = await town.card()
    town.sandbox.gateway.faults.lose("MESSAGE_CREATE", times=5)
    fault = town.sandbox.faults.add(MESSAGES, "hold_after", when=to_ada(town))
    await town.ben.click(card, "Claim").first_answer()
    await fault.reached.wait()
    leaves(town)
    # Discord may refuse the repeats before it looks at their nonce: no word about the first.
    refused = town.sandbox.faults.add(MESSAGES, "error", code=50278, times=None, when=to_ada(town))
    fault.abandon()
    await town.until(refused.reached.is_set)
    await town.until(lambda: town.states() == ["active"])
    assert len(town.dms(town.ada)) == 1
    assert town.rows("SELECT count(*) FROM delivery WHERE uncertain = 1") == [(0,)]


@pytest.mark.parametrize("departs", [leaves, blocks])
async def test_who_leaves_a_conversation_can_still_end_it(town: Town, departs: Departure) -> None:
    await town.serve()
    await town.set_up_desk()
    await town.ask(town.ada)
    card = await town.card()
    await town.ben.click(card, "Claim").first_answer()
    await town.until(lambda: "In conversation with @ben" in words(town, card))
    departs(town)
    (first,) = town.dms(town.ada)
    shown = town.ada.command("requests")
    await shown.first_answer()
    await town.until(lambda: shown.messages)
    assert "A coordinator has it. You talk in" in words(town, shown.messages[0])
    ended = await town.ada.click(first, "End conversation").first_answer()
    assert "has ended" in ended.content
    assert town.states() == ["resolved"]
    await town.until(lambda: "Resolved" in words(town, card))
    assert buttons(card) == []


async def test_who_leaves_before_the_private_thread_is_out_of_its_reach_too(town: Town) -> None:
    help_channel = town.sandbox.world.add_channel(town.guild, "help")
    await town.serve()
    await town.set_up_desk(help_channel=help_channel)
    town.ada.close_dms()
    await town.ask(town.ada)
    card = await town.card()
    await town.ben.click(card, "Claim").first_answer()
    await town.until(lambda: INSTEAD in buttons(card))
    leaves(town)
    await town.ben.click(card, INSTEAD).first_answer()
    await check_waits(town, card, "or they have left", ["Claim"])
    # Back in the server, the thread takes her in, and there is but one.
    town.ada.join(town.guild)
    await town.ben.click(card, "Claim").first_answer()
    await town.until(lambda: town.states() == ["active"])
    threads = [town.sandbox.world.channels[one] for one in town.guild.threads]
    (private,) = [one for one in threads if one.parent_id == help_channel.id]
    assert len([one for one in town.ada.view(private) if "End conversation" in buttons(one)]) == 1


async def test_who_left_can_withdraw_from_their_dm(town: Town) -> None:
    await town.serve()
    await town.set_up_desk()
    await town.ask(town.ada)
    card = await town.card()
    leaves(town)
    shown = town.ada.command("requests")
    await shown.first_answer()
    await town.until(lambda: shown.messages)
    pressed = town.ada.click(shown.messages[0], "Withdraw")
    await pressed.first_answer()
    await town.until(lambda: town.states() == ["withdrawn"])
    await town.until(lambda: "Withdrawn by the member" in words(town, card))
    assert buttons(card) == []
