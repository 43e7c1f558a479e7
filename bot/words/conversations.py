"""Words about conversations: ending them and handing them on."""

from typing import Final

from bot.words.sentences import Plain, has, moment, person, problem, say
from bot.words.values import Button, Field, Input, Message, Modal, PersonInput, Tone
from domain.requests import ENDED_BY_MEMBER, Request, Resolved
from domain.text import escape, shorten, tidy

REOPEN: Final = "reopen"
"""Reopens what has ended: `reopen:<request id>`."""

_FIELD = 1024


def resolve_form(locale: str, *, custom_id: str, limit: int) -> Modal:
    """The form behind `Resolve`; its submit is the confirmation."""
    return Modal(
        custom_id=custom_id,
        title=say(locale, "resolve.title"),
        inputs=(
            Input(
                field_id="resolution",
                label=say(locale, "resolve.label"),
                most=limit,
                long=True,
            ),
        ),
    )


def hand_over_form(locale: str, *, custom_id: str) -> Modal:
    """The form behind `Hand over`."""
    return Modal(
        custom_id=custom_id,
        title=say(locale, "handover.title"),
        inputs=(PersonInput(field_id="to", label=say(locale, "handover.label")),),
    )


def resolved(locale: str, request: Request) -> Message:
    """The coordinator has resolved it."""
    return Message(text=say(locale, "resolved", reference=request.reference))


def handed_over(locale: str, request: Request, to: int) -> Message:
    """Somebody else owns it now."""
    return Message(text=say(locale, "handed_over", reference=request.reference, to=person(to)))


def taken(locale: str, request: Request) -> Message:
    """The person owns it now."""
    return Message(text=say(locale, "taken", reference=request.reference))


def ended_for_member(
    request: Request,
    *,
    locale: str,
    guild_name: str,
    owner_name: str | None,
    reopen_until: int | None = None,
) -> Message:
    """What the member reads at the end. `owner_name` None: the team.

    `reopen_until` (UTC ms): until then they can reopen it, by a button.
    """
    assert isinstance(request.state, Resolved)
    guild = tidy(guild_name, limit=100) or "?"
    fields: tuple[Field, ...] = ()
    if request.state.resolution == ENDED_BY_MEMBER:
        text = say(locale, "ended.by_you", guild=guild)
    else:
        owner = owner_name or Plain(say(locale, "team"))
        text = say(locale, "ended.resolved", guild=guild, owner=owner)
        fields = (Field(name=say(locale, "ended.resolution"), value=_resolution(request.state)),)
    buttons: tuple[Button, ...] = ()
    if reopen_until is not None:
        text += "\n" + say(locale, "ended.reopen", until=moment(reopen_until, "f"))
        label = say(locale, "button.reopen")
        buttons = (Button(label=label, custom_id=f"{REOPEN}:{request.id}"),)
    return Message(
        title=say(locale, "ended.title", reference=request.reference),
        description=text,
        fields=fields,
        tone=Tone.ENDED,
        buttons=buttons,
    )


def ended_at_desk(request: Request, *, locale: str) -> Message:
    """What the desk's thread reads at the end."""
    assert isinstance(request.state, Resolved)
    if request.state.resolution == ENDED_BY_MEMBER:
        return Message(
            description=say(locale, "ended.by_member", member=person(request.member_id)),
            tone=Tone.ENDED,
        )
    return Message(
        description=say(locale, "ended.at_desk", owner=person(request.state.owner_id or 0)),
        fields=(Field(name=say(locale, "ended.resolution"), value=_resolution(request.state)),),
        tone=Tone.ENDED,
    )


def undelivered(request: Request, *, locale: str, kind: str, code: str) -> Message:
    """What the desk's thread reads of words to the member that were refused, or given up."""
    keys = (f"what.{kind}.{code}", f"what.other.{code}", f"what.{kind}", "what.other")
    what = next(key for key in keys if has(f"undelivered.{key}"))
    title = f"title.{code}"
    do = f"do.{code}"
    return Message(
        title=say(
            locale,
            f"undelivered.{title if has(f'undelivered.{title}') else 'title'}",
            reference=request.reference,
        ),
        description="\n".join(
            (
                say(locale, f"undelivered.{what}", member=person(request.member_id)),
                problem(locale, code),
                say(locale, f"undelivered.{do if has(f'undelivered.{do}') else 'do.other'}"),
            )
        ),
        tone=Tone.TROUBLE,
    )


def _resolution(state: Resolved) -> str:
    return shorten(escape(shorten(state.resolution, _FIELD // 2)), _FIELD)
