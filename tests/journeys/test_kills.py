"""SIGKILL at any point: after the restart exactly one DM, and nobody has to look."""

import signal

import pytest

from tests.journeys.test_lost_answers import check_one_dm, claimed, to_ada
from tests.journeys.town import MESSAGES, OPEN_DM, Town


@pytest.mark.parametrize(
    "point",
    [
        "before:claim",
        "after:claim",
        "before:start_open",
        "after:start_open",
        "after:dm_channel",
        "before:dm_opened",
        "after:dm_opened",
    ],
)
async def test_a_death_at_a_commit_leaves_one_dm_after_the_restart(town: Town, point: str) -> None:
    process = await town.serve(program="tests.journeys.killable", env={"KILL_AT": point})
    await town.set_up_desk()
    await town.ask(town.ada)
    card = await town.card()
    pressed = town.ben.click(card, "Claim")
    await process.wait()
    assert process.exit_code == -signal.SIGKILL
    await town.serve()
    if point == "before:claim":
        # The claim was never made and never answered; Ben presses again.
        assert (await pressed.first_answer()).seen == "no answer"
        await town.ben.click(card, "Claim").first_answer()
    await check_one_dm(town)


@pytest.mark.parametrize("where", ["hold_before", "hold_after"])
@pytest.mark.parametrize("route", [MESSAGES, OPEN_DM])
async def test_a_death_during_a_call_leaves_one_dm_after_the_restart(
    town: Town, where: str, route: str
) -> None:
    process = await town.serve()
    await town.set_up_desk()
    fault = town.sandbox.faults.add(route, where, when=to_ada(town) if route == MESSAGES else None)
    await claimed(town)
    await fault.reached.wait()
    await process.kill()
    fault.abandon()
    await town.serve()
    await check_one_dm(town)


async def test_a_death_while_the_card_or_the_thread_is_made_leaves_one_of_each(
    town: Town,
) -> None:
    process = await town.serve()
    await town.set_up_desk()
    fault = town.sandbox.faults.add(MESSAGES, "hold_after")
    await town.ask(town.ada)
    await fault.reached.wait()
    await process.kill()
    fault.abandon()
    process = await town.serve()
    await town.until(lambda: town.rows("SELECT 1 FROM card WHERE message_id IS NOT NULL"))
    assert len(town.cards()) == 1
    fault = town.sandbox.faults.add(
        "POST /channels/{channel_id}/messages/{message_id}/threads", "hold_after"
    )
    await town.ben.click(town.cards()[0], "Claim").first_answer()
    await fault.reached.wait()
    await process.kill()
    fault.abandon()
    await town.serve()
    await check_one_dm(town)
    await town.until(lambda: town.rows("SELECT 1 FROM card WHERE thread = 'made'"))
    assert len(town.guild.threads) == 1


async def test_after_the_nonce_window_history_is_read_and_nothing_sent_blindly(
    town: Town,
) -> None:
    # With the shortest window allowed, a restart after the lease comes too late for the nonce.
    settings = {"DELIVERY__NONCE_WINDOW_SECONDS": "15", "WORKER__LEASE_SECONDS": "6"}
    process = await town.serve(settings)
    await town.set_up_desk()
    fault = town.sandbox.faults.add(MESSAGES, "hold_after", when=to_ada(town))
    await claimed(town)
    await fault.reached.wait()
    await process.kill()
    fault.abandon()
    await town.serve(settings)
    await check_one_dm(town)
    posts = [
        exchange for exchange in town.sandbox.truth.requests(MESSAGES) if to_ada(town)(exchange)
    ]
    assert len(posts) == 1
    reads = [
        exchange
        for exchange in town.sandbox.truth.requests("GET /channels/{channel_id}/messages")
        if to_ada(town)(exchange)
    ]
    assert reads


async def test_a_second_process_stands_by_and_takes_over_after_a_death(town: Town) -> None:
    first = await town.serve()
    await town.set_up_desk()
    second = await town.start()
    await town.until(lambda: second.logged("standing_by"), second)
    await claimed(town)
    await check_one_dm(town)
    await first.kill()
    await town.until(lambda: second.logged("gateway_ready"), second)
    await town.cleo.command("help", town.general, topic="Scanner").first_answer()
    await town.until(lambda: len(town.cards()) == 2)
    await town.ben.click(town.cards()[1], "Claim").first_answer()
    await town.until(lambda: town.states() == ["active", "active"])
    assert len(town.dms(town.cleo)) == 1
    assert await second.stop() == 0


async def test_a_process_that_was_stopped_and_goes_on_posts_at_most_one_too_many(
    town: Town,
) -> None:
    first = await town.serve()
    await town.set_up_desk()
    fault = town.sandbox.faults.add(OPEN_DM, "hold_before")
    await claimed(town)
    await fault.reached.wait()
    await first.pause(town.database)
    fault.release()
    second = await town.serve()
    await check_one_dm(town)
    first.signal(signal.SIGCONT)
    assert await first.wait() == 1
    assert "another process delivers" in first.said()
    assert len(town.dms(town.ada)) == 1
    assert await second.stop() == 0


async def test_a_late_post_of_a_stopped_process_is_found_deleted_and_counted(
    town: Town,
) -> None:
    """The request has left before the stop, and takes effect only after the other has settled."""
    settings = {"DELIVERY__NONCE_WINDOW_SECONDS": "15", "WORKER__LEASE_SECONDS": "6"}
    first = await town.serve(settings)
    await town.set_up_desk()
    fault = town.sandbox.faults.add(MESSAGES, "hold_before", when=to_ada(town))
    await claimed(town)
    await fault.reached.wait()
    await first.pause(town.database)
    second = await town.serve(settings)
    await town.until(lambda: town.states() == ["active"])
    fault.release()
    await town.until(lambda: town.rows("SELECT 1 FROM extra_message WHERE deleted_at IS NOT NULL"))
    first.signal(signal.SIGCONT)
    assert await first.wait() == 1
    assert len(town.dms(town.ada)) == 1
    assert len(town.rows("SELECT 1 FROM extra_message")) == 1
    assert await second.stop() == 0
