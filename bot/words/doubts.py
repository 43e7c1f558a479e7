"""Messages in doubt: what waits to be found out, and what a person decided."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.words.cards import decision_buttons
from bot.words.sentences import Plain, has, moment, person, problem, say
from bot.words.values import Button, Message, Style, Tone
from domain.requests import OUTCOME_UNKNOWN, Request
from domain.text import discord_length

_DESCRIPTION = 3900


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """A first message that may have arrived; `needs_person` once Steward can't find out."""

    request: Request
    problem: str | None
    since: int
    needs_person: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PartDoubt:
    """Any other message that may have arrived, of which only a person can say it.

    `what` is `words` to a member, `card`, `panel`, `organizer` or `notice`; `revision` tells this
    doubt about the part from an earlier one.
    """

    part_id: int
    revision: int
    what: str
    channel_id: int
    reference: str | None
    problem: str | None
    since: int


def doubts_page(locale: str, doubts: Sequence[Doubt | PartDoubt], *, at: int = 0) -> Message:
    """Every doubt, with the buttons of one that a person must settle: the one numbered `at`.

    Where several need a person, a button leads from each to the next, and round again.
    """
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
    asked = [doubt for doubt in doubts if isinstance(doubt, PartDoubt) or doubt.needs_person]
    if asked:
        here = at % len(asked)
        whose, buttons = _buttons(locale, asked[here])
        lines.append(f"\n{whose}")
        if len(asked) > 1:
            following = (here + 1) % len(asked)
            label = say(locale, "button.next")
            buttons += (Button(label=label, custom_id=f"doubts:{following}"),)
    return Message(
        title=say(locale, "doubts.title", number=len(doubts)),
        description="\n".join(lines),
        tone=Tone.TROUBLE,
        buttons=buttons,
    )


def _buttons(locale: str, doubt: Doubt | PartDoubt) -> tuple[str, tuple[Button, ...]]:
    """Whose the buttons are, in words, and the buttons."""
    if isinstance(doubt, Doubt):
        whose = say(locale, "doubts.buttons", reference=doubt.request.reference)
        return whose, decision_buttons(locale, doubt.request)
    styles = {"arrived": Style.SUCCESS, "absent": Style.SECONDARY, "drop": Style.DANGER}
    return say(locale, "doubts.part.buttons", **_facts(locale, doubt)), tuple(
        Button(
            label=say(locale, f"button.{name}"),
            custom_id=f"part_{name}:{doubt.part_id}:{doubt.revision}",
            style=style,
        )
        for name, style in styles.items()
    )


def _facts(locale: str, doubt: PartDoubt) -> dict[str, Plain]:
    return {
        "what": Plain(say(locale, f"doubts.what.{doubt.what}")),
        "channel": Plain(f"<#{doubt.channel_id}>"),
        "since": moment(doubt.since),
    }


def _line(locale: str, doubt: Doubt | PartDoubt) -> str:
    why = Plain(_why(locale, doubt.problem or OUTCOME_UNKNOWN))
    if isinstance(doubt, PartDoubt):
        facts = _facts(locale, doubt) | {"problem": why}
        if doubt.reference is None:
            what = say(locale, "doubts.part", **facts)
        else:
            what = say(locale, "doubts.part.of", reference=doubt.reference, **facts)
        who = say(locale, "doubts.part.person")
    else:
        what = say(
            locale,
            "doubts.line",
            reference=doubt.request.reference,
            member=person(doubt.request.member_id),
            since=moment(doubt.since),
            problem=why,
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


def decided_part(locale: str, decision: str) -> Message:
    """What a person's decision about any other message led to: `arrived`, `absent`, `dropped`."""
    return Message(text=say(locale, f"decided.part.{decision}"))
