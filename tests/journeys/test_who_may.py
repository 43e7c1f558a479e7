"""Who may do what is decided at the moment of the act, and in the guild where it is done."""

from sandbox.acts import Interaction
from sandbox.entities import Message
from sandbox.people import Person
from sandbox.permissions import Permission
from tests.journeys.reading import words
from tests.journeys.town import Town


def presses(who: Person, message: Message, custom_id: str) -> Interaction:
    """A button that no message has, as a doctored client can press it."""
    return who.click(message, custom_id=custom_id, forged=True)


async def refused_no_such(town: Town, act: Interaction) -> None:
    """Whoever did it is told that there is no such request."""
    await act.first_answer()
    await town.until(lambda: act.messages)
    assert "There is no such request here" in words(town, act.messages[0])


async def test_a_role_taken_between_card_and_click_counts_at_the_click(town: Town) -> None:
    world = town.sandbox.world
    await town.serve()
    await town.set_up_desk()
    await town.ask(town.ada)
    card = await town.card()
    # Ben still has the desk before him, by a permission of his own.
    world.set_overwrite(town.desk, town.ben.user, allow=Permission.VIEW_CHANNEL)
    member = town.guild.members[town.ben.id]
    world.take_role(member, town.coordinators)
    refused = town.ben.click(card, "Claim")
    await refused.first_answer()
    await town.until(lambda: refused.messages)
    assert "Only coordinators can do this" in words(town, refused.messages[0])
    assert "@Coordinators" in words(town, refused.messages[0])
    assert town.states() == ["queued"]
    world.give_role(member, town.coordinators)
    accepted = await town.ben.click(card, "Claim").first_answer()
    assert "is yours" in accepted.content
    await town.until(lambda: town.states() == ["active"])


async def test_two_guilds_keep_their_requests_to_themselves(town: Town) -> None:
    world = town.sandbox.world
    await town.serve()
    await town.set_up_desk()
    await town.ask(town.ada)
    card = await town.card()
    ((request_id, reference),) = town.rows("SELECT id, reference FROM request")

    # Eve coordinates at another guild, where the bot is too, and sees nothing of the first.
    inland = world.add_guild("Inland", owner=world.owner)
    square = world.add_channel(inland, "square")
    staff = world.add_role(inland, "Staff")
    eve = town.sandbox.person(world.add_user("eve"))
    eve.join(inland, staff, world.add_role(inland, "Admins", permissions=Permission.ADMINISTRATOR))
    theirs = world.add_channel(inland, "team")
    world.set_overwrite(theirs, inland.roles[inland.id], deny=Permission.VIEW_CHANNEL)
    world.set_overwrite(theirs, staff, allow=Permission.VIEW_CHANNEL)
    world.set_overwrite(theirs, world.bot_role(inland), allow=Permission.VIEW_CHANNEL)
    shown = eve.command("desk setup", square, {"channel": theirs, "coordinators": staff})
    await shown.first_answer()
    await town.until(lambda: shown.messages and shown.messages[-1].components)
    await eve.click(shown.messages[-1], "Confirm").first_answer()
    await town.until(lambda: len(town.rows("SELECT 1 FROM desk")) == 2)

    # A forged press, from her guild and from a message of theirs; and the reference, typed.
    note = eve.say("anything", square)
    for prefix in ("claim", "thread", "release", "extend", "arrived", "drop"):
        await refused_no_such(town, presses(eve, note, f"{prefix}:{request_id}"))
    for command in ("desk claim", "desk release", "desk extend"):
        await refused_no_such(town, eve.command(command, square, request=str(reference)))
    await refused_no_such(town, presses(eve, note, f"withdraw:{request_id}"))
    queue = eve.command("desk queue", square)
    await queue.first_answer()
    await town.until(lambda: queue.messages)
    assert "Nothing waits" in words(town, queue.messages[0])
    choices = await eve.autocomplete("desk claim", "request", square).first_answer()
    assert list(choices.choices) == []
    assert town.states() == ["queued"]
    assert "Waiting for a coordinator" in words(town, card)

    # Ada is a member of both, and has a place in each.
    town.ada.join(inland)
    await town.ada.command("help", square, topic="Well").first_answer()
    await town.until(lambda: len(eve.view(theirs)) == 1)
    assert len(town.cards()) == 1
    await eve.click(eve.view(theirs)[0], "Claim").first_answer()
    await town.ben.click(card, "Claim").first_answer()
    await town.until(lambda: town.states() == ["active", "active"])
    titles = {words(town, one).splitlines()[0] for one in town.dms(town.ada)}
    assert len(titles) == 2


async def test_a_forged_press_leaves_the_message_it_names_as_it_was(town: Town) -> None:
    await town.serve()
    await town.set_up_desk()
    await town.olga.command("desk panel", town.general).first_answer()
    await town.until(lambda: town.ada.view(town.general))
    panel = town.ada.view(town.general)[0]
    before = words(town, panel)
    for custom_id in ("withdraw:1", "queue:0", "setup-not:x", "nonsense:1"):
        act = presses(town.ada, panel, custom_id)
        first = await act.first_answer()
        assert first.seen == "message"
        assert all(one.visible_to == town.ada.id for one in act.messages)
    assert words(town, panel) == before
