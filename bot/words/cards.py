"""A request's card, its first message and its thread, as plain values.

Everything here is pure: the same request gives the same card, which is how a change is noticed.
"""

from dataclasses import dataclass

from bot.words.sentences import Plain, moment, person, problem, say
from bot.words.values import Button, Field, Message, Style, Tone
from domain.requests import (
    TERMINAL,
    Active,
    Claimed,
    Dropped,
    NeedsReconcile,
    Opening,
    Queued,
    Request,
    Resolved,
    Route,
    Withdrawn,
    owner_of,
)
from domain.text import escape_within, shorten, tidy

_TITLE = 256
_FIELD = 1024
_DESCRIPTION = 1500
_THREAD_NAME = 100

# None: nothing went wrong. The others: who has left can see no thread either.
_NO_THREAD_HELPS = frozenset({None, "no_mutual_guild", "unknown_user", "unknown_guild"})

_TONES = {
    Queued: Tone.WAITING,
    Claimed: Tone.WORKING,
    Opening: Tone.WORKING,
    NeedsReconcile: Tone.TROUBLE,
    Active: Tone.GOOD,
    Resolved: Tone.ENDED,
    Withdrawn: Tone.ENDED,
    Dropped: Tone.ENDED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """The request that another reopens, and who had it."""

    reference: str
    owner_id: int | None


def request_card(
    request: Request,
    *,
    locale: str,
    owner_name: str | None,
    max_attempts: int,
    needs_person: bool = False,
    never_known: bool = False,
    refused: str | None = None,
    earlier: Earlier | None = None,
) -> Message:
    """The request's card at the desk, with the buttons of its state.

    `needs_person` says that only a person can find out whether the first message arrived;
    `never_known`, that the request has ended and nobody has; `refused`, why a later word to the
    member was refused for good; `earlier`, that it reopens that one.
    """
    asked = say(
        locale,
        "card.asked",
        member=person(request.member_id),
        asked=moment(request.created_at),
    )
    if earlier is not None:
        asked += "\n" + _reopens(locale, earlier)
    fields = [
        Field(
            name=say(locale, "card.state"),
            value=_state_words(request, locale, owner_name, max_attempts, needs_person),
        )
    ]
    if request.details and type(request.state) not in TERMINAL:
        fields.append(
            Field(name=say(locale, "card.details"), value=escape_within(request.details, _FIELD))
        )
    state = request.state
    if isinstance(state, Queued) and state.last_problem is not None:
        words = problem(locale, state.last_problem)
        fields.append(Field(name=say(locale, "card.problem"), value=words))
    if never_known:
        words = problem(locale, "never_known")
        fields.append(Field(name=say(locale, "card.problem"), value=words))
    if refused is not None:
        words = problem(locale, refused)
        fields.append(Field(name=say(locale, "card.undelivered"), value=words))
    return Message(
        title=escape_within(f"{request.reference} · {request.topic}", _TITLE),
        description=asked,
        fields=tuple(fields),
        tone=_TONES[type(state)],
        buttons=_buttons(request, locale, needs_person),
    )


def _reopens(locale: str, earlier: Earlier) -> str:
    if earlier.owner_id is None:
        return say(locale, "card.reopens", reference=earlier.reference)
    owner = person(earlier.owner_id)
    return say(locale, "card.reopens.owned", reference=earlier.reference, owner=owner)


def _state_words(
    request: Request,
    locale: str,
    owner_name: str | None,
    max_attempts: int,
    needs_person: bool,
) -> str:
    state = request.state
    owner = _owner(request, locale, owner_name)
    match state:
        case Queued() if state.attempts >= max_attempts:
            return say(locale, "card.queued.limit", attempts=state.attempts)
        case Queued():
            return say(locale, "card.queued.again" if state.attempts else "card.queued")
        case Claimed():
            return say(locale, "card.claimed", owner=owner, until=moment(state.lease_until))
        case NeedsReconcile():
            key = "card.needs_person" if needs_person else "card.needs_reconcile"
            return say(locale, key, owner=owner)
        case Active(owner_id=None):
            return say(locale, "card.active.unassigned")
        case Dropped():
            dropper = person(state.dropped_by)
            reason = shorten(state.reason, 300)
            return say(locale, "card.dropped", owner=dropper, reason=reason)
        case Opening() | Active():
            return say(locale, f"card.{request.state_name}", owner=owner)
        case Resolved() | Withdrawn():
            return say(locale, f"card.{request.state_name}")


def _buttons(request: Request, locale: str, needs_person: bool) -> tuple[Button, ...]:
    match request.state:
        case Queued(last_problem=problem_code):
            claim = _button(locale, "claim", request, Style.PRIMARY)
            if problem_code in _NO_THREAD_HELPS or request.route is Route.THREAD:
                return (claim,)
            return (claim, _button(locale, "private_thread", request))
        case Claimed():
            return (_button(locale, "give_back", request), _button(locale, "extend", request))
        case NeedsReconcile() if needs_person:
            return decision_buttons(locale, request)
        case Active(owner_id=None):
            return (_button(locale, "take", request, Style.PRIMARY),)
        case Active():
            return (
                _button(locale, "resolve", request, Style.SUCCESS),
                _button(locale, "hand_over", request),
            )
        case _:
            return ()


def decision_buttons(locale: str, request: Request) -> tuple[Button, ...]:
    """What a person can say of a first message in doubt."""
    return (
        _button(locale, "arrived", request, Style.SUCCESS),
        _button(locale, "absent", request),
        _button(locale, "drop", request, Style.DANGER),
    )


_PREFIXES = {
    "claim": "claim",
    "give_back": "release",
    "extend": "extend",
    "private_thread": "thread",
    "resolve": "resolve",
    "hand_over": "handover",
    "take": "take",
    "arrived": "arrived",
    "absent": "absent",
    "drop": "drop",
}


def _button(locale: str, name: str, request: Request, style: Style = Style.SECONDARY) -> Button:
    return Button(
        label=say(locale, f"button.{name}"),
        custom_id=f"{_PREFIXES[name]}:{request.id}",
        style=style,
    )


def first_message(
    request: Request,
    *,
    locale: str,
    delivery_key: str,
    guild_name: str,
    owner_name: str | None,
) -> Message:
    """The first message to the member. `owner_name` None: they see the team, and nobody's name.

    Its button carries the delivery key: that is how the message is found again in the channel.
    """
    return Message(
        title=say(locale, "first.title", reference=request.reference),
        description=say(
            locale,
            "first.hello",
            owner=_name(owner_name) or Plain(say(locale, "team")),
            guild=tidy(guild_name, limit=100) or "?",
        ),
        fields=(
            Field(name=say(locale, "first.topic"), value=escape_within(request.topic, _FIELD)),
        ),
        tone=Tone.GOOD,
        buttons=(
            Button(
                label=say(locale, "button.end"),
                custom_id=f"end:{request.id}:{delivery_key}",
            ),
        ),
    )


def thread_name(request: Request, *, reference_last: bool = False) -> str:
    """The name of a request's thread: its reference and its topic, at most 100 characters.

    A private thread is found again by its name's end, so there the reference comes last.
    """
    room = _THREAD_NAME - len(request.reference) - 3
    topic = tidy(request.topic, limit=room)
    parts = (topic, request.reference) if reference_last else (request.reference, topic)
    return " · ".join(part for part in parts if part)


def thread_intro(request: Request, *, locale: str, owner_name: str | None) -> Message:
    """What the desk's thread begins with."""
    key = "thread.intro" if request.route is Route.DM else "thread.intro.private"
    facts = {"member": person(request.member_id), "owner": _owner(request, locale, owner_name)}
    fields: tuple[Field, ...] = ()
    if request.details:
        fields = (
            Field(name=say(locale, "card.details"), value=escape_within(request.details, _FIELD)),
        )
    return Message(
        title=escape_within(f"{request.reference} · {request.topic}", _TITLE),
        description=say(locale, key, **facts),
        fields=fields,
        tone=Tone.GOOD,
    )


def _owner(request: Request, locale: str, owner_name: str | None) -> Plain | str:
    owner_id = owner_of(request.state)
    if owner_id is not None:
        return person(owner_id)
    return _name(owner_name) or Plain(say(locale, "somebody"))


def _name(name: str | None) -> str:
    """What a person is called, no longer than Discord lets it be; empty if none of it shows."""
    return tidy(name or "", limit=32)
