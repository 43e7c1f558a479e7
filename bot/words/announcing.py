"""The gallery of a campaign, and its announcement: the one place where Steward alerts anybody.

Those alerted are authors who agreed to be named, each once: by the announcement's own messages, and
by no page that is turned to later. In the gallery itself their names alert nobody.
"""

from collections.abc import Sequence
from typing import Final

from bot.words.sentences import Plain, person, say
from bot.words.values import Button, Field, Message, Tone
from bot.words.works import link_to
from domain.campaigns import Campaign
from domain.entries import Done, Entry
from domain.text import discord_length, escape_within

GALLERY: Final = "gallery"
"""A page of what was made: `gallery:<campaign id>:<after entry id>:<number of its first>`."""
GALLERY_PAGE: Final = 5
"""How many entries a page shows."""

_TITLE = 256
_VALUE = 900
_SUMMARY = 400
_MENTIONS = 60


def announcement(
    locale: str,
    campaign: Campaign,
    works: Sequence[Entry],
    *,
    total: int,
    next_after: int | None,
    named: Sequence[int],
) -> tuple[Message, ...]:
    """What is said at the end of a campaign, as messages in order.

    First comes the gallery's first page, `works`; then thanks to the authors in `named`, as many
    messages as it takes: they alone are alerted, each of them once, whoever they are.
    """
    gallery = gallery_page(locale, campaign, works, at=1, total=total, next_after=next_after)
    people = tuple(dict.fromkeys(named))
    groups = [people[start : start + _MENTIONS] for start in range(0, len(people), _MENTIONS)]
    return (gallery, *(_thanks(locale, group) for group in groups))


def _thanks(locale: str, people: tuple[int, ...]) -> Message:
    shown = Plain(", ".join(person(member_id) for member_id in people))
    return Message(text=say(locale, "gallery.thanks", people=shown), mentions=people)


def gallery_page(
    locale: str,
    campaign: Campaign,
    works: Sequence[Entry],
    *,
    at: int,
    total: int,
    next_after: int | None = None,
) -> Message:
    """A page of what was made, oldest first; `at` is the number of its first work, from 1."""
    shown = works[:GALLERY_PAGE]
    last = at + len(shown) - 1
    ways = {"first": None if at == 1 else (0, 1), "next": next_after and (next_after, last + 1)}
    buttons = tuple(
        Button(
            label=say(locale, f"button.{name}"),
            custom_id=f"{GALLERY}:{campaign.id}:{way[0]}:{way[1]}",
        )
        for name, way in ways.items()
        if way
    )
    title = say(locale, "gallery.title", name=Plain(escape_within(campaign.name, _TITLE - 40)))
    if not works:
        text = say(locale, "gallery.end" if total else "gallery.none")
        return Message(title=title, description=text, tone=Tone.ENDED, buttons=buttons)
    return Message(
        title=title,
        fields=tuple(_work(locale, entry) for entry in shown),
        footer=say(locale, "gallery.page", first=at, last=last, total=total),
        tone=Tone.GOOD,
        buttons=buttons,
    )


def _work(locale: str, entry: Entry) -> Field:
    lines = [link_to(locale, entry.url)]
    if entry.named:
        lines.append(say(locale, "work.by", author=person(entry.author_id)))
    if isinstance(entry.state, Done):
        room = min(_SUMMARY, _VALUE - sum(map(discord_length, lines)))
        if summary := escape_within(entry.state.summary, max(room, 1)):
            lines.append(summary)
    return Field(name=escape_within(entry.title, _TITLE), value="\n".join(lines))
