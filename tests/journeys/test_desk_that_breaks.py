"""What people break at the desk is mended: cards come back, and who can mend the rest is told."""

import pytest

from sandbox import threads
from sandbox.entities import Message
from sandbox.permissions import Permission
from tests.journeys.reading import buttons, words
from tests.journeys.town import Town


def problems_told(town: Town) -> list[Message]:
    """What Olga, who set the desk up, has been told of its problems."""
    return [one for one in town.dms(town.olga) if "needs you" in words(town, one)]


async def test_a_card_that_somebody_deletes_comes_back_once_in_its_state(town: Town) -> None:
    process = await town.serve()
    await town.set_up_desk()
    await town.ask(town.ada)
    card = await town.card()
    town.olga.delete(card)
    await town.until(lambda: town.cards() not in ([], [card]))
    (again,) = town.cards()
    assert buttons(again) == ["Claim"]
    await town.ben.click(again, "Claim").first_answer()
    await town.until(lambda: "In conversation with @ben" in words(town, again))
    town.olga.delete(again)
    await town.until(lambda: town.cards() not in ([], [again]))
    (third,) = town.cards()
    await town.until(lambda: "In conversation with @ben" in words(town, third))
    assert len(town.dms(town.ada)) == 1
    await process.stop()
    assert town.cards() == [third]
    assert town.sandbox.world.unknown == []


@pytest.mark.parametrize("ends", ["stop", "kill"])
async def test_a_card_deleted_while_nobody_serves_comes_back_at_the_start(
    town: Town, ends: str
) -> None:
    process = await town.serve()
    await town.set_up_desk()
    await town.ask(town.ada)
    await town.ask(town.cleo, "Scanner")
    first = await town.card()
    kept = await town.card(1)
    await town.until(lambda: not town.rows("SELECT 1 FROM card WHERE stale = 1"))
    await (process.stop() if ends == "stop" else process.kill())
    town.olga.delete(first)
    await town.serve()
    await town.until(lambda: len(town.cards()) == 2)
    assert town.cards()[0] == kept
    assert "Printer" in words(town, town.cards()[1])
    await town.ben.click(town.cards()[1], "Claim").first_answer()
    await town.until(lambda: len(town.dms(town.ada)) == 1)


async def test_a_desk_whose_channel_is_deleted_moves_and_its_organizer_is_told_once(
    town: Town,
) -> None:
    process = await town.serve()
    await town.set_up_desk()
    await town.ask(town.ada)
    await town.card()
    threads.delete_channel(town.sandbox.world, town.desk)
    await town.until(lambda: problems_told(town))
    (told,) = problems_told(town)
    assert "The desk's channel is gone." in words(town, told)
    assert "/desk setup" in words(town, told)
    # Whoever asks now is served all the same; a restart doesn't tell her again.
    await town.ask(town.cleo, "Scanner")
    await process.stop()
    process = await town.serve()
    world = town.sandbox.world
    town.desk = world.add_channel(town.guild, "desk-2")
    world.set_overwrite(town.desk, town.guild.roles[town.guild.id], deny=Permission.VIEW_CHANNEL)
    world.set_overwrite(town.desk, town.coordinators, allow=Permission.VIEW_CHANNEL)
    world.set_overwrite(town.desk, world.bot_role(town.guild), allow=Permission.VIEW_CHANNEL)
    await town.set_up_desk()
    await town.until(lambda: len(town.cards()) == 2)
    assert problems_told(town) == [told]
    for card in town.cards():
        await town.ben.click(card, "Claim").first_answer()
    await town.until(lambda: town.states() == ["active", "active"])
    assert len(town.dms(town.ada)) == len(town.dms(town.cleo)) == 1
    await process.stop()
    assert len(town.cards()) == 2


async def test_a_deleted_coordinator_role_is_told_once_and_another_takes_its_place(
    town: Town,
) -> None:
    process = await town.serve()
    await town.set_up_desk()
    await town.ask(town.ada)
    card = await town.card()
    town.sandbox.world.delete_role(town.guild, town.coordinators.id)
    await town.until(lambda: problems_told(town))
    assert "The coordinators' role was deleted." in words(town, problems_told(town)[0])
    refused = await town.ben.command("desk queue", town.general).first_answer()
    assert "Only coordinators can do this" in refused.content
    await process.stop()
    await town.serve()
    world = town.sandbox.world
    town.coordinators = world.add_role(town.guild, "Helpers")
    world.set_overwrite(town.desk, town.coordinators, allow=Permission.VIEW_CHANNEL)
    world.give_role(town.guild.members[town.ben.id], town.coordinators)
    await town.set_up_desk()
    await town.ben.click(card, "Claim").first_answer()
    await town.until(lambda: town.states() == ["active"])
    assert len(problems_told(town)) == 1


async def test_what_is_missing_at_the_set_up_is_named(town: Town) -> None:
    world = town.sandbox.world
    await town.serve()
    help_channel = world.add_channel(town.guild, "help")
    world.set_overwrite(
        town.desk,
        world.bot_role(town.guild),
        allow=Permission.VIEW_CHANNEL,
        deny=Permission.EMBED_LINKS | Permission.CREATE_PUBLIC_THREADS,
    )
    world.set_overwrite(
        help_channel, world.bot_role(town.guild), deny=Permission.CREATE_PRIVATE_THREADS
    )
    given = {
        "channel": town.desk,
        "coordinators": town.coordinators,
        "help_channel": help_channel,
    }
    shown = town.olga.command("desk setup", town.general, given)
    await shown.first_answer()
    await town.until(lambda: shown.messages)
    said = words(town, shown.messages[-1])
    assert "Some permissions are missing" in said
    for name in ("#desk", "Embed Links", "Create Public Threads", "#help", "Create Private Thre"):
        assert name in said
    assert "Send Messages" not in said.replace("Send Messages in Threads", "")
    assert buttons(shown.messages[-1]) == []
    assert town.rows("SELECT count(*) FROM desk") == [(0,)]


@pytest.mark.parametrize("taken", [Permission.VIEW_CHANNEL, Permission.SEND_MESSAGES])
async def test_permissions_taken_at_the_desk_are_told_once_and_cards_catch_up(
    town: Town, taken: Permission
) -> None:
    world = town.sandbox.world
    mine = world.bot_role(town.guild)
    process = await town.serve()
    await town.set_up_desk()
    await town.ask(town.ada)
    card = await town.card()
    world.set_overwrite(town.desk, mine, allow=Permission.VIEW_CHANNEL & ~taken, deny=taken)
    # Members are served as before; what is to be posted waits.
    asked = await town.ask(town.cleo, "Scanner")
    await town.until(lambda: asked.messages)
    assert "Waiting for a coordinator" in words(town, asked.messages[0])
    await town.until(lambda: problems_told(town))
    queue = town.ben.command("desk queue", town.general)
    await queue.first_answer()
    await town.until(lambda: queue.messages)
    assert "Scanner" in words(town, queue.messages[0])
    (told,) = problems_told(town)
    await process.stop()
    await town.serve()
    await town.ask(town.olga, "Keys")
    assert len(town.cards()) == 1
    world.set_overwrite(town.desk, mine, allow=Permission.VIEW_CHANNEL)
    await town.set_up_desk()
    await town.until(lambda: len(town.cards()) == 3)
    assert card in town.cards()
    assert problems_told(town) == [told]
    for each in town.cards()[:2]:
        await town.ben.click(each, "Claim").first_answer()
    await town.until(lambda: town.states().count("active") == 2)
    assert world.unknown == []


async def test_permissions_given_back_are_noticed_at_once(town: Town) -> None:
    world = town.sandbox.world
    me, mine = town.guild.members[world.bot.id], world.bot_role(town.guild)
    held, everyone = mine.permissions, town.guild.roles[town.guild.id]
    world.set_permissions(everyone, everyone.permissions & ~Permission.SEND_MESSAGES)

    def in_the_channel(allowed: bool) -> None:
        taken = Permission(0) if allowed else Permission.SEND_MESSAGES
        world.set_overwrite(town.desk, mine, allow=Permission.VIEW_CHANNEL, deny=taken)

    def of_the_role(allowed: bool) -> None:
        world.set_permissions(mine, held if allowed else held & ~Permission.SEND_MESSAGES)

    def the_role_itself(allowed: bool) -> None:
        (world.give_role if allowed else world.take_role)(me, mine)

    await town.serve()
    await town.set_up_desk()
    ways = (in_the_channel, of_the_role, the_role_itself)
    for number, (way, who) in enumerate(zip(ways, (town.ada, town.cleo, town.olga), strict=True)):
        way(False)
        await town.ask(who)
        await town.until(lambda: town.rows("SELECT 1 FROM outbox_part WHERE parked = 1"))
        way(True)
        await town.card(number)  # long before it would have been tried again
    assert world.unknown == []
