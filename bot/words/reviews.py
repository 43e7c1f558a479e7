"""What reviewers read: the card of what they hold, its forms, and answers to their presses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.words.sentences import Fact, Plain, moment, person, say
from bot.words.showcase import REVIEW
from bot.words.values import Button, Field, Input, Message, Modal, Style, Tone
from bot.words.works import WORK_TEXT, quoted, titled, whole_link, work_inputs
from domain.campaigns import Campaign
from domain.entries import Entry, Leased
from domain.text import discord_length, shorten

APPROVE: Final = "approve"
"""Approves what a reviewer holds: `approve:<token>`, as a button and as a form."""
EDIT: Final = "edit-entry"
"""Puts it right: `edit-entry:<token>`, as a button and as a form."""
SEND_BACK: Final = "send-back"
"""Asks its author something first: `send-back:<token>`, as a button and as a form."""
EXTEND: Final = "review-extend"
"""Holds it for longer: `review-extend:<entry id>`."""
GIVE_BACK: Final = "review-back"
"""Gives it back to the queue: `review-back:<entry id>`."""
SHOW: Final = "review-show"
"""Shows what a reviewer holds once more: `review-show:<entry id>`."""

_LINE = 60
_LINES = 15
_MOST_EARLIER = 3
_EMBED = 5800
_MOST_BUTTONS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """Words that passed: `send_back` is a reviewer's event, `answer` the author's."""

    event: str
    words: str


def review_card(
    locale: str,
    entry: Entry,
    campaign: Campaign,
    *,
    tokens: Mapping[str, str],
    earlier: Sequence[Exchange] = (),
    text: str = "",
) -> Message:
    """The entry in full, for whoever holds it; `tokens` are those of each decision, by its name.

    `earlier` is what passed between reviewers and the author, oldest first.
    """
    assert isinstance(entry.state, Leased)
    facts: dict[str, Fact] = {
        "name": campaign.name,
        "author": person(entry.author_id),
        "entered": moment(entry.created_at),
        "until": moment(entry.state.lease_until, "f"),
    }
    card = Message(
        text=text,
        title=titled(entry),
        description=say(locale, "review.card", **facts),
        fields=(
            Field(name=say(locale, "work.url"), value=whole_link(entry.url)),
            *quoted(locale, "work.why", entry.why),
        ),
        footer=say(locale, "review.footer"),
        tone=Tone.WORKING,
        buttons=_decisions(locale, entry, tokens),
    )
    return replace(card, fields=(*card.fields, *_earlier(locale, earlier, room=_room(card))))


def _room(card: Message) -> int:
    shown = [card.title, card.description, card.footer]
    shown += [part for field in card.fields for part in (field.name, field.value)]
    return _EMBED - sum(map(discord_length, shown))


def _earlier(locale: str, earlier: Sequence[Exchange], *, room: int) -> list[Field]:
    """The last words that passed, as many as there is room for."""
    kept: list[Field] = []
    for one in reversed(earlier[-_MOST_EARLIER:]):
        for field in quoted(locale, f"review.{one.event}", one.words):
            room -= discord_length(field.name) + discord_length(field.value)
            if room < 0:
                return kept
            kept.insert(0, field)
    return kept


def _decisions(locale: str, entry: Entry, tokens: Mapping[str, str]) -> tuple[Button, ...]:
    ways = (
        ("approve", f"{APPROVE}:{tokens['approve']}", Style.SUCCESS),
        ("edit", f"{EDIT}:{tokens['edit']}", Style.SECONDARY),
        ("send_back", f"{SEND_BACK}:{tokens['send_back']}", Style.SECONDARY),
        ("extend", f"{EXTEND}:{entry.id}", Style.SECONDARY),
        ("give_back", f"{GIVE_BACK}:{entry.id}", Style.SECONDARY),
    )
    return tuple(
        Button(label=say(locale, f"button.{name}"), custom_id=custom_id, style=style)
        for name, custom_id, style in ways
    )


def approve_form(locale: str, *, token: str) -> Modal:
    """The form behind `Approve`; its submit is the decision."""
    return Modal(
        custom_id=f"{APPROVE}:{token}",
        title=say(locale, "approve.title"),
        inputs=(_long(locale, "summary", "approve.summary"),),
    )


def send_back_form(locale: str, *, token: str) -> Modal:
    """The form behind `Send back`: what the author has to answer."""
    return Modal(
        custom_id=f"{SEND_BACK}:{token}",
        title=say(locale, "send_back.title"),
        inputs=(_long(locale, "words", "send_back.words"),),
    )


def edit_form(locale: str, entry: Entry, *, token: str) -> Modal:
    """The form behind `Edit`, with what stands there now."""
    return Modal(
        custom_id=f"{EDIT}:{token}",
        title=say(locale, "edit.title", reference=entry.reference),
        inputs=work_inputs(locale, title=entry.title, url=entry.url, why=entry.why),
    )


def _long(locale: str, field_id: str, label: str) -> Input:
    return Input(field_id=field_id, label=say(locale, label), most=WORK_TEXT, long=True)


def nothing_to_review(locale: str) -> Message:
    """Nothing waits that this reviewer may take."""
    return Message(text=say(locale, "review.none"))


def reviewed(locale: str, what: str, entry: Entry) -> Message:
    """What a press did: `approved`, `sent_back`, `given_back` or `reclaimed`.

    Whoever has decided goes on to the campaign's next entry from there.
    """
    onward = Button(
        label=say(locale, "button.review_next"), custom_id=f"{REVIEW}:{entry.campaign_id}"
    )
    return Message(
        text=say(locale, f"review.{what}", reference=entry.reference),
        buttons=(onward,) if what in ("approved", "sent_back") else (),
    )


def held_page(locale: str, held: Sequence[Entry]) -> Message:
    """What a reviewer holds, the longest first, with a button for the card of each."""
    if not held:
        return Message(text=say(locale, "review.mine.none"))
    return Message(
        title=say(locale, "review.mine", number=len(held)),
        description="\n".join(_held_line(locale, entry) for entry in held[:_LINES]),
        tone=Tone.WORKING,
        buttons=tuple(
            Button(label=entry.reference, custom_id=f"{SHOW}:{entry.id}")
            for entry in held[:_MOST_BUTTONS]
        ),
    )


def _held_line(locale: str, entry: Entry) -> str:
    assert isinstance(entry.state, Leased)
    return say(
        locale,
        "review.mine.line",
        reference=entry.reference,
        title=shorten(entry.title, _LINE),
        until=moment(entry.state.lease_until, "f"),
    )


def lease_ending(locale: str, entry: Entry) -> Message:
    """To a reviewer: their time for an entry runs out soon."""
    assert isinstance(entry.state, Leased)
    return Message(
        title=titled(entry),
        description=say(locale, "review.ending", until=moment(entry.state.lease_until)),
        tone=Tone.WAITING,
        buttons=(
            Button(label=say(locale, "button.extend"), custom_id=f"{EXTEND}:{entry.id}"),
            Button(label=say(locale, "button.give_back"), custom_id=f"{GIVE_BACK}:{entry.id}"),
        ),
    )


def edited(locale: str, entry: Entry) -> Plain:
    """The line above the card once it has been put right."""
    return Plain(say(locale, "review.edited", reference=entry.reference))


def extended(locale: str, entry: Entry) -> Plain:
    """The line above the card once it is held for longer."""
    assert isinstance(entry.state, Leased)
    until = moment(entry.state.lease_until, "f")
    return Plain(say(locale, "review.extended", reference=entry.reference, until=until))
