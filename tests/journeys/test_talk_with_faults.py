"""Two hundred messages while everything that can go wrong does: each arrives once, in order."""

import asyncio
import json
import random

import pytest

from sandbox.truth import Exchange
from tests.bot.command_line import CommandLine
from tests.journeys.talking import Talk, begin
from tests.journeys.town import MESSAGES, Town

NUMBER = 200
KILLED_AT = (50, 100, 150)
SETTINGS = {
    "DELIVERY__NONCE_WINDOW_SECONDS": "15",
    "DELIVERY__DM_MESSAGES_PER_MINUTE": "6000",
}
SENDING = {
    "close_before": {},
    "close_after": {},
    "status_before": {"status": 503},
    "status_after": {"status": 502},
    "hang_before": {"seconds": 0.3},
    "hang_after": {"seconds": 0.3},
    "cut_body": {},
    "html": {},
    "broken_json": {},
    "ratelimit": {"seconds": 0.1},
    "refuse": {},
}
OTHERWISE = ("close_before", "close_after", "status_before", "status_after", "cut_body")


def in_a_channel(exchange: Exchange) -> bool:
    return "/channels/" in exchange.path


def arm(town: Town, seed: int) -> None:
    """From now on about a third of the sends, and a seventh of all else, goes wrong."""
    faults = town.sandbox.faults
    for number, (kind, options) in enumerate(SENDING.items()):
        faults.add(
            MESSAGES,
            kind,
            times=None,
            probability=0.035,
            seed=seed * 100 + number,
            **options,  # type: ignore[arg-type]
        )
    for number, kind in enumerate(OTHERWISE):
        faults.add(
            "*",
            kind,
            times=None,
            when=in_a_channel,
            probability=0.03,
            seed=seed * 100 + 50 + number,
        )


def trouble(town: Town, chance: random.Random) -> None:
    """Sometimes an event comes twice, and sometimes the gateway is gone for a moment."""
    gateway = town.sandbox.gateway
    what = chance.random()
    if what < 0.05:
        gateway.faults.repeat("MESSAGE_CREATE")
    elif what < 0.08:
        gateway.drop()
    elif what < 0.1:
        gateway.forget()
        gateway.drop()


def in_doubt(town: Town) -> set[str]:
    """The keys of all sends whose outcome nobody knew: by the logs, and on disk now."""
    said = (line for process in town.processes for line in process.said().splitlines())
    lines = (json.loads(line) for line in said if line.startswith("{"))
    logged = {line["key"] for line in lines if line.get("outcome") == "Unknown"}
    rows = town.rows("SELECT delivery_key FROM outbox_part WHERE uncertain = 1")
    return logged | {str(row[0]) for row in rows}


def say(talk: Talk, number: int) -> None:
    """The member and the coordinator write in turns."""
    if number % 2:
        talk.coordinator.say(f"desk {number}", talk.thread)
    else:
        talk.member.say(f"member {number}")


@pytest.mark.parametrize("seed", [1])
async def test_two_hundred_messages_with_faults_and_kills_arrive_once_in_order(
    town: Town, seed: int
) -> None:
    chance = random.Random(seed)
    process, talk = await begin(town, SETTINGS)
    arm(town, seed)
    doubts: set[str] = set()
    for number in range(NUMBER):
        say(talk, number)
        trouble(town, chance)
        await asyncio.sleep(0.02)
        if number in KILLED_AT:
            await process.kill()
            doubts |= in_doubt(town)
            process = await town.start(SETTINGS)
    from_member = [f"member {number}" for number in range(0, NUMBER, 2)]
    from_desk = [f"desk {number}" for number in range(1, NUMBER, 2)]
    await talk.both(from_member, from_desk, process)

    doubts |= in_doubt(town)
    needed_a_person = town.rows(
        "SELECT delivery_key FROM outbox_part WHERE person_at IS NOT NULL OR decided_by IS NOT NULL"
    )
    assert len(doubts) >= 10
    assert len(needed_a_person) <= 0.01 * len(doubts)
    status = json.loads(CommandLine(town.folder).run("status", "--json").out)
    assert status["uncertain"] == len(needed_a_person)
    assert status["inbox"] == {"waiting": 0, "set_aside": 0}
