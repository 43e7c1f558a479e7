"""Rooms side by side: each answers for its own custom ids, and for nobody else's."""

from dataclasses import replace

import pytest

from bot.services.notices import CHOOSE
from bot.words import entries, reviews, showcase
from bot.words.asking import ask_form
from bot.words.cards import first_message, request_card
from bot.words.conversations import ended_for_member
from bot.words.doubts import PartDoubt, doubts_page
from bot.words.panel import panel
from bot.words.rooms import Choice, Desk, no_conversation, which_conversation
from cogs.host import Room
from domain.requests import Active, Claimed, NeedsReconcile, Opening, Queued, Resolved
from tests.cogs.conftest import Scene
from tests.cogs.people import custom_ids

STATES = (
    Queued(),
    Queued(attempts=1, last_problem="dms_closed"),
    Claimed(attempts=0, owner_id=9, lease_until=9000),
    Opening(attempts=1, owner_id=9, delivery_key="k", lease_until=9000),
    NeedsReconcile(attempts=1, owner_id=9, delivery_key="k", reason="x"),
    Active(attempts=1, owner_id=9, conversation_id="c"),
    Active(attempts=1, owner_id=None, conversation_id="c"),
    Resolved(owner_id=9, conversation_id="c", resolution="done"),
)

# What the showcase's words put on their buttons: its cards are drawn in tests of their own.
SHOWCASE = {
    showcase.NOMINATE,
    showcase.WITHDRAW,
    showcase.REVIEW,
    entries.ANSWER,
    entries.WITHDRAW_ENTRY,
    entries.NAMED,
    entries.WHICH_CAMPAIGN,
    reviews.APPROVE,
    reviews.EDIT,
    reviews.SEND_BACK,
    reviews.EXTEND,
    reviews.GIVE_BACK,
    reviews.SHOW,
}


def prefixes(scene: Scene, kind: str) -> list[str]:
    rooms = [cog for cog in scene.bot.cogs.values() if isinstance(cog, Room)]
    return [prefix for room in rooms for prefix in getattr(room, kind)()]


@pytest.mark.parametrize("kind", ["buttons", "forms"])
async def test_no_two_rooms_answer_the_same_prefix(scene: Scene, kind: str) -> None:
    found = prefixes(scene, kind)
    assert found
    assert sorted(found) == sorted(set(found))
    assert not any(":" in prefix for prefix in found)


async def test_a_form_that_is_shown_is_answered_when_it_is_sent_in(scene: Scene) -> None:
    form = ask_form("en", custom_id="help:1", topic_limit=100, details_limit=2000)
    assert form.custom_id.partition(":")[0] in prefixes(scene, "forms")


async def test_no_button_that_people_are_shown_is_dead(scene: Scene) -> None:
    begun = await scene.owner.slash(
        scene.general, "desk setup", channel=scene.desk, coordinators=scene.coordinators
    )
    shown = custom_ids(begun)
    await scene.owner.click(begun.response, label="Confirm")
    await scene.ask(scene.ada)
    for number in range(10):
        await scene.ask(scene.guild.add_member(scene.env.create_user(f"member{number}")))
    shown += custom_ids(await scene.ada.slash(scene.general, "requests"))
    shown += custom_ids(await scene.ben.slash(scene.general, "desk queue"))
    request = await scene.newest()
    for state in STATES:
        card = request_card(
            replace(request, state=state),
            locale="en",
            owner_name=None,
            max_attempts=5,
            needs_person=True,
        )
        shown += card.custom_ids
    hello = first_message(
        request, locale="en", delivery_key="k" * 20, guild_name="Harbour", owner_name=None
    )
    doubt = PartDoubt(
        part_id=1,
        revision=0,
        what="card",
        channel_id=5,
        reference=None,
        problem=None,
        since=0,
    )
    shown += [*hello.custom_ids, *panel("en").custom_ids]
    choice = Choice(value="1", reference="ABCDE", topic="Printer", guild_name="Harbour")
    shown += which_conversation("en", [choice], custom_id=CHOOSE).custom_ids
    shown += no_conversation("en", [Desk(guild_id=1, guild_name="Harbour")]).custom_ids
    over = replace(request, state=STATES[-1])
    shown += ended_for_member(
        over, locale="en", guild_name="Harbour", owner_name=None, reopen_until=1
    ).custom_ids
    shown += doubts_page("en", [doubt, doubt]).custom_ids
    found = {custom_id.partition(":")[0] for custom_id in shown}
    assert found | SHOWCASE == set(prefixes(scene, "buttons"))
