"""A member asks, a coordinator claims, the DM opens exactly once."""

from tests.journeys.town import Town


async def test_a_member_asks_a_coordinator_claims_and_the_dm_opens(town: Town) -> None:
    process = await town.serve()
    await town.set_up_desk()
    asked = await town.ask(town.ada, "Printer on fire")
    assert "You are next" in str(asked.messages[0].embeds)
    card = await town.card()
    town.ben.click(card, "Claim")
    await town.until(lambda: town.dms(town.ada), process)
    await town.until(lambda: town.states() == ["active"], process)
    assert len(town.dms(town.ada)) == 1
    await town.until(lambda: card.id in town.sandbox.world.channels, process)
    assert town.sandbox.world.unknown == []
    assert await process.stop() == 0
