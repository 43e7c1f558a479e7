"""What a person reads off a message: its words, and the buttons under it."""

from sandbox.entities import Message
from sandbox.tour_reading import Reading
from tests.journeys.town import Town


def words(town: Town, message: Message) -> str:
    """All that the message shows, as people see it: mentions as @names, buttons in brackets."""
    return "\n".join(Reading(town.sandbox.world).message(message))


def buttons(message: Message) -> list[str]:
    """The labels of its buttons, in order."""
    return [
        component["label"]
        for row in message.components
        for component in row.get("components", ())
        if "label" in component
    ]
