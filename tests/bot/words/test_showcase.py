"""What the showcase says, to whom, with which buttons: and whom alone it ever alerts."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.words import announcing, confirming, entries, reviews, showcase
from bot.words.sentences import moment
from bot.words.values import Input, Message, Modal
from bot.words.works import link_to, whole_link
from domain import entries as e
from domain.errors import Refused
from tests.domain.showcase_samples import (
    AUTHOR,
    ENTRY_STATES,
    LINK,
    OTHER,
    REVIEWER,
    TOKEN,
    campaign_in,
    entry_in,
)

TOKENS = {"approve": "a1", "edit": "b2", "send_back": "c3"}


def labels(message: Message) -> list[str]:
    return [button.label for button in message.buttons]


def ids(message: Message) -> list[str]:
    return [button.custom_id for button in message.buttons]


def field(message: Message, name: str) -> str:
    (value,) = [one.value for one in message.fields if one.name == name]
    return value


def fields_of(form: Modal) -> list[str]:
    return [one.field_id for one in form.inputs]


@pytest.mark.parametrize(
    ("state", "buttons"),
    [
        ("open", ["Nominate", "Withdraw", "Review next"]),
        ("draining", ["Withdraw", "Review next"]),
        ("closed", []),
    ],
)
def test_a_campaigns_card_has_the_buttons_of_its_state(state: str, buttons: list[str]) -> None:
    card = showcase.campaign_card("en", campaign_in(state), {})
    assert labels(card) == buttons
    assert all(custom_id.endswith(":5") for custom_id in ids(card))


def test_a_campaigns_card_says_what_is_asked_what_is_left_and_until_when() -> None:
    campaign = campaign_in("open")
    card = showcase.campaign_card("en", campaign, {"done": 1, "queued": 1})
    assert card.title == "Summer show"
    assert card.description.startswith("Show us what you made.")
    assert field(card, "Places") == "█████████████░░░░░░░\n1 of 3 left"
    assert field(card, "Deadline") == "<t:3000:f> (<t:3000:R>)"
    assert field(card, "Reviewed") == "██████████░░░░░░░░░░\n1 of 2"


def test_a_withdrawn_entry_is_no_promise_any_more_but_its_place_stays_used() -> None:
    card = showcase.campaign_card("en", campaign_in("draining"), {"done": 1, "withdrawn": 1})
    assert "1 of 3 left" in field(card, "Places")
    assert field(card, "Reviewed") == "█" * 20 + "\n1 of 1\n-# 1 withdrawn"


def test_a_card_changes_with_what_it_shows_and_with_nothing_else() -> None:
    campaign = campaign_in("open")
    card = showcase.campaign_card("en", campaign, {"done": 1})
    assert showcase.campaign_card("en", replace(campaign, revision=99), {"done": 1}) == card
    for other in (
        showcase.campaign_card("en", campaign, {"done": 2}),
        showcase.campaign_card("en", replace(campaign, closes_at=4_000_000), {"done": 1}),
        showcase.campaign_card("en", replace(campaign, accepted_count=3), {"done": 1}),
    ):
        assert other.digest() != card.digest()


@given(st.integers(0, 10**6), st.integers(1, 10**6))
def test_a_bar_is_full_only_of_all_and_empty_only_of_nothing(part: int, whole: int) -> None:
    shown = showcase.bar(part, whole)
    assert len(shown) == 20
    assert shown.lstrip("█").strip("░") == ""
    assert ("░" not in shown) == (part >= whole)
    assert ("█" not in shown) == (part == 0)


def test_a_bar_of_nothing_promised_is_full() -> None:
    assert showcase.bar(0, 0) == "█" * 20


def test_what_would_be_opened_is_shown_back_with_its_deadline_before_it_is() -> None:
    shown = showcase.confirm_campaign(
        "en",
        name="Summer show",
        text="",
        capacity=50,
        closes_at=3_000_000,
        channel_id=71,
        token="t1",
    )
    assert field(shown, "Places") == "50"
    assert "<t:3000:f>" in field(shown, "Deadline")
    assert labels(shown) == ["Confirm", "Dismiss"]
    assert ids(shown) == ["campaign-new:t1", "campaign-not:t1"]


def test_a_refused_closing_lists_what_is_unfinished_and_who_holds_it() -> None:
    refused = Refused("unfinished_entries", name="Summer show", number=12)
    some = [replace(entry_in(state), id=number) for number, state in enumerate(e.UNFINISHED)]
    page = showcase.not_closed("en", refused, some, more=9)
    queued, leased, returned, more, *_ = page.description.split("\n")
    assert "waits for a reviewer" in queued
    assert f"with <@{REVIEWER}> until {moment(2_000_000, 'f')}" in leased
    assert f"<@{AUTHOR}> is to answer <@{REVIEWER}>" in returned
    assert "9 more" in more
    assert "/review reclaim" in page.description
    assert "12" in page.text


def test_progress_counts_every_state_and_leads_on() -> None:
    counts = {"queued": 3, "leased": 2, "returned": 1, "done": 5, "withdrawn": 4}
    page = showcase.progress_page(
        "en", campaign_in("open"), counts, [entry_in("leased")], next_after=9, is_first=False
    )
    assert page.description.split("\n")[1:7] == [
        "█████████████░░░░░░░ 2 of 3 places promised",
        "Waiting for a reviewer: 3",
        "Being reviewed: 2",
        "Back with their authors: 1",
        "Done: 5",
        "Withdrawn: 4",
    ]
    assert ids(page) == ["progress:5:0", "progress:5:9"]


def test_a_list_leads_to_the_first_page_and_the_next() -> None:
    page = showcase.campaigns_page("en", [campaign_in("open")], next_before=4, is_first=False)
    assert ids(page) == ["campaigns:0", "campaigns:4"]
    assert ids(showcase.campaigns_page("en", [campaign_in("open")])) == []


def test_what_cannot_be_undone_is_asked_twice() -> None:
    first = confirming.first_question(
        "en", "close_campaign", onward="a1", back="b2", name="Show", channel="c"
    )
    second = confirming.second_question("en", "close_campaign", onward="c3", back="d4", name="Show")
    assert (labels(first), ids(first)) == (["Confirm", "Dismiss"], ["confirm:a1", "dismiss:b2"])
    assert (labels(second), ids(second)) == (["Yes", "Cancel"], ["yes:c3", "cancel:d4"])


def test_the_forms_ask_for_the_fields_that_are_agreed_on() -> None:
    entry = entry_in("leased")
    assert fields_of(entries.nominate_form("en", campaign_in("open"))) == ["title", "url", "why"]
    assert fields_of(reviews.edit_form("en", entry, token="t")) == ["title", "url", "why"]
    assert fields_of(reviews.approve_form("en", token="t")) == ["summary"]
    assert fields_of(reviews.send_back_form("en", token="t")) == ["words"]
    assert fields_of(entries.answer_form("en", entry)) == ["words", "title", "url", "why"]


def test_a_form_may_begin_with_what_a_message_holds() -> None:
    form = entries.nominate_form("en", campaign_in("open"), title="A kite", url=LINK, why="It is")
    values = [one.value for one in form.inputs if isinstance(one, Input)]
    assert values == ["A kite", LINK, "It is"]


def test_a_receipt_says_what_is_promised_and_what_happens_next() -> None:
    receipt = entries.nominated("en", entry_in("queued"), campaign_in("open"))
    assert "promise" in receipt.text
    assert receipt.title == "E7KQ2 · A kite"
    assert field(receipt, "State") == "Waiting for a reviewer"
    assert "/nominate" in field(receipt, "What happens next")
    again = entries.nominated("en", entry_in("queued"), campaign_in("open"), repeated=True)
    assert "already" in again.text
    assert again.fields == receipt.fields


@pytest.mark.parametrize(
    ("state", "buttons"),
    [
        ("queued", ["Show my name", "Withdraw"]),
        ("leased", ["Show my name", "Withdraw"]),
        ("returned", ["Answer", "Show my name", "Withdraw"]),
        ("done", ["Show my name"]),
        ("withdrawn", []),
    ],
)
def test_an_author_finds_at_their_entry_what_they_can_do(state: str, buttons: list[str]) -> None:
    page = entries.entry_page("en", entry_in(state), campaign_in("open"))
    assert labels(page) == buttons


def test_an_author_who_never_gets_a_direct_message_reads_the_words_at_their_entry() -> None:
    returned = entries.entry_page("en", entry_in("returned"), campaign_in("open"))
    assert field(returned, "The reviewer's words") == "Which wind?"
    done = entries.entry_page("en", entry_in("done"), campaign_in("closed"))
    assert field(done, "The review") == "A fine kite."


def test_whether_an_author_is_named_is_theirs_to_say_either_way() -> None:
    entry = entry_in("queued")
    assert "name-me:9:1" in ids(entries.entry_page("en", entry, campaign_in("open")))
    agreed = replace(entry, named=True)
    page = entries.entry_page("en", agreed, campaign_in("open"))
    assert "name-me:9:0" in ids(page)
    assert "Don't show my name" in labels(page)


def test_authors_are_told_of_steps_that_concern_them_and_of_no_other() -> None:
    told = {
        event: word
        for event in (*e.EVENT_NAMES.values(), "submit")
        for state in ENTRY_STATES
        if (word := entries.word_to_author("en", event, entry_in(state), campaign_in("open"),
                                           guild_name="Harbour"))
    }  # fmt: skip
    assert set(told) == {"submit", "edit", "send_back", "complete", "withdraw"}


def test_what_is_sent_back_comes_with_the_words_and_a_way_to_answer() -> None:
    word = entries.word_to_author(
        "en", "send_back", entry_in("returned"), campaign_in("open"), guild_name="Harbour"
    )
    assert word is not None
    assert field(word, "The reviewer's words") == "Which wind?"
    assert (labels(word), ids(word)) == (["Answer"], ["answer-entry:9"])
    assert "Harbour" in word.description
    assert word.mentions == ()


def test_an_edit_shows_the_author_what_stood_there_before() -> None:
    word = entries.word_to_author(
        "en",
        "edit",
        entry_in("leased"),
        campaign_in("open"),
        guild_name="Harbour",
        before={"title": "A kyte"},
    )
    assert word is not None
    assert [(one.name, one.value) for one in word.fields] == [("Title before", "A kyte")]


def test_a_review_card_shows_its_reviewer_everything() -> None:
    earlier = [
        reviews.Exchange(event="send_back", words="Which wind?"),
        reviews.Exchange(event="answer", words="A strong one."),
    ]
    card = reviews.review_card(
        "en", entry_in("leased"), campaign_in("open"), tokens=TOKENS, earlier=earlier
    )
    assert labels(card) == ["Approve", "Edit", "Send back", "Extend", "Give back"]
    assert ids(card) == [
        "approve:a1",
        "edit-entry:b2",
        "send-back:c3",
        "review-extend:9",
        "review-back:9",
    ]
    assert [one.value for one in card.fields] == [
        "example.org\n<https://example.org/work>",
        "It flies.",
        "Which wind?",
        "A strong one.",
    ]
    assert f"<@{AUTHOR}>" in card.description
    assert TOKEN not in card.to_json()


def test_a_nomination_by_somebody_else_asks_the_author_and_whether_they_are_named() -> None:
    offer = entries.offered(
        "en",
        campaign_in("open"),
        guild_name="Harbour",
        nominator_id=OTHER,
        title="A kite",
        url=LINK,
        tokens={"named": "a1", "unnamed": "b2", "no": "c3"},
    )
    assert labels(offer) == ["Yes, with my name", "Yes, without my name", "No"]
    assert ids(offer) == ["offer:a1", "offer:b2", "offer:c3"]


def test_a_link_is_shown_with_the_host_that_it_leads_to() -> None:
    assert link_to("en", LINK) == "[Open](https://example.org/work) · example.org"
    assert whole_link(LINK) == "example.org\n<https://example.org/work>"
    assert "my\\-site.test" in link_to("en", "https://my-site.test/a_b")


def test_of_a_long_host_the_end_is_shown_since_that_is_whose_it_is() -> None:
    host = "accounts.example.org." + "a." * 100 + "evil.test"
    for shown in (link_to("en", f"https://{host}/"), whole_link(f"https://{host}/")):
        assert "…" in shown
        assert "evil.test" in shown.replace(host, "")


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "https://a.test/) [x](https://b.test", "", "@everyone"]
)
def test_what_is_no_link_is_mere_text(url: str) -> None:
    for shown in (link_to("en", url), whole_link(url)):
        assert "](" not in shown
        assert "<" not in shown
        assert "https:" not in shown


def test_the_announcement_alerts_the_authors_who_agreed_each_once_and_nobody_else() -> None:
    works = [replace(entry_in("done"), id=n, author_id=n, named=n % 2 == 0) for n in range(1, 6)]
    agreed = [*range(1000, 1130), 1000, 1001]
    first, *thanks = announcing.announcement(
        "en", campaign_in("closed"), works, total=5, next_after=None, named=agreed
    )
    assert first.mentions == ()
    alerted = [member_id for message in thanks for member_id in message.mentions]
    assert alerted == list(range(1000, 1130))
    for message in thanks:
        assert len(message.mentions) <= 100
        assert message.text.count("<@") == len(message.mentions)


def test_the_gallery_names_those_who_agreed_and_alerts_nobody() -> None:
    works = [replace(entry_in("done"), id=n, author_id=n, named=n == 2) for n in (1, 2, 3)]
    page = announcing.gallery_page("en", campaign_in("closed"), works, at=1, total=3)
    assert [one.value for one in page.fields] == [
        "[Open](https://example.org/work) · example.org\nA fine kite.",
        "[Open](https://example.org/work) · example.org\nby <@2>\nA fine kite.",
        "[Open](https://example.org/work) · example.org\nA fine kite.",
    ]
    assert page.mentions == ()
    assert page.footer == "1 to 3 of 3"


def test_the_gallery_is_turned_page_by_page() -> None:
    works = [replace(entry_in("done"), id=number) for number in range(6, 11)]
    page = announcing.gallery_page(
        "en", campaign_in("closed"), works, at=6, total=12, next_after=10
    )
    assert ids(page) == ["gallery:5:0:1", "gallery:5:10:11"]
    assert page.footer == "6 to 10 of 12"


def test_nothing_but_an_announcement_ever_alerts_anybody() -> None:
    campaign, entry = campaign_in("open"), replace(entry_in("leased"), named=True)
    for page in (
        showcase.campaign_card("en", campaign, {}),
        entries.nominated("en", entry, campaign),
        reviews.review_card("en", entry, campaign, tokens=TOKENS),
        entries.offer_made("en", AUTHOR),
    ):
        assert page.mentions == ()
