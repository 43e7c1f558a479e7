"""What people read of their own: a member's requests with their timelines, a coordinator's work."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.words.asking import member_state, place
from bot.words.sentences import has, moment, person, say
from bot.words.values import Button, Field, Message, Style, Tone
from domain.requests import ERASED, Active, Claimed, NeedsReconcile, Queued, Request
from domain.text import discord_length, escape, shorten, tidy

_MOST_BUTTONS = 5
_STEPS = 6
_TOPIC = 60
_EMBED = 5500
_WITHDRAWABLE = (Queued, Claimed, NeedsReconcile)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One event of a request's history: what happened, what state it led to, when (UTC ms)."""

    event: str
    state: str
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """A member's request: `before` is how many wait before them, if it waits."""

    request: Request
    guild_name: str
    before: int | None
    timeline: tuple[Step, ...]


def own_requests(locale: str, found: Sequence[Own], *, named: bool, text: str = "") -> Message:
    """A member's newest requests, each with the button that ends it while it is open.

    `named`: they may be of several servers, so each says which one.
    """
    if not found:
        return Message(text=text or say(locale, "own.none"))
    fields: list[Field] = []
    room = _EMBED
    for own in found:
        field = _own_field(locale, own, named=named)
        room -= discord_length(field.name) + discord_length(field.value)
        if room < 0:
            break
        fields.append(field)
    return Message(
        text=text,
        title=say(locale, "own.title"),
        fields=tuple(fields),
        tone=Tone.WORKING,
        buttons=_ways_out(locale, [own.request for own in found[: len(fields)]]),
    )


def _own_field(locale: str, own: Own, *, named: bool) -> Field:
    request = own.request
    name = escape(f"{request.reference} · {shorten(_topic(locale, request), _TOPIC)}")
    if named:
        name += escape(f" · {tidy(own.guild_name, limit=_TOPIC)}")
    lines = [f"**{member_state(locale, request)}**"]
    if own.before is not None:
        lines.append(place(locale, own.before))
    if isinstance(request.state, Queued) and request.state.last_problem is not None:
        lines.append(_member_problem(locale, request.state.last_problem))
    steps = [words for step in own.timeline if (words := _step(locale, step))]
    lines += [f"-# {words}" for words in steps[-_STEPS:]]
    return Field(name=name, value=shorten("\n".join(lines), 1024))


def _topic(locale: str, request: Request) -> str:
    """The topic; of a request that has been erased, that it has."""
    return say(locale, "own.erased") if request.topic == ERASED else request.topic


def _member_problem(locale: str, code: str) -> str:
    key = f"member.problem.{code}"
    return say(locale, key if has(key) else "member.problem.other")


def _step(locale: str, step: Step) -> str:
    """The words for one step; none for what only concerns Steward or the desk."""
    for key in (f"step.{step.event}.{step.state}", f"step.{step.event}"):
        if has(key):
            return say(locale, key, at=moment(step.at, "f"))
    return ""


def _ways_out(locale: str, requests: Sequence[Request]) -> tuple[Button, ...]:
    """A button for each open request; where there are several, each names its request."""
    ways = []
    for request in requests:
        if isinstance(request.state, _WITHDRAWABLE):
            ways.append((request, "withdraw", "withdraw"))
        elif isinstance(request.state, Active):
            ways.append((request, "end", "end"))
    return tuple(
        Button(
            label=say(locale, f"button.{name}") + (f" {one.reference}" if len(ways) > 1 else ""),
            custom_id=f"{prefix}:{one.id}",
            style=Style.SECONDARY,
        )
        for one, name, prefix in ways[:_MOST_BUTTONS]
    )


def own_work(locale: str, owned: Sequence[Request]) -> Message:
    """What a coordinator holds: claims with their end, conversations, sends in doubt."""
    if not owned:
        return Message(text=say(locale, "mine.none"))
    lines: list[str] = []
    for request in owned:
        line = say(
            locale,
            "mine.line",
            reference=request.reference,
            member=person(request.member_id),
            topic=shorten(request.topic, _TOPIC),
            state=say(locale, f"mine.{request.state_name}"),
        )
        if isinstance(request.state, Claimed):
            line += " " + moment(request.state.lease_until)
        lines.append(line)
    return Message(
        title=say(locale, "mine.title", number=len(owned)),
        description=_lines_within(lines, 4000),
        tone=Tone.WORKING,
    )


def _lines_within(lines: Sequence[str], limit: int) -> str:
    """As many whole lines as fit: half a line could end in half a mention."""
    kept: list[str] = []
    room = limit
    for line in lines:
        room -= discord_length(line) + 1
        if room < 0:
            break
        kept.append(line)
    return "\n".join(kept)
