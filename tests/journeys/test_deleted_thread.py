"""Somebody deletes the thread of a live request: a new card brings a new one."""

from sandbox import threads
from tests.journeys.reading import words
from tests.journeys.town import Town


async def test_a_deleted_thread_is_replaced_with_its_card_and_told_once(town: Town) -> None:
    process = await town.serve()
    await town.set_up_desk()
    await town.ask(town.ada)
    first = await town.card()
    await town.ben.click(first, "Claim").first_answer()
    await town.until(lambda: town.rows("SELECT 1 FROM card WHERE thread = 'made'"), process)
    world = town.sandbox.world
    threads.delete_channel(world, world.channels[first.id])
    await town.until(
        lambda: town.rows("SELECT 1 FROM conversation WHERE thread_id <> " + str(first.id)),
        process,
    )
    await town.until(lambda: len(town.cards()) == 1, process)
    (card,) = town.cards()
    assert card.id != first.id
    assert town.guild.threads == {card.id}
    await town.until(lambda: len(town.dms(town.olga)) == 1, process)
    assert "deleted the thread" in words(town, town.dms(town.olga)[0])
    assert len(town.dms(town.ada)) == 1
    assert town.states() == ["active"]

    def begins_with() -> list[str]:
        """What Steward itself says in the new thread."""
        return [
            "/transcript" if "/transcript" in words(town, message) else "intro"
            for message in town.sandbox.truth.messages(world.channels[card.id])
            if message.author_id == world.bot.id and message.embeds
        ]

    await town.until(lambda: len(begins_with()) == 2, process)
    assert begins_with() == ["/transcript", "intro"]
