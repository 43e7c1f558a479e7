"""People come and go in the middle of a talk, and so does the gateway."""

from collections.abc import Callable

import pytest

from sandbox.entities import Channel
from sandbox.gateway import Gateway
from sandbox.permissions import Permission
from tests.journeys.talking import Talk, begin
from tests.journeys.town import MESSAGES, Town


def takes_role_away(town: Town) -> None:
    """Ben is no coordinator any more."""
    town.sandbox.world.take_role(town.guild.members[town.ben.id], town.coordinators)


def let_ben_see(town: Town) -> None:
    """Ben sees the desk for another reason, too."""
    world = town.sandbox.world
    watchers = world.add_role(town.guild, "Watchers")
    world.set_overwrite(town.desk, watchers, allow=Permission.VIEW_CHANNEL)
    world.give_role(town.guild.members[town.ben.id], watchers)


def posts(town: Town, channel: Channel) -> int:
    """How many messages Steward tried to post there."""
    return sum(
        f"/{channel.id}/" in exchange.path for exchange in town.sandbox.truth.requests(MESSAGES)
    )


def about_ben(talk: Talk) -> list[str]:
    return [one for one in talk.notices(talk.thread) if "only coordinators" in one]


async def test_a_coordinator_whose_role_goes_is_carried_no_further(town: Town) -> None:
    process, talk = await begin(town)
    let_ben_see(town)
    talk.coordinator.say("one", talk.thread)
    await talk.both([], ["one"], process)
    takes_role_away(town)
    talk.coordinator.say("two", talk.thread)
    talk.coordinator.say("three", talk.thread)
    town.cleo.say("four", talk.thread)
    await talk.both([], ["one", "four"], process)
    assert len(about_ben(talk)) == 1
    town.sandbox.world.give_role(town.guild.members[town.ben.id], town.coordinators)
    talk.coordinator.say("five", talk.thread)
    await talk.both([], ["one", "four", "five"], process)


async def test_a_role_that_goes_while_nobody_listens_counts_as_it_is_afterwards(town: Town) -> None:
    process, talk = await begin(town)
    let_ben_see(town)
    await process.stop()
    talk.coordinator.say("one", talk.thread)
    town.cleo.say("two", talk.thread)
    takes_role_away(town)
    process = await town.serve()
    await talk.both([], ["two"], process)
    assert len(about_ben(talk)) == 1


def leaves(town: Town) -> None:
    town.ada.leave(town.guild)


def is_banned(town: Town) -> None:
    town.sandbox.world.ban(town.ada.user, town.guild)


def blocks(town: Town) -> None:
    town.ada.block_bot()


@pytest.mark.parametrize("departs", [leaves, is_banned, blocks])
async def test_a_member_out_of_reach_is_told_at_the_desk_and_nothing_loops(
    town: Town, departs: Callable[[Town], None]
) -> None:
    process, talk = await begin(town)
    talk.coordinator.say("one", talk.thread)
    await talk.both([], ["one"], process)
    before = posts(town, talk.dm)
    departs(town)
    for text in ("two", "three"):
        talk.coordinator.say(text, talk.thread)
    await town.until(lambda: len(undelivered(talk)) == 2 and talk.settled(), process)
    # Several looks of the worker later each has still been tried once.
    looks = len(town.sandbox.truth.exchanges)
    talk.coordinator.say("// they are gone", talk.thread)
    await town.until(lambda: talk.settled() and noted(town) == 1, process)
    assert posts(town, talk.dm) == before + 2
    assert len(town.sandbox.truth.exchanges) - looks <= 4
    assert len(undelivered(talk)) == 2
    assert town.dms(town.olga) == []


def undelivered(talk: Talk) -> list[str]:
    return [one for one in talk.notices(talk.thread) if "Not delivered" in one]


def noted(town: Town) -> int:
    return len(town.rows("SELECT 1 FROM relayed_message WHERE side = 'note'"))


def forgets(gateway: Gateway) -> None:
    gateway.forget()
    gateway.drop()


BREAKS: tuple[Callable[[Gateway], None], ...] = (Gateway.drop, Gateway.reconnect, forgets)


async def test_a_talk_goes_on_through_every_way_a_gateway_breaks(town: Town) -> None:
    process, talk = await begin(town)
    said: list[str] = []
    answered: list[str] = []
    for number, breaks in enumerate(BREAKS):
        for turn in "abc":
            said.append(f"member {number}{turn}")
            answered.append(f"desk {number}{turn}")
            talk.member.say(said[-1])
            talk.coordinator.say(answered[-1], talk.thread)
            if turn == "b":
                breaks(town.sandbox.gateway)
        await talk.both(said, answered, process)
