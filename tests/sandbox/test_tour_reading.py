"""Messages read as people see them."""

from typing import Any

import pytest

from sandbox import messages
from sandbox.drafts import draft
from sandbox.entities import Message
from sandbox.tour_reading import Reading
from sandbox.world import World

NOW = 1_700_000_000_000


@pytest.fixture
def world() -> World:
    return World(lambda: NOW)


def written(world: World, **body: Any) -> Message:
    """A message of the bot's in somebody's DM."""
    reader = world.add_user("reader")
    world.add_guild("Reading room", owner=reader)
    return messages.post(world, world.dm(reader), world.bot.id, draft(body))


def test_mentions_are_names_and_what_is_not_there_is_unknown(world: World) -> None:
    ada = world.add_user("ada", global_name="Ada")
    guild = world.add_guild("Harbour", owner=ada)
    role = world.add_role(guild, "Coordinators")
    desk = world.add_channel(guild, "desk")
    message = written(world, content=f"<@{ada.id}> <@!{ada.id}> <@&{role.id}> <#{desk.id}> <@1>")
    assert Reading(world).message(message) == ["@Ada @Ada @Coordinators #desk @unknown"]


@pytest.mark.parametrize(
    ("away", "words"),
    [
        (0, "just now"),
        (-20, "just now"),
        (20, "in a moment"),
        (-60, "1 minute ago"),
        (900, "in 15 minutes"),
        (-7_200, "2 hours ago"),
        (3 * 86_400, "in 3 days"),
    ],
)
def test_times_are_told_from_now(world: World, away: int, words: str) -> None:
    message = written(world, content=f"<t:{NOW // 1000 + away}:R>")
    assert Reading(world).message(message) == [words]


def test_marks_and_escapes_are_not_seen_and_stars_that_are_meant_are(world: World) -> None:
    message = written(world, content="## **Bold** \\*star\\*\n\n[here](https://example.org/x)")
    assert Reading(world).message(message) == ["Bold *star*", "here"]


def test_an_embed_its_fields_and_what_can_be_pressed_are_lines(world: World) -> None:
    button = {"type": 2, "style": 1, "label": "Claim", "custom_id": "c"}
    grey = {**button, "label": "Extend", "custom_id": "x", "disabled": True}
    select = {
        "type": 3,
        "custom_id": "s",
        "placeholder": "Which?",
        "options": [{"label": "One", "value": "1"}],
    }
    message = written(
        world,
        embeds=[
            {
                "title": "Printer",
                "description": "On fire",
                "fields": [{"name": "State", "value": "Waiting\nlong"}],
                "footer": {"text": "Seen by all"},
            }
        ],
        components=[
            {"type": 1, "components": [button, grey]},
            {"type": 1, "components": [select]},
        ],
    )
    assert Reading(world).message(message) == [
        "Printer",
        "On fire",
        "State: Waiting",
        "long",
        "Seen by all",
        "[Claim] (Extend)",
        "[Which? v]",
    ]


def test_a_form_is_its_title_and_its_fields(world: World) -> None:
    field = {"type": 4, "custom_id": "topic", "style": 1, "label": None}
    modal = {"title": "Ask", "components": [{"type": 18, "label": "Topic", "component": field}]}
    assert Reading(world).form(modal) == ["Ask", "Topic: ____"]
