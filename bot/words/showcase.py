"""A campaign's card, and what organizers read of their campaigns, as plain values.

Everything here is pure: the same campaign gives the same card, which is how a change is noticed.
`counts` are a campaign's entries by the name of their state, as the ledger has them.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.words.sentences import Fact, Plain, moment, person, refusal, say
from bot.words.values import Button, Field, Message, Style, Tone
from domain.campaigns import Campaign, Closed, Draining, Open
from domain.entries import Entry, Leased, Returned
from domain.errors import Refused
from domain.text import discord_length, escape_within, shorten

NOMINATE: Final = "nominate"
"""Nominates for a campaign: `nominate:<campaign id>`, as a button and as a form."""
WITHDRAW: Final = "withdraw-mine"
"""Withdraws one's own entry in a campaign: `withdraw-mine:<campaign id>`."""
REVIEW: Final = "review"
"""Takes a campaign's next entry: `review:<campaign id>`."""
PROGRESS: Final = "progress"
"""A page of where a campaign stands: `progress:<campaign id>:<after entry id>`."""
CAMPAIGNS: Final = "campaigns"
"""A page of campaigns: `campaigns:<before campaign id>`, 0 for the first one."""
NEW_CAMPAIGN: Final = "campaign-new"
"""Opens the campaign that was shown: `campaign-new:<token>`."""
NO_CAMPAIGN: Final = "campaign-not"
"""Opens no campaign after all: `campaign-not:<token>`."""

_BAR = 20
_TITLE = 256
_TEXT = 2000
_LINE_TITLE = 100
_LINES = 3000
_CHOICE = 100
_TONES = {Open: Tone.WORKING, Draining: Tone.WAITING, Closed: Tone.ENDED}


def bar(part: int, whole: int) -> str:
    """How much of the whole it is, in blocks: full only when all, empty only when none of it is."""
    filled = _BAR if part >= whole else max(part * _BAR // whole, 1 if part else 0)
    return "█" * filled + "░" * (_BAR - filled)


def campaign_card(locale: str, campaign: Campaign, counts: Mapping[str, int]) -> Message:
    """The campaign's card in its channel, with the buttons of its state."""
    return Message(
        title=escape_within(campaign.name, _TITLE),
        description=_described(locale, campaign),
        fields=_standing(locale, campaign, counts),
        footer=campaign.slug,
        tone=_TONES[type(campaign.state)],
        buttons=_buttons(locale, campaign),
    )


def _described(locale: str, campaign: Campaign) -> str:
    state = say(locale, f"campaign.{campaign.state_name}")
    text = escape_within(campaign.text, _TEXT)
    return f"{text}\n\n{state}" if text else state


def _standing(locale: str, campaign: Campaign, counts: Mapping[str, int]) -> tuple[Field, ...]:
    fields: list[Field] = []
    if not isinstance(campaign.state, Closed):
        fields.append(Field(name=say(locale, "campaign.places"), value=_places(locale, campaign)))
        value = _deadline(campaign.closes_at)
        fields.append(Field(name=say(locale, "campaign.deadline"), value=value))
    if campaign.accepted_count:
        fields.append(_kept(locale, campaign, counts))
    return tuple(fields)


def _places(locale: str, campaign: Campaign) -> str:
    words = say(
        locale, "campaign.places.left", left=campaign.places_left, capacity=campaign.capacity
    )
    return f"{bar(campaign.accepted_count, campaign.capacity)}\n{words}"


def _kept(locale: str, campaign: Campaign, counts: Mapping[str, int]) -> Field:
    """How many of the promises are kept; an entry that was withdrawn holds nobody to anything."""
    done, withdrawn = counts.get("done", 0), counts.get("withdrawn", 0)
    promised = campaign.accepted_count - withdrawn
    words = say(locale, "campaign.reviewed.of", done=done, promised=promised)
    if withdrawn:
        words += f"\n-# {say(locale, 'campaign.withdrawn', withdrawn=withdrawn)}"
    return Field(name=say(locale, "campaign.reviewed"), value=f"{bar(done, promised)}\n{words}")


def _deadline(closes_at: int) -> str:
    return f"{moment(closes_at, 'f')} ({moment(closes_at)})"


def _buttons(locale: str, campaign: Campaign) -> tuple[Button, ...]:
    if isinstance(campaign.state, Closed):
        return ()
    ways = [("withdraw", WITHDRAW, Style.SECONDARY), ("review_next", REVIEW, Style.SECONDARY)]
    if isinstance(campaign.state, Open):
        ways.insert(0, ("nominate", NOMINATE, Style.PRIMARY))
    return tuple(
        Button(label=say(locale, f"button.{name}"), custom_id=f"{way}:{campaign.id}", style=style)
        for name, way, style in ways
    )


def confirm_campaign(
    locale: str,
    *,
    name: str,
    text: str,
    capacity: int,
    closes_at: int,
    channel_id: int,
    token: str,
) -> Message:
    """What would be opened, shown back before it is: the deadline above all."""
    where = say(locale, "campaign.confirm", channel=Plain(f"<#{channel_id}>"))
    shown = escape_within(text, _TEXT)
    return Message(
        title=escape_within(name, _TITLE),
        description=f"{shown}\n\n{where}" if shown else where,
        fields=(
            Field(name=say(locale, "campaign.places"), value=str(capacity)),
            Field(name=say(locale, "campaign.deadline"), value=_deadline(closes_at)),
        ),
        buttons=(
            Button(
                label=say(locale, "button.confirm"),
                custom_id=f"{NEW_CAMPAIGN}:{token}",
                style=Style.PRIMARY,
            ),
            Button(label=say(locale, "button.dismiss"), custom_id=f"{NO_CAMPAIGN}:{token}"),
        ),
    )


def campaign_done(locale: str, what: str, campaign: Campaign) -> Message:
    """What an organizer did: `created`, `edited`, `drained` or `closed_now`."""
    facts: dict[str, Fact] = {
        "name": campaign.name,
        "channel": Plain(f"<#{campaign.channel_id}>"),
        "until": Plain(_deadline(campaign.closes_at)),
    }
    return Message(text=say(locale, f"campaign.{what}", **facts))


def campaign_dismissed(locale: str) -> Message:
    """No campaign is opened after all."""
    return Message(text=say(locale, "campaign.dismissed"))


def channel_not_allowed(locale: str, channel_id: int) -> Message:
    """A card can't be posted there: what is missing."""
    return Message(text=say(locale, "campaign.not_allowed", channel=Plain(f"<#{channel_id}>")))


def campaigns_page(
    locale: str,
    found: Sequence[Campaign],
    *,
    next_before: int | None = None,
    is_first: bool = True,
) -> Message:
    """A page of a server's campaigns, newest first, with the ways to the first and the next."""
    ways = {"first": None if is_first else 0, "next": next_before}
    buttons = tuple(
        Button(label=say(locale, f"button.{name}"), custom_id=f"{CAMPAIGNS}:{before}")
        for name, before in ways.items()
        if before is not None
    )
    if not found:
        key = "campaigns.none" if is_first else "campaigns.end"
        return Message(text=say(locale, key), buttons=buttons)
    return Message(
        title=say(locale, "campaigns.title"),
        description=_within("\n".join(_campaign_line(locale, one) for one in found)),
        tone=Tone.WORKING,
        buttons=buttons,
    )


def _campaign_line(locale: str, campaign: Campaign) -> str:
    return say(
        locale,
        f"campaigns.line.{campaign.state_name}",
        name=shorten(campaign.name, _LINE_TITLE),
        slug=campaign.slug,
        accepted=campaign.accepted_count,
        capacity=campaign.capacity,
        until=moment(campaign.closes_at, "f"),
        channel=Plain(f"<#{campaign.channel_id}>"),
    )


def progress_page(
    locale: str,
    campaign: Campaign,
    counts: Mapping[str, int],
    unfinished: Sequence[Entry],
    *,
    next_after: int | None = None,
    is_first: bool = True,
) -> Message:
    """Where a campaign stands: its counts, and a page of what is unfinished and with whom."""
    lines = [say(locale, f"progress.{name}", number=counts.get(name, 0)) for name in _COUNTED]
    listed = _unfinished(locale, unfinished)
    ways = {"first": None if is_first else 0, "next": next_after}
    return Message(
        title=escape_within(campaign.name, _TITLE),
        description="\n".join(
            (
                say(locale, f"campaign.{campaign.state_name}"),
                say(
                    locale,
                    "progress.accepted",
                    bar=Plain(bar(campaign.accepted_count, campaign.capacity)),
                    number=campaign.accepted_count,
                    capacity=campaign.capacity,
                ),
                *lines,
                *((f"\n{listed}",) if listed else ()),
            )
        ),
        tone=_TONES[type(campaign.state)],
        buttons=tuple(
            Button(
                label=say(locale, f"button.{name}"),
                custom_id=f"{PROGRESS}:{campaign.id}:{after}",
            )
            for name, after in ways.items()
            if after is not None
        ),
    )


_COUNTED = ("queued", "leased", "returned", "done", "withdrawn")


def not_closed(
    locale: str, refused: Refused, unfinished: Sequence[Entry], *, more: int = 0
) -> Message:
    """Closing is refused: what is unfinished and who holds it; `more` are not listed."""
    why = refusal(locale, refused.code, dict(refused.details))
    listed = _unfinished(locale, unfinished)
    if not listed:
        return Message(text=why)
    if more:
        listed += f"\n-# {say(locale, 'unfinished.more', number=more)}"
    return Message(
        text=why,
        title=say(locale, "unfinished.title"),
        description=f"{listed}\n\n{say(locale, 'unfinished.do')}",
        tone=Tone.TROUBLE,
    )


def _unfinished(locale: str, entries: Sequence[Entry]) -> str:
    return _within("\n".join(_unfinished_line(locale, entry) for entry in entries))


def _unfinished_line(locale: str, entry: Entry) -> str:
    facts: dict[str, Fact] = {
        "reference": entry.reference,
        "title": shorten(entry.title, _LINE_TITLE),
        "since": moment(entry.created_at),
        "author": person(entry.author_id),
    }
    if isinstance(entry.state, Leased):
        facts["until"] = moment(entry.state.lease_until, "f")
    if isinstance(entry.state, Leased | Returned):
        facts["reviewer"] = person(entry.state.reviewer_id)
    return say(locale, f"unfinished.{entry.state_name}", **facts)


def _within(lines: str) -> str:
    """As many whole lines as a page holds: half a line could end in half a mention."""
    while discord_length(lines) > _LINES:
        lines = lines.rpartition("\n")[0]
    return lines


def exported(locale: str, campaign: Campaign, *, left_out: int = 0) -> Message:
    """The files of a campaign; `left_out` entries did not fit into the table."""
    text = say(locale, "export.ready", name=campaign.name)
    if left_out:
        text += "\n" + say(locale, "export.left_out", number=left_out)
    return Message(text=text)


def campaign_suggestion(campaign: Campaign) -> str:
    """A campaign as a choice while a command is typed."""
    return shorten(campaign.name, _CHOICE)
