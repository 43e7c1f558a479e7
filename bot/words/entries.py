"""What people read of their own entries: the form, the receipt, and a word about each step."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.words.asking import refused_with_text
from bot.words.sentences import Fact, Plain, has, person, say
from bot.words.showcase import NOMINATE
from bot.words.values import Button, Field, Input, Message, Modal, Option, Select, Style, Tone
from bot.words.works import WORK_TEXT, link_to, quoted, titled, work_inputs
from domain.campaigns import Campaign
from domain.entries import Done, Entry, Leased, Queued, Returned, Withdrawn
from domain.errors import Refused
from domain.text import escape_within, shorten, tidy

ANSWER: Final = "answer-entry"
"""Answers what an entry was sent back with: `answer-entry:<entry id>`, as a button and a form."""
WITHDRAW_ENTRY: Final = "withdraw-entry"
"""Withdraws an entry: `withdraw-entry:<entry id>`."""
NAMED: Final = "name-me"
"""Agrees to be named, or no longer: `name-me:<entry id>:<1 or 0>`."""
WHICH_CAMPAIGN: Final = "which-campaign"
"""Chooses a campaign to nominate for; its id comes with the press."""
OFFER: Final = "offer"
"""Answers a nomination by somebody else: `offer:<token>`."""

MOST_CHOICES: Final = 25

_CHOICE = 100
_LINE = 60
_GUILD = 100
_MOST_LINES = 10
_TONES = {
    Queued: Tone.WAITING,
    Leased: Tone.WORKING,
    Returned: Tone.TROUBLE,
    Done: Tone.GOOD,
    Withdrawn: Tone.ENDED,
}


def nominate_form(
    locale: str, campaign: Campaign, *, title: str = "", url: str = "", why: str = ""
) -> Modal:
    """The form behind `Nominate`; it may begin with what a message holds already."""
    return Modal(
        custom_id=f"{NOMINATE}:{campaign.id}",
        title=say(locale, "nominate.title"),
        inputs=work_inputs(locale, title=title, url=url, why=why),
    )


def which_campaign(locale: str, campaigns: Sequence[Campaign]) -> Message:
    """Several are open: for which one? None: that there is none."""
    if not campaigns:
        return Message(text=say(locale, "campaign.none_open"))
    return Message(
        text=say(locale, "campaign.which"),
        select=Select(
            custom_id=WHICH_CAMPAIGN,
            placeholder=say(locale, "campaign.which.placeholder"),
            options=tuple(
                Option(label=shorten(campaign.name, _CHOICE), value=str(campaign.id))
                for campaign in campaigns[:MOST_CHOICES]
            ),
        ),
    )


def nominated(locale: str, entry: Entry, campaign: Campaign, *, repeated: bool = False) -> Message:
    """The receipt of a nomination: what is promised, where it stands, what happens next."""
    text = say(locale, "nominated.again" if repeated else "nominated", name=campaign.name)
    return replace(entry_page(locale, entry, campaign), text=text)


def entry_page(locale: str, entry: Entry, campaign: Campaign) -> Message:
    """Where an author's own entry stands, and what they can do about it."""
    lines = [
        say(locale, "entry.in", name=campaign.name),
        link_to(locale, entry.url),
        f"-# {say(locale, 'entry.named' if entry.named else 'entry.unnamed')}",
    ]
    return Message(
        title=titled(entry),
        description="\n".join(lines),
        fields=(
            Field(name=say(locale, "card.state"), value=say(locale, f"entry.{entry.state_name}")),
            *_said(locale, entry),
            *_next(locale, entry),
        ),
        footer=say(locale, "entry.footer"),
        tone=_TONES[type(entry.state)],
        buttons=_ways(locale, entry),
    )


def _said(locale: str, entry: Entry) -> tuple[Field, ...]:
    match entry.state:
        case Returned(words=words):
            return quoted(locale, "entry.words", words)
        case Done(summary=summary):
            return quoted(locale, "entry.summary", summary)
        case _:
            return ()


def _next(locale: str, entry: Entry) -> tuple[Field, ...]:
    key = f"entry.next.{entry.state_name}"
    if not has(key):
        return ()
    return (Field(name=say(locale, "receipt.next"), value=say(locale, key)),)


def _ways(locale: str, entry: Entry) -> tuple[Button, ...]:
    """An answer where one is due, being named or not, and the way out while there is one."""
    if isinstance(entry.state, Withdrawn):
        return ()
    named = Button(
        label=say(locale, "button.unname" if entry.named else "button.name_me"),
        custom_id=f"{NAMED}:{entry.id}:{0 if entry.named else 1}",
    )
    if isinstance(entry.state, Done):
        return (named,)
    out = Button(label=say(locale, "button.withdraw"), custom_id=f"{WITHDRAW_ENTRY}:{entry.id}")
    if isinstance(entry.state, Returned):
        return (_answer(locale, entry), named, out)
    return (named, out)


def _answer(locale: str, entry: Entry) -> Button:
    return Button(
        label=say(locale, "button.answer"),
        custom_id=f"{ANSWER}:{entry.id}",
        style=Style.PRIMARY,
    )


def own_entries(locale: str, found: Sequence[tuple[Entry, Campaign]]) -> Message:
    """A member's own entries, newest first, where there is more than one; one whole otherwise."""
    if not found:
        return Message(text=say(locale, "entries.none"))
    if len(found) == 1:
        return entry_page(locale, *found[0])
    lines = [
        say(
            locale,
            "entries.line",
            reference=entry.reference,
            title=shorten(entry.title, _LINE),
            name=shorten(campaign.name, _LINE),
            state=Plain(say(locale, f"entry.{entry.state_name}")),
        )
        for entry, campaign in found[:_MOST_LINES]
    ]
    returned = [entry for entry, _ in found if isinstance(entry.state, Returned)]
    return Message(
        title=say(locale, "entries.title"),
        description="\n".join(lines),
        tone=Tone.WORKING,
        buttons=tuple(
            replace(
                _answer(locale, entry),
                label=f"{say(locale, 'button.answer')} {entry.reference}",
            )
            for entry in returned[:5]
        ),
    )


def withdrawn(locale: str, entry: Entry) -> Message:
    """The entry is out, and was perhaps out before; it frees no place."""
    return Message(text=say(locale, "entry.is_withdrawn", reference=entry.reference))


def nothing_to_withdraw(locale: str, campaign: Campaign) -> Message:
    """`Withdraw` on a card, from somebody without an entry there."""
    return Message(text=say(locale, "entry.none_here", name=campaign.name))


def answer_form(locale: str, entry: Entry) -> Modal:
    """The form behind `Answer`: words for the reviewer, and the work, to be put right."""
    return Modal(
        custom_id=f"{ANSWER}:{entry.id}",
        title=say(locale, "answer.title", reference=entry.reference),
        inputs=(
            Input(
                field_id="words",
                label=say(locale, "answer.words"),
                most=WORK_TEXT,
                long=True,
            ),
            *work_inputs(locale, title=entry.title, url=entry.url, why=entry.why),
        ),
    )


def answered(locale: str, entry: Entry) -> Message:
    """The answer is in: the entry waits for a reviewer again."""
    return Message(text=say(locale, "entry.answered", reference=entry.reference))


def named(locale: str, entry: Entry) -> Message:
    """Whether the author is named has changed."""
    key = "entry.named" if entry.named else "entry.unnamed"
    return Message(text=say(locale, key))


def not_taken(
    locale: str, refused: Refused, *, title: str = "", url: str = "", why: str = "", words: str = ""
) -> Message:
    """A form that was refused, with all that was typed given back."""
    rest = "\n\n".join(part for part in (url, why, words) if part.strip())
    return refused_with_text(locale, refused, topic=title, details=rest)


def offered(
    locale: str,
    campaign: Campaign,
    *,
    guild_name: str,
    nominator_id: int,
    title: str,
    url: str,
    tokens: Mapping[str, str],
) -> Message:
    """To a message's author: somebody would nominate it. Their yes says whether they are named.

    `tokens` are those of `named`, `unnamed` and `no`.
    """
    styles = {"named": Style.SUCCESS, "unnamed": Style.SUCCESS, "no": Style.SECONDARY}
    facts: dict[str, Fact] = {
        "who": person(nominator_id),
        "name": campaign.name,
        "guild": tidy(guild_name, limit=_GUILD) or "?",
    }
    return Message(
        title=escape_within(title, 256) or say(locale, "offer.title"),
        description="\n".join((link_to(locale, url), "", say(locale, "offer", **facts))),
        buttons=tuple(
            Button(
                label=say(locale, f"button.offer.{name}"),
                custom_id=f"{OFFER}:{tokens[name]}",
                style=style,
            )
            for name, style in styles.items()
        ),
    )


def offer_made(locale: str, author_id: int) -> Message:
    """To whoever nominates somebody else's message: its author is asked first."""
    return Message(text=say(locale, "offer.made", author=person(author_id)))


def offer_over(locale: str, what: str) -> Message:
    """What became of an offer: `declined`, or `not_a_person` for a bot's or a webhook's message."""
    return Message(text=say(locale, f"offer.{what}"))


def word_to_author(
    locale: str,
    event: str,
    entry: Entry,
    campaign: Campaign,
    *,
    guild_name: str,
    before: Mapping[str, str] | None = None,
) -> Message | None:
    """What the author reads of a step, by the event's name; None where it needs no word.

    `before` are the fields that an edit has changed, as they were.
    """
    key = f"author.{event}"
    if not has(key):
        return None
    facts: dict[str, Fact] = {
        "name": campaign.name,
        "guild": tidy(guild_name, limit=_GUILD) or "?",
    }
    changes = _changes(locale, before or {}) if event == "edit" else ()
    return Message(
        title=titled(entry),
        description=say(locale, key, **facts),
        fields=(*_said(locale, entry), *changes, *_author_next(locale, event)),
        tone=_TONES[type(entry.state)],
        buttons=(_answer(locale, entry),) if isinstance(entry.state, Returned) else (),
    )


def _author_next(locale: str, event: str) -> tuple[Field, ...]:
    key = f"author.{event}.next"
    if not has(key):
        return ()
    return (Field(name=say(locale, "receipt.next"), value=say(locale, key)),)


def _changes(locale: str, before: Mapping[str, str]) -> tuple[Field, ...]:
    fields: list[Field] = []
    for name in ("title", "url", "why"):
        if before.get(name):
            old = escape_within(before[name], 500)
            fields.append(Field(name=say(locale, f"work.before.{name}"), value=old))
    return tuple(fields)


def entry_suggestion(entry: Entry) -> str:
    """An entry as a choice while a command is typed."""
    return shorten(f"{entry.reference} · {entry.title}", _CHOICE)


def prompt_for_words(locale: str, entry: Entry) -> Message:
    """In a direct message: the next thing written there is the answer."""
    return Message(text=say(locale, "answer.prompt", reference=entry.reference))
