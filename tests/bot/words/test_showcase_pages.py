"""Every page of the showcase, at its fullest and with what strangers type, in every language."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.words import announcing, confirming, entries, reviews, showcase
from bot.words.sentences import LANGUAGES
from bot.words.values import Message, Modal
from domain import campaigns as c
from domain import entries as e
from domain.errors import Refused
from domain.text import discord_length, tidy
from tests.bot.words.reading import (
    HOSTILE,
    LARGEST,
    LONG_AGO_MS,
    check_form,
    check_limits,
    check_nothing_is_forged,
)
from tests.domain.showcase_samples import CAMPAIGN_STATES, ENTRY_STATES, campaign_in, entry_in

TOKEN = "t" * 24
DECISIONS = {"approve": TOKEN, "edit": "u" * 24, "send_back": "v" * 24}
LONGEST_LINK = "https://" + "a-" * 100 + "b.example.org/" + "~" * 270


def campaign_of(text: str, state: str) -> c.Campaign:
    """A campaign as it is kept: name and text tidied and within their limits."""
    return replace(
        campaign_in(state),
        id=LARGEST,
        channel_id=LARGEST,
        name=tidy(text, limit=80) or "x",
        slug=c.slug_of(text) or "x",
        text=tidy(text, limit=1000, lines=True),
        capacity=10**9,
        accepted_count=10**9 - 1,
        closes_at=LONG_AGO_MS,
    )


def entry_of(text: str, state: str, *, url: str = LONGEST_LINK) -> e.Entry:
    """An entry as it is kept, with the longest of everything."""
    words = tidy(text, limit=1000, lines=True) or "x"
    states: dict[str, e.State] = {
        "leased": e.Leased(reviewer_id=LARGEST, token=TOKEN, lease_until=LONG_AGO_MS),
        "returned": e.Returned(reviewer_id=LARGEST, words=words),
        "done": e.Done(reviewer_id=LARGEST, summary=words),
    }
    return replace(
        entry_in(state),
        id=LARGEST,
        reference="ABCDE",
        author_id=LARGEST,
        title=tidy(text, limit=100) or "x",
        url=url,
        why=tidy(text, limit=1000, lines=True),
        named=True,
        created_at=LONG_AGO_MS,
        state=states.get(state, ENTRY_STATES[state]),
    )


def organizers_pages(locale: str, text: str) -> Iterator[Message]:
    counts = dict.fromkeys(ENTRY_STATES, 10**9)
    campaigns = [campaign_of(text, state) for state in CAMPAIGN_STATES]
    unfinished = [entry_of(text, state) for state in e.UNFINISHED] * 4
    for campaign in campaigns:
        yield showcase.campaign_card(locale, campaign, counts)
        yield showcase.progress_page(
            locale, campaign, counts, unfinished, next_after=LARGEST, is_first=False
        )
        yield confirming.first_question(
            locale, "close_campaign", onward=TOKEN, back="u", name=campaign.name, channel="x"
        )
        yield confirming.second_question(
            locale, "close_campaign", onward=TOKEN, back="u", name=campaign.name
        )
        for what in ("created", "edited", "drained", "closed_now"):
            yield showcase.campaign_done(locale, what, campaign)
    yield showcase.confirm_campaign(
        locale,
        name=tidy(text, limit=80) or "x",
        text=tidy(text, limit=1000, lines=True),
        capacity=10**9,
        closes_at=LONG_AGO_MS,
        channel_id=LARGEST,
        token=TOKEN,
    )
    yield showcase.campaigns_page(locale, campaigns * 4, next_before=LARGEST, is_first=False)
    yield showcase.campaigns_page(locale, [])
    yield showcase.campaigns_page(locale, [], is_first=False)
    refused = Refused("unfinished_entries", name=campaigns[1].name, number=10**9)
    yield showcase.not_closed(locale, refused, unfinished, more=10**9)
    yield showcase.not_closed(locale, Refused("campaign_not_draining", name="x"), [])
    yield confirming.backed_out(locale)
    yield showcase.campaign_dismissed(locale)
    yield showcase.channel_not_allowed(locale, LARGEST)
    yield showcase.exported(locale, campaigns[0], left_out=10**9)


def authors_pages(locale: str, text: str) -> Iterator[Message]:
    campaign = campaign_of(text, "open")
    before = {"title": text, "url": text, "why": text}
    for state in ENTRY_STATES:
        entry = entry_of(text, state)
        for one in (entry, replace(entry, named=False), replace(entry, url=text)):
            yield entries.entry_page(locale, one, campaign)
            yield entries.nominated(locale, one, campaign, repeated=one.named)
            yield entries.named(locale, one)
        for event in e.EVENT_NAMES.values():
            word = entries.word_to_author(
                locale, event, entry, campaign, guild_name=text, before=before
            )
            if word is not None:
                yield word
        yield entries.withdrawn(locale, entry)
        yield entries.answered(locale, entry)
        yield entries.prompt_for_words(locale, entry)
    yield entries.own_entries(locale, [(entry_of(text, "returned"), campaign)] * 1)
    several = [replace(entry_of(text, "returned"), id=number) for number in range(25)]
    yield entries.own_entries(locale, [(entry, campaign) for entry in several])
    yield entries.own_entries(locale, [])
    yield entries.which_campaign(locale, [])
    yield entries.nothing_to_withdraw(locale, campaign)
    yield entries.not_taken(
        locale,
        Refused("campaign_at_capacity", name=campaign.name),
        title=text[:100],
        url=text[:500],
        why=text[:1000],
    )
    yield entries.offered(
        locale,
        campaign,
        guild_name=text,
        nominator_id=LARGEST,
        title=text,
        url=text,
        tokens={"named": "a", "unnamed": "b", "no": "c"},
    )
    yield entries.offer_made(locale, LARGEST)
    for what in ("declined", "not_a_person"):
        yield entries.offer_over(locale, what)


def reviewers_pages(locale: str, text: str) -> Iterator[Message]:
    campaign = campaign_of(text, "draining")
    leased = entry_of(text, "leased")
    words = tidy(text, limit=1000, lines=True)
    earlier = [reviews.Exchange(event=event, words=words) for event in ("send_back", "answer") * 5]
    for one in (leased, replace(leased, url=text)):
        for line in ("", reviews.edited(locale, one), reviews.extended(locale, one)):
            yield reviews.review_card(
                locale, one, campaign, tokens=DECISIONS, earlier=earlier, text=line
            )
    for what in ("approved", "sent_back", "given_back", "reclaimed"):
        yield reviews.reviewed(locale, what, leased)
    held = [replace(leased, id=number) for number in range(25)]
    yield reviews.held_page(locale, held)
    yield reviews.held_page(locale, [])
    yield reviews.nothing_to_review(locale)
    yield reviews.lease_ending(locale, leased)


def galleries(locale: str, text: str) -> Iterator[Message]:
    campaign = campaign_of(text, "closed")
    works = [entry_of(text, "done")] * 9
    yield from announcing.announcement(
        locale,
        campaign,
        works,
        total=10**9,
        next_after=LARGEST,
        named=range(LARGEST - 130, LARGEST),
    )
    yield announcing.gallery_page(
        locale, campaign, works, at=10**9, total=10**9, next_after=LARGEST
    )
    yield announcing.gallery_page(locale, campaign, [], at=6, total=5)
    yield announcing.gallery_page(locale, campaign, [], at=1, total=0)


def pages(locale: str, text: str) -> Iterator[Message]:
    for some in (organizers_pages, authors_pages, reviewers_pages, galleries):
        yield from some(locale, text)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("locale", sorted(LANGUAGES))
def test_no_page_of_the_showcase_is_too_long_or_forged(locale: str, text: str) -> None:
    for page in pages(locale, text):
        check_limits(page)
        check_nothing_is_forged(page)


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=300), st.sampled_from(sorted(LANGUAGES)))
def test_no_page_of_the_showcase_is_too_long_or_forged_whatever_is_typed(
    text: str, locale: str
) -> None:
    for page in pages(locale, text):
        check_limits(page)
        check_nothing_is_forged(page)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("locale", sorted(LANGUAGES))
def test_every_form_of_the_showcase_fits_and_begins_with_what_stands_there(
    locale: str, text: str
) -> None:
    entry = entry_of(text, "leased")
    edit = reviews.edit_form(locale, entry, token=TOKEN)
    forms: list[Modal] = [
        entries.nominate_form(locale, campaign_of(text, "open")),
        entries.answer_form(locale, entry),
        reviews.approve_form(locale, token=TOKEN),
        reviews.send_back_form(locale, token=TOKEN),
        edit,
    ]
    for form in forms:
        check_form(form)
    assert [getattr(field, "value", "") for field in edit.inputs] == [
        entry.title,
        entry.url,
        entry.why,
    ]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_choice_fits_while_a_command_is_typed(text: str) -> None:
    assert 0 < discord_length(showcase.campaign_suggestion(campaign_of(text, "open"))) <= 100
    assert 0 < discord_length(entries.entry_suggestion(entry_of(text, "queued"))) <= 100
    campaigns = [replace(campaign_of(text, "open"), id=number) for number in range(40)]
    select = entries.which_campaign("en", campaigns).select
    assert select is not None
    assert len(select.options) == entries.MOST_CHOICES
    assert all(0 < discord_length(option.label) <= 100 for option in select.options)
