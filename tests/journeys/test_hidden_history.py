"""Without Read Message History Discord shows an empty channel: that proves nothing to Steward."""

from sandbox.permissions import Permission
from tests.journeys.talking import begin
from tests.journeys.town import MESSAGES, Town


def hide_history(town: Town) -> None:
    world = town.sandbox.world
    world.set_overwrite(
        town.desk,
        world.bot_role(town.guild),
        allow=Permission.VIEW_CHANNEL,
        deny=Permission.READ_MESSAGE_HISTORY,
    )


async def test_cards_that_only_seem_to_be_missing_are_not_posted_again(town: Town) -> None:
    process = await town.serve()
    await town.set_up_desk()
    await town.ask(town.ada)
    card = await town.card()
    await town.until(lambda: not town.rows("SELECT 1 FROM card WHERE stale = 1"))
    await process.stop()
    hide_history(town)
    await town.serve()
    await town.until(
        lambda: any(
            exchange.status == 403
            for exchange in town.sandbox.truth.requests(
                "GET /channels/{channel_id}/messages/{message_id}"
            )
        )
    )
    await town.ask(town.cleo, "Scanner")
    second = await town.card(1)
    await town.until(lambda: not town.rows("SELECT 1 FROM card WHERE stale = 1"))
    assert town.cards() == [card, second]


async def test_a_card_in_doubt_waits_until_the_history_can_be_read_and_staff_are_told(
    town: Town,
) -> None:
    settings = {"DELIVERY__NONCE_WINDOW_SECONDS": "15", "WORKER__LEASE_SECONDS": "6"}
    process = await town.serve(settings)
    await town.set_up_desk()
    fault = town.sandbox.faults.add(MESSAGES, "hold_after")
    await town.ask(town.ada)
    await fault.reached.wait()
    await process.kill()
    fault.abandon()
    hide_history(town)
    await town.serve(settings)
    await town.until(lambda: town.dms(town.olga))
    assert len(town.cards()) == 1
    world = town.sandbox.world
    world.set_overwrite(town.desk, world.bot_role(town.guild), allow=Permission.VIEW_CHANNEL)
    await town.until(lambda: town.rows("SELECT 1 FROM card WHERE message_id IS NOT NULL"))
    assert len(town.cards()) == 1


async def test_what_was_written_unseen_is_carried_once_the_history_can_be_read(town: Town) -> None:
    process, talk = await begin(town)
    talk.coordinator.say("one", talk.thread)
    await talk.both([], ["one"], process)
    await process.stop()
    talk.coordinator.say("two", talk.thread)
    hide_history(town)
    process = await town.serve()
    await town.until(lambda: town.rows("SELECT 1 FROM inbound WHERE blind = 1"), process)
    # Live, it is heard; what came before it is still unread.
    town.cleo.say("three", talk.thread)
    await talk.both([], ["one", "three"], process)
    world = town.sandbox.world
    world.set_overwrite(town.desk, world.bot_role(town.guild), allow=Permission.VIEW_CHANNEL)
    await talk.both([], ["one", "three", "two"], process)
