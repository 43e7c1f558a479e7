"""First messages in doubt: what waits to be found out, and what a person decided."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.words.cards import decision_buttons
from bot.words.sentences import Plain, has, moment, person, problem, say
from bot.words.values import Button, Message, Tone
from domain.requests import OUTCOME_UNKNOWN, Request
from domain.text import discord_length

_DESCRIPTION = 4000


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """A first message that may have arrived; `needs_person` once Steward can't find out."""

    request: Request
    problem: str | None
    since: int
    needs_person: bool


def doubts_page(locale: str, doubts: Sequence[Doubt]) -> Message:
    """Every doubt, oldest first, with the buttons of the oldest that a person must settle."""
    if not doubts:
        return Message(text=say(locale, "doubts.none"))
    lines: list[str] = []
    room = _DESCRIPTION
    for doubt in doubts:
        line = _line(locale, doubt)
        room -= discord_length(line) + 1
        if room < 0:
            break
        lines.append(line)
    buttons: tuple[Button, ...] = ()
    first = next((doubt.request for doubt in doubts if doubt.needs_person), None)
    if first is not None:
        lines.append("\n" + say(locale, "doubts.buttons", reference=first.reference))
        buttons = decision_buttons(locale, first)
    return Message(
        title=say(locale, "doubts.title", number=len(doubts)),
        description="\n".join(lines),
        tone=Tone.TROUBLE,
        buttons=buttons,
    )


def _line(locale: str, doubt: Doubt) -> str:
    what = say(
        locale,
        "doubts.line",
        reference=doubt.request.reference,
        member=person(doubt.request.member_id),
        since=moment(doubt.since),
        problem=Plain(_why(locale, doubt.problem or OUTCOME_UNKNOWN)),
    )
    who = say(locale, "doubts.person" if doubt.needs_person else "doubts.steward")
    return f"{what}\n-# {who}"


def _why(locale: str, code: str) -> str:
    """Why it is in doubt. Most codes are an outage's, which has refused nothing."""
    if has(f"problem.{code}"):
        return problem(locale, code)
    return say(locale, "doubts.unknown", code=code)


def decided(locale: str, decision: str, request: Request) -> Message:
    """What a person's decision led to: `arrived`, `absent` or `dropped`."""
    return Message(text=say(locale, f"decided.{decision}", reference=request.reference))
