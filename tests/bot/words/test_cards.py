"""Cards, first messages and threads: what their states show, and what strangers can't forge."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.words.cards import first_message, request_card, thread_intro, thread_name
from bot.words.values import Message, message_from_json
from domain.requests import (
    Active,
    Claimed,
    Dropped,
    NeedsReconcile,
    Opening,
    Queued,
    Request,
    Resolved,
    Route,
    State,
    Withdrawn,
)
from domain.text import discord_length

QUEUED = Request(
    id=7,
    reference="ABCDE",
    guild_id=1,
    member_id=42,
    topic="Printer",
    details="It smokes",
    source_locale="en-US",
    route=Route.DM,
    reopens=None,
    created_at=1_767_225_600_000,
    revision=0,
    state=Queued(),
)
HOSTILE = [
    "@everyone and <@42> and <@&7>",
    "# heading",
    "[click](https://example.org)",
    "```code``` **bold** ||spoiler||",
    "\u202eright to left",
    "zero\u200bwidth",
    "😀" * 4000,
    "a" + "\u0301" * 100,
    "\\" * 300,
    "<t:0:R>",
]


def card(state: State, *, needs_person: bool = False, **changes: object) -> Message:
    request = replace(QUEUED, state=state, **changes)  # type: ignore[arg-type]
    return request_card(
        request, locale="en", owner_name="Ada", max_attempts=5, needs_person=needs_person
    )


@pytest.mark.parametrize(
    ("state", "needs_person", "labels"),
    [
        (Queued(), False, ["Claim"]),
        (
            Queued(attempts=1, last_problem="dms_closed"),
            False,
            ["Claim", "Open a private thread instead"],
        ),
        (
            Queued(attempts=1, last_problem="http_403_99999"),
            False,
            [
                "Claim",
                "Open a private thread instead",
            ],
        ),
        (Queued(attempts=1, last_problem="unknown_user"), False, ["Claim"]),
        (Queued(attempts=1, last_problem="no_mutual_guild"), False, ["Claim"]),
        (Claimed(attempts=0, owner_id=9, lease_until=9000), False, ["Give back", "Extend"]),
        (Opening(attempts=1, owner_id=9, delivery_key="k", lease_until=9000), False, []),
        (NeedsReconcile(attempts=1, owner_id=9, delivery_key="k", reason="x"), False, []),
        (
            NeedsReconcile(attempts=1, owner_id=9, delivery_key="k", reason="x"),
            True,
            ["It arrived", "It did not arrive", "Drop it"],
        ),
        (Resolved(owner_id=9, conversation_id="c", resolution="done"), False, []),
        (Withdrawn(attempts=0), False, []),
        (Dropped(attempts=1, dropped_by=9, reason="spam"), False, []),
    ],
)
def test_a_card_has_the_buttons_of_its_state(
    state: State, needs_person: bool, labels: list[str]
) -> None:
    shown = card(state, needs_person=needs_person)
    assert [button.label for button in shown.buttons] == labels
    assert all(button.custom_id.endswith(":7") for button in shown.buttons)


def test_the_same_request_gives_the_same_digest_and_another_state_another() -> None:
    queued = card(Queued())
    assert queued.digest() == card(Queued()).digest()
    assert queued.digest() != card(Active(attempts=1, owner_id=9, conversation_id="c")).digest()
    assert message_from_json(queued.to_json()) == queued


def test_a_card_says_what_went_wrong_and_when_steward_no_longer_tries() -> None:
    closed = card(Queued(attempts=1, last_problem="dms_closed"))
    assert any("direct messages" in field.value for field in closed.fields)
    at_the_limit = card(Queued(attempts=5))
    assert any("stopped trying" in field.value for field in at_the_limit.fields)


def visible(message: Message) -> list[str]:
    return [message.title, message.description, *(field.value for field in message.fields)]


def unescaped(text: str) -> str:
    return re.sub(r"\\.", "", text, flags=re.DOTALL)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_topic_forges_nothing_and_keeps_within_discords_limits(text: str) -> None:
    check_hostile(text)


@given(st.text(max_size=4000))
def test_no_topic_forges_anything(text: str) -> None:
    check_hostile(text)


def check_hostile(text: str) -> None:
    request = replace(QUEUED, topic=text or "x", details=text)
    messages = [
        request_card(request, locale="de", owner_name=text, max_attempts=5),
        first_message(
            request, locale="en", delivery_key="k" * 20, guild_name=text, owner_name=text or "x"
        ),
        thread_intro(request, locale="en", owner_name=text),
    ]
    for message in messages:
        assert discord_length(message.title) <= 256
        assert all(0 < discord_length(field.value) <= 1024 for field in message.fields)
        ours = re.compile(r"<@42>|<t:1767225600:R>")
        for shown in visible(message):
            bare = unescaped(ours.sub("", shown))
            assert not re.search(r"<[@#t]|\]\(|```|\|\||\*\*|^#", bare), shown
    for name in (thread_name(request), thread_name(request, reference_last=True)):
        assert 0 < discord_length(name) <= 100
        assert "ABCDE" in name


def test_a_private_threads_name_ends_with_the_reference() -> None:
    assert thread_name(QUEUED, reference_last=True).endswith("ABCDE")


def test_the_first_message_carries_its_key_and_hides_the_coordinator_behind_the_team() -> None:
    key = "k" * 20
    shown = first_message(
        QUEUED, locale="en", delivery_key=key, guild_name="Harbour", owner_name=None
    )
    assert shown.custom_ids == {f"end:7:{key}"}
    assert "the team" in shown.description
