"""People see by a reaction how what they wrote fares, and the desk sees that the member types."""

from sandbox.entities import Message
from tests.journeys.talking import begin
from tests.journeys.town import MESSAGES, Town

DELIVERED, PROBLEM, TAKEN = "✅", "⚠️", "⏳"
TYPING = "POST /channels/{channel_id}/typing"


def marks(town: Town, message: Message) -> list[str]:
    """Steward's reactions under a message."""
    bot = town.sandbox.world.bot.id
    return [emoji for emoji, who in message.reactions.items() if bot in who]


async def test_reactions_tell_how_what_is_written_fares(town: Town) -> None:
    process, talk = await begin(town)
    thread = talk.thread
    await town.until(lambda: len(town.rows("SELECT 1 FROM inbound WHERE behind = 0")) == 2)

    town.ada.type_in()
    await town.until(lambda: list(town.sandbox.truth.requests(TYPING)), process)
    (typing,) = town.sandbox.truth.requests(TYPING)
    assert f"/{thread.id}/" in typing.path

    fault = town.sandbox.faults.add(
        MESSAGES, "hold_before", when=lambda exchange: f"/{thread.id}/" in exchange.path
    )
    hello = town.ada.say("hello")
    await town.until(lambda: marks(town, hello) == [TAKEN], process)
    fault.release()
    await town.until(lambda: marks(town, hello) == [DELIVERED], process)

    reply = town.ben.say("hi Ada", thread)
    note = town.ben.say("// she is fine", thread)
    stranger = town.olga.say("let me", thread)
    await town.until(lambda: marks(town, reply) == [DELIVERED], process)
    await town.until(lambda: marks(town, stranger) == [PROBLEM], process)
    assert marks(town, note) == []
    await town.until(lambda: town.rows("SELECT count(*) FROM mark") == [(0,)], process)
    assert await process.stop() == 0
