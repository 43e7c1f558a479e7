"""What is said of conversations: which one, and what to do about words that did not get through."""

from dataclasses import replace

import pytest

from bot.words.rooms import (
    Choice,
    Desk,
    conversation_switched,
    current_conversation,
    held,
    mention_to_write,
    no_conversation,
    no_room_on_disk,
    only_coordinators,
    over_at_desk,
    over_for_member,
    reply_by_command,
    reply_refused,
    reply_taken,
    thread_replaced,
    too_fast,
    which_conversation,
    words_refused,
    words_undelivered,
)
from bot.words.sentences import LANGUAGES, problem
from bot.words.values import Message
from domain.errors import Refused
from domain.requests import Active, Request, Route

HERE = Choice(value="c1", reference="ABCDE", topic="Printer", guild_name="Town")
THERE = Choice(value="c2", reference="FGHIJ", topic="Keys", guild_name="Village")
TOWN = Desk(guild_id=5, guild_name="Town")
REQUEST = Request(
    id=7,
    reference="ABCDE",
    guild_id=5,
    member_id=11,
    topic="Printer",
    details="",
    source_locale="en-US",
    route=Route.DM,
    reopens=None,
    created_at=0,
    revision=4,
    state=Active(attempts=1, owner_id=2, conversation_id="c" * 20),
)


def options(message: Message) -> list[tuple[str, str, str, bool]]:
    assert message.select is not None
    return [
        (option.value, option.label, option.description, option.chosen)
        for option in message.select.options
    ]


def test_a_member_with_several_conversations_is_asked_which_and_told_that_nothing_is_lost() -> None:
    page = which_conversation("en", [HERE, THERE], custom_id="room")
    assert page.title == "Which conversation is this for?"
    assert "kept" in page.description
    assert page.custom_ids == {"room"}
    assert options(page) == [
        ("c1", "ABCDE · Printer", "Town", False),
        ("c2", "FGHIJ · Keys", "Village", False),
    ]
    assert "kept" not in which_conversation("en", [HERE], custom_id="x", held=False).description


def test_a_list_that_is_too_long_says_so() -> None:
    many = [replace(HERE, value=str(number)) for number in range(26)]
    assert "25" in which_conversation("en", many, custom_id="x").description
    assert len(options(which_conversation("en", many, custom_id="x"))) == 25
    assert "25" not in which_conversation("en", many[1:], custom_id="x").description


def test_the_current_conversation_is_named_and_can_be_changed() -> None:
    page = current_conversation("en", [HERE, replace(THERE, chosen=True)], custom_id="room")
    assert page.description.startswith("You write to Village: FGHIJ, Keys.")
    assert [chosen for *_, chosen in options(page)] == [False, True]


def test_the_only_conversation_needs_no_choice() -> None:
    page = current_conversation("en", [replace(HERE, chosen=True)], custom_id="room")
    assert "You write to Town: ABCDE, Printer." in page.description
    assert page.select is None


def test_nobody_is_asked_about_a_message_that_they_did_not_write() -> None:
    page = current_conversation("en", [HERE, THERE], custom_id="room")
    assert page.title == "Which conversation is this for?"
    assert "kept" not in page.description


def test_a_switch_says_where_words_go_now_and_how_to_change_it() -> None:
    text = conversation_switched("en", THERE).description
    assert "Village: FGHIJ, Keys" in text
    assert "/conversation" in text


def test_who_has_no_conversation_can_ask_in_each_of_their_servers() -> None:
    page = no_conversation("en", [TOWN, Desk(guild_id=6, guild_name="Village")])
    assert [(button.label, button.custom_id) for button in page.buttons] == [
        ("Ask for help: Town", "dmask:5"),
        ("Ask for help: Village", "dmask:6"),
    ]
    assert "not passed on" in page.description
    assert "/help" not in page.description


def test_more_servers_than_buttons_are_told_of_the_command() -> None:
    desks = [Desk(guild_id=number, guild_name="x") for number in range(6)]
    assert len(no_conversation("en", desks).buttons) == 5
    assert "/help" in no_conversation("en", desks).description
    assert "/help" in no_conversation("en", []).description


def test_who_wrote_nothing_is_not_told_that_it_was_not_passed_on() -> None:
    assert "not passed on" not in no_conversation("en", [TOWN], written=False).description


@pytest.mark.parametrize(
    ("code", "what_to_do"),
    [
        ("dms_closed", "allow direct messages"),
        ("no_mutual_guild", "Resolve the request"),
        ("unknown_user", "Resolve the request"),
        ("automod", "AutoMod"),
        ("harmful_link", "without the link"),
        ("explicit_content", "other words"),
        ("too_large", "smaller file"),
        ("http_418", "tell an organizer"),
    ],
)
def test_a_coordinator_is_told_why_words_did_not_arrive_and_what_to_do(
    code: str, what_to_do: str
) -> None:
    what, why, do = words_undelivered("en", REQUEST, code).description.split("\n")
    assert what == "<@11> has not got what was written here."
    assert why == problem("en", code)
    assert what_to_do in do


@pytest.mark.parametrize(
    ("code", "what_to_do"),
    [
        ("automod", "other words"),
        ("explicit_content", "other words"),
        ("harmful_link", "without the link"),
        ("too_large", "smaller one"),
        ("http_418", "Write it again"),
    ],
)
def test_a_member_is_told_that_the_team_has_not_got_it_and_what_to_do(
    code: str, what_to_do: str
) -> None:
    text = words_refused("en", code).description
    assert text.startswith("The team has not got your message")
    assert what_to_do in text


def test_the_way_on_is_named_where_there_is_one() -> None:
    assert "/reply" in reply_by_command("en").description
    assert "/transcript ABCDE" in thread_replaced("en", REQUEST).description
    assert "/desk open" in over_at_desk("en", REQUEST).description
    assert "30" in too_fast("en", 30).description
    notice = only_coordinators("en", member_id=11, role_id=9).description
    assert "<@11>" in notice
    assert "<@&9>" in notice
    over = over_for_member("en", REQUEST, TOWN)
    assert [button.custom_id for button in over.buttons] == ["dmask:5"]


@pytest.mark.parametrize("locale", sorted(LANGUAGES))
def test_what_stands_among_carried_words_is_no_plain_text(locale: str) -> None:
    for page in (
        which_conversation(locale, [HERE, THERE], custom_id="room"),
        held(locale),
        conversation_switched(locale, HERE),
        no_conversation(locale, [TOWN]),
        only_coordinators(locale, member_id=11, role_id=9),
        words_undelivered(locale, REQUEST, "automod"),
        words_refused(locale, "automod"),
        no_room_on_disk(locale),
        reply_by_command(locale),
        mention_to_write(locale),
        thread_replaced(locale, REQUEST),
        too_fast(locale, 30),
        over_for_member(locale, REQUEST, TOWN),
        over_at_desk(locale, REQUEST),
    ):
        assert not page.text
        assert page.description


def test_a_reply_is_acknowledged_and_a_refused_one_given_back() -> None:
    assert "ABCDE" in reply_taken("en", REQUEST).text
    page = reply_refused("en", Refused("not_in_thread"), "Have you tried turning it off")
    assert "thread of a request" in page.text
    assert page.description == "Have you tried turning it off"
