"""What coordinators read: answers to their presses, and the queue."""

from collections.abc import Sequence

from bot.words.sentences import moment, person, problem, say
from bot.words.values import Button, Message, Tone
from domain.requests import Active, Claimed, Queued, Request
from domain.text import shorten

_CHOICE = 100
_LINE_TOPIC = 80


def claimed(locale: str, request: Request) -> Message:
    """The claim is made: what happens next."""
    return Message(text=say(locale, "claimed", reference=request.reference))


def released(locale: str, request: Request) -> Message:
    """The claim is given back."""
    key = "given_back" if isinstance(request.state, Active) else "released"
    return Message(text=say(locale, key, reference=request.reference))


def extended(locale: str, request: Request) -> Message:
    """The claim lasts longer."""
    until = request.state.lease_until if isinstance(request.state, Claimed) else 0
    return Message(text=say(locale, "extended", reference=request.reference, until=moment(until)))


def queue_page(
    locale: str,
    waiting: Sequence[Request],
    *,
    total: int,
    next_after: int | None,
    is_first: bool = True,
) -> Message:
    """A page of what waits, oldest first, with the ways to the first page and to the next one."""
    ways = {"first": None if is_first else 0, "next": next_after}
    buttons = tuple(
        Button(label=say(locale, f"button.{name}"), custom_id=f"queue:{after_id}")
        for name, after_id in ways.items()
        if after_id is not None
    )
    if not waiting:
        text = say(locale, "queue.end" if total else "queue.empty", total=total)
        return Message(text=text, buttons=buttons)
    return Message(
        title=say(locale, "queue.title", total=total),
        description="\n".join(_line(locale, request) for request in waiting),
        tone=Tone.WAITING,
        buttons=buttons,
    )


def _line(locale: str, request: Request) -> str:
    line = say(
        locale,
        "queue.line",
        reference=request.reference,
        member=person(request.member_id),
        topic=shorten(request.topic, _LINE_TOPIC),
        asked=moment(request.created_at),
    )
    if isinstance(request.state, Queued) and request.state.last_problem is not None:
        line += f"\n-# {problem(locale, request.state.last_problem)}"
    return line


def suggestion(request: Request) -> str:
    """A request as a choice while a command is typed."""
    return shorten(f"{request.reference} · {request.topic}", _CHOICE)
