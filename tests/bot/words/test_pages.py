"""Every page that people read, at its fullest and with what strangers type, in every language."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.words.asking import ask_form, receipt, refused_with_text
from bot.words.cards import first_message, request_card, thread_intro
from bot.words.conversations import undelivered
from bot.words.desk import extended, queue_page, suggestion
from bot.words.doubts import Doubt, PartDoubt, doubts_page
from bot.words.notices import desk_problem, part_in_doubt
from bot.words.own import Own, Step, own_requests, own_work
from bot.words.panel import opened, panel, panel_posted
from bot.words.rooms import (
    Choice,
    Desk,
    conversation_switched,
    current_conversation,
    held,
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
from bot.words.sentences import LANGUAGES
from bot.words.setting_up import Missing, confirm, done, everyone_sees, missing_permissions
from bot.words.values import Input, Message
from domain import permissions
from domain.errors import Refused
from domain.requests import Active, Claimed, NeedsReconcile, Queued, Request, Route
from domain.text import discord_length, tidy
from tests.bot.words.reading import (
    HOSTILE,
    LARGEST,
    LONG_AGO_MS,
    check_limits,
    check_nothing_is_forged,
)

HELD = (
    Claimed(attempts=99, owner_id=LARGEST, lease_until=LONG_AGO_MS),
    Active(attempts=99, owner_id=LARGEST, conversation_id="c" * 20),
    NeedsReconcile(attempts=99, owner_id=LARGEST, delivery_key="k" * 20, reason="x"),
)


def request_of(text: str, **changes: object) -> Request:
    """A request as the help desk keeps it: topic and details tidied and within their limits."""
    request = Request(
        id=LARGEST,
        reference="ABCDE",
        guild_id=LARGEST,
        member_id=LARGEST,
        topic=tidy(text, limit=100) or "x",
        details=tidy(text, limit=2000, lines=True),
        source_locale="en-US",
        route=Route.DM,
        reopens=None,
        created_at=LONG_AGO_MS,
        revision=0,
        state=Queued(attempts=99, last_problem="dms_closed"),
    )
    return replace(request, **changes)  # type: ignore[arg-type]


def pages(locale: str, text: str) -> Iterator[Message]:
    """Every page, as full as it can get."""
    request = request_of(text)
    held = [replace(request, state=state) for state in HELD]
    for one in (request, *held):
        yield request_card(one, locale=locale, owner_name=text, max_attempts=5, needs_person=True)
        yield receipt(locale, one, before=100)
        yield thread_intro(one, locale=locale, owner_name=text)
    for owner_name in (text or "x", None):
        yield first_message(
            request, locale=locale, delivery_key="k" * 20, guild_name=text, owner_name=owner_name
        )
    yield queue_page(locale, [request] * 10, total=10**6, next_after=LARGEST)
    yield queue_page(locale, [], total=10**6, next_after=None, is_first=False)
    yield extended(locale, held[0])
    yield opened(locale, request)
    steps = (Step(event="delivery_failed", state="queued", at=LONG_AGO_MS),) * 40
    own = [
        Own(request=replace(one, id=number), guild_name=text, before=100, timeline=steps)
        for number, one in enumerate([*held, request] * 3, start=LARGEST - 12)
    ]
    yield own_requests(locale, own, named=True)
    yield own_work(locale, held * 9)
    doubt = Doubt(request=held[2], problem=text, since=LONG_AGO_MS, needs_person=True)
    yield doubts_page(locale, [doubt] * 25)
    for what in ("words", "card", "panel", "organizer", "notice"):
        part = PartDoubt(
            part_id=LARGEST,
            revision=LARGEST,
            what=what,
            channel_id=LARGEST,
            reference="ABCDE",
            problem=text,
            since=LONG_AGO_MS,
        )
        yield doubts_page(locale, [doubt] * 25 + [replace(part, reference=None), part] * 25, at=25)
        yield part_in_doubt(what, LARGEST, reference="ABCDE", locale=locale)
    for kind in ("ended", "else"):
        yield undelivered(held[0], locale=locale, kind=kind, code="given_up")
    yield desk_problem(text, text[:50], locale=locale)
    refused = Refused("open_request_exists", reference="ABCDE")
    yield refused_with_text(locale, refused, topic=text[:100], details=text)


def room_pages(locale: str, text: str) -> Iterator[Message]:
    """What is said of conversations, as full as it can get."""
    request = request_of(text)
    choices = [
        Choice(
            value=str(LARGEST - number),
            reference="ABCDE",
            topic=text,
            guild_name=text,
            chosen=number == 1,
        )
        for number in range(40)
    ]
    desks = [Desk(guild_id=LARGEST - number, guild_name=text) for number in range(9)]
    for some in (choices, choices[:1], choices[2:]):
        yield which_conversation(locale, some, custom_id="room", held=len(some) > 1)
        yield current_conversation(locale, some, custom_id="room")
    yield conversation_switched(locale, choices[0])
    for few in (desks, desks[:1], []):
        yield no_conversation(locale, few, written=True)
        yield no_conversation(locale, few, written=False)
    yield only_coordinators(locale, member_id=LARGEST, role_id=LARGEST)
    for code in (text[:50], "dms_closed", "automod"):
        yield words_undelivered(locale, request, code)
        yield words_refused(locale, code)
    yield over_for_member(locale, request, desks[0])
    yield over_at_desk(locale, request)
    for page in (held, no_room_on_disk, reply_by_command):
        yield page(locale)
    yield thread_replaced(locale, request)
    yield too_fast(locale, 30)
    yield reply_taken(locale, request)
    yield reply_refused(locale, Refused("no_conversation"), text)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("locale", sorted(LANGUAGES))
def test_no_page_is_too_long_or_forged(locale: str, text: str) -> None:
    for page in (*pages(locale, text), *room_pages(locale, text)):
        check_limits(page)
        check_nothing_is_forged(page)


@given(st.text(max_size=300), st.sampled_from(sorted(LANGUAGES)))
def test_no_page_is_too_long_or_forged_whatever_is_typed(text: str, locale: str) -> None:
    for page in (*pages(locale, text), *room_pages(locale, text)):
        check_limits(page)
        check_nothing_is_forged(page)


@pytest.mark.parametrize("locale", sorted(LANGUAGES))
def test_setting_up_fits_at_its_fullest(locale: str) -> None:
    everything = Missing(channel_id=LARGEST, permissions=permissions.DESK + permissions.HELP)
    roles = range(LARGEST - 250, LARGEST)
    crowd = confirm(
        locale, channel_id=LARGEST, role_ids=roles, coordinators_id=LARGEST, token="t" * 20
    )
    assert sum(field.value.count("<@&") for field in crowd.fields) == 200 + 1
    for page in (
        missing_permissions(locale, [everything, everything]),
        everyone_sees(locale, LARGEST),
        crowd,
        done(locale, LARGEST),
        panel(locale),
        panel_posted(locale, LARGEST, allowed=True),
        panel_posted(locale, LARGEST, allowed=False),
    ):
        check_limits(page)


@pytest.mark.parametrize("locale", sorted(LANGUAGES))
def test_a_form_fits(locale: str) -> None:
    form = ask_form(locale, custom_id=f"help:{LARGEST}", topic_limit=100, details_limit=2000)
    assert discord_length(form.title) <= 45
    assert discord_length(form.custom_id) <= 100
    for field in form.inputs:
        assert isinstance(field, Input)
        assert 0 < discord_length(field.label) <= 45
        assert discord_length(field.placeholder) <= 100
        assert field.most <= 4000


@given(st.text(max_size=300))
def test_a_suggestion_fits(text: str) -> None:
    assert 0 < discord_length(suggestion(request_of(text))) <= 100


@pytest.mark.parametrize("locale", sorted(LANGUAGES))
def test_what_was_typed_comes_back_whole_when_it_is_refused(locale: str) -> None:
    topic, details = "T" * 100, "word " * 399 + "ends."
    page = refused_with_text(locale, Refused("cooldown", until=5), topic=topic, details=details)
    assert topic in page.description
    assert details in page.description
