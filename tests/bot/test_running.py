"""`steward run` as a process against a loopback Discord: how it ends, and what it leaves behind."""

import asyncio
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.journeys.town import MESSAGES, Process, Town
from tests.journeys.town import town as open_town

PROMISED_SECONDS = 10
OTHER_TOKEN = "MTIz.abcdef.0123456789012345678901234567"


@pytest.fixture
async def town(tmp_path: Path) -> AsyncIterator[Town]:
    """A town that nobody serves yet."""
    async with open_town(tmp_path) as made:
        yield made


async def ends(process: Process) -> int | None:
    """The exit code, within what is promised after a signal."""
    async with asyncio.timeout(PROMISED_SECONDS):
        return await process.wait()


def complaint(process: Process) -> str:
    """The one line for the person who runs it."""
    (line,) = [line for line in process.said().splitlines() if not line.startswith("{")]
    assert line.startswith("steward: ")
    return line


def lease(town: Town) -> tuple[object, ...]:
    (row,) = town.rows("SELECT owner, lease_until, connected FROM runtime_lease")
    return row


def is_free(town: Town) -> bool:
    _, until, connected = lease(town)
    assert isinstance(until, int)
    return until <= time.time_ns() // 1_000_000 and connected == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_a_connected_process_and_gives_the_lease_back(
    town: Town, number: int
) -> None:
    process = await town.serve({"WORKER__LEASE_SECONDS": "3600"})
    assert not is_free(town)
    process.signal(number)
    assert await ends(process) == 0
    assert is_free(town)
    assert town.sandbox.gateway.connected == 0
    # The lease had an hour to run; the next process need not wait for it.
    await town.serve()


async def test_a_signal_ends_a_process_that_can_not_reach_discord(town: Town) -> None:
    await town.sandbox.stop()
    process = await town.start()
    await town.until(lambda: process.logged("discord_unreachable"), process)
    process.signal(signal.SIGTERM)
    assert await ends(process) == 0


async def test_a_signal_ends_a_process_whose_discord_has_gone(town: Town) -> None:
    process = await town.serve()
    await town.sandbox.stop()
    process.signal(signal.SIGTERM)
    assert await ends(process) == 0
    assert is_free(town)


async def test_a_signal_ends_a_process_that_stands_by_and_leaves_the_other_alone(
    town: Town,
) -> None:
    first = await town.serve()
    owner = lease(town)[0]
    second = await town.start()
    await town.until(lambda: second.logged("standing_by"), second)
    second.signal(signal.SIGTERM)
    assert await ends(second) == 0
    assert lease(town)[0] == owner
    assert not first.ended


async def test_a_standby_takes_over_from_a_process_that_was_killed(town: Town) -> None:
    first = await town.serve()
    second = await town.start()
    await town.until(lambda: second.logged("standing_by"), second)
    await first.kill()
    await town.until(lambda: second.logged("gateway_ready"), second)
    assert town.rows("SELECT count(*) FROM runtime_lease") == [(1,)]


async def test_a_call_under_way_at_the_signal_is_on_disk_as_in_doubt_and_settled_after(
    town: Town,
) -> None:
    process = await town.serve()
    await town.set_up_desk()
    held = town.sandbox.faults.add(MESSAGES, "hold_after")
    await town.ask(town.ada)
    async with asyncio.timeout(PROMISED_SECONDS):
        await held.reached.wait()
    process.signal(signal.SIGTERM)
    assert await ends(process) == 0
    held.abandon()
    assert is_free(town)
    # The card is at the desk, as its echo may have told.
    (state,) = town.rows("SELECT state, uncertain FROM outbox_part")
    assert state in {("pending", 1), ("sent", 0)}
    await town.serve()
    await town.until(lambda: town.rows("SELECT state FROM outbox_part") == [("sent",)])
    assert len(town.cards()) == 1


async def test_a_refused_token_is_one_line_and_exit_1(town: Town) -> None:
    process = await town.start(env={"STEWARD_DISCORD__TOKEN": OTHER_TOKEN})
    assert await process.wait() == 1
    assert "discord.token" in complaint(process)
    assert OTHER_TOKEN not in process.said()
    assert "Traceback" not in process.said()


@pytest.mark.parametrize(("code", "word"), [(4014, "privileged intents"), (4004, "token")])
async def test_a_gateway_that_refuses_the_application_ends_the_process_with_one_line(
    town: Town, code: int, word: str
) -> None:
    # Without the message-content intent there is none left that Steward could go without.
    town.sandbox.world.privileged = 0
    process = await town.serve({"WORKER__LEASE_SECONDS": "3600"})
    town.sandbox.gateway.drop(code)
    assert await process.wait() == 1
    assert word in complaint(process)
    assert "Traceback" not in process.said()
    assert is_free(town)


async def test_a_gateway_that_merely_closes_is_connected_to_again(town: Town) -> None:
    process = await town.serve()
    town.sandbox.gateway.drop(4000)
    await town.until(
        lambda: process.logged("gateway_resumed") or process.said().count("gateway_ready") > 1,
        process,
    )
    await town.until(lambda: lease(town)[2] == 1)
    assert not process.ended
