"""What Steward says of conversations that are carried: which one is meant, and what did not get
through.

What lands among carried words is an embed, which they can't be; see relay.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.words.asking import member_state, refused_with_text
from bot.words.sentences import Fact, Plain, has, person, problem, say
from bot.words.values import Button, Message, Option, Select, Style, Tone
from domain.errors import Refused
from domain.requests import Request, Route
from domain.text import shorten, tidy

ASK_PREFIX: Final = "dmask"
"""Asks for help in a server, from the direct messages: `dmask:<guild id>`."""

MOST_CHOICES: Final = 25

_MOST_BUTTONS = 5
_LABEL = 80
_LINE = 100
_GUILD = 100
_GONE = ("no_mutual_guild", "unknown_user")
_REWORDED = ("automod", "explicit_content")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A conversation that a member can write to; `value` is what comes back when it is chosen."""

    value: str
    reference: str
    topic: str
    guild_name: str
    chosen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """A server with a help desk."""

    guild_id: int
    guild_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A member's open request, and where it is talked about once it is."""

    request: Request
    guild_name: str
    channel_id: int | None


def which_conversation(
    locale: str, choices: Sequence[Choice], *, custom_id: str, held: bool = True
) -> Message:
    """Asks for which conversation a message is; `held`: one waits for the answer."""
    key = "room.which.one" if len(choices) == 1 else "room.which"
    text = say(locale, f"{key}.held" if held else f"{key}.choose")
    if len(choices) > MOST_CHOICES:
        text += f"\n-# {say(locale, 'room.which.more', most=MOST_CHOICES)}"
    return Message(
        title=say(locale, "room.which.title"),
        description=text,
        select=_select(locale, choices, custom_id),
    )


def held(locale: str) -> Message:
    """Another message waits for the same answer."""
    return Message(description=say(locale, "room.held"))


def conversation_over(locale: str, choices: Sequence[Choice], *, custom_id: str) -> Message:
    """What the member chose is not open any more: what they can write to instead."""
    message = current_conversation(locale, choices, custom_id=custom_id)
    return replace(message, text=say(locale, "room.stale"))


def current_conversation(locale: str, choices: Sequence[Choice], *, custom_id: str) -> Message:
    """`/conversation`: which one is written to, and the way to another."""
    if not choices:
        return no_conversation(locale, (), written=False)
    chosen = next((choice for choice in choices if choice.chosen), None)
    if chosen is None:
        return which_conversation(locale, choices, custom_id=custom_id, held=False)
    text = _about(locale, "room.current", chosen)
    if len(choices) == 1:
        return Message(description=f"{text}\n{say(locale, 'room.current.only')}", tone=Tone.WORKING)
    return Message(
        description=f"{text}\n{say(locale, 'room.current.change')}",
        tone=Tone.WORKING,
        select=_select(locale, choices, custom_id),
    )


def conversation_switched(locale: str, choice: Choice) -> Message:
    """The member has chosen."""
    return Message(description=_about(locale, "room.switched", choice), tone=Tone.WORKING)


def no_conversation(locale: str, desks: Sequence[Desk], *, written: bool = True) -> Message:
    """Nobody reads this: the ways to ask. `written`: something was, and was not passed on."""
    key = "room.none.now"
    if written:
        key = "room.none" if desks else "room.none.command"
    text = say(locale, key)
    if len(desks) > _MOST_BUTTONS:
        text += f"\n-# {say(locale, 'room.none.more')}"
    return Message(
        title=say(locale, "room.none.title" if written else "room.none.now.title"),
        description=text,
        buttons=tuple(_ask(locale, desk) for desk in desks[:_MOST_BUTTONS]),
    )


def not_passed_on(locale: str, waiting: Sequence[Waiting]) -> Message:
    """Nobody reads this yet, but the member has asked: where that stands, and where to write."""
    return Message(
        title=say(locale, "room.waiting.title"),
        description="\n".join(
            (say(locale, "room.waiting"), *(_where(locale, one) for one in waiting))
        ),
    )


def _where(locale: str, waiting: Waiting) -> str:
    facts: dict[str, Fact] = {
        "guild": _guild(waiting.guild_name),
        "reference": waiting.request.reference,
        "topic": tidy(waiting.request.topic, limit=_LINE) or "?",
    }
    if waiting.request.route is Route.THREAD and waiting.channel_id is not None:
        channel = Plain(f"<#{waiting.channel_id}>")
        return say(locale, "room.waiting.thread", channel=channel, **facts)
    state = Plain(member_state(locale, waiting.request))
    return say(locale, "room.waiting.line", state=state, **facts)


def only_coordinators(locale: str, *, member_id: int, role_id: int) -> Message:
    """In a desk's thread, to somebody who reads along and has written."""
    return Message(
        description=say(
            locale, "room.not_staff", member=person(member_id), role=Plain(f"<@&{role_id}>")
        )
    )


def words_undelivered(locale: str, request: Request, code: str) -> Message:
    """In a desk's thread: what a coordinator wrote did not reach the member, and what to do."""
    lines = (
        say(locale, "room.unreached", member=person(request.member_id)),
        problem(locale, code),
        say(locale, _by_code("room.unreached.do", code)),
    )
    return Message(
        title=say(locale, "undelivered.title", reference=request.reference),
        description="\n".join(lines),
        tone=Tone.TROUBLE,
    )


def words_refused(locale: str, code: str) -> Message:
    """To the member: what they wrote can't be posted at the desk, and what to do."""
    return Message(
        title=say(locale, "room.refused.title"),
        description=say(locale, _by_code("room.refused", code)),
        tone=Tone.TROUBLE,
    )


def no_room_on_disk(locale: str) -> Message:
    """To whoever sent a file, on either side: it waits, and goes on by itself."""
    return _titled(locale, "room.disk")


def reply_by_command(locale: str) -> Message:
    """In a desk's thread: without the message-content intent, what is written there is not read."""
    return _titled(locale, "room.no_intent")


def mention_to_write(locale: str) -> Message:
    """To a member in a private thread: without that intent, only what mentions Steward is read."""
    return _titled(locale, "room.no_intent.member")


def thread_replaced(locale: str, request: Request) -> Message:
    """First in a thread that goes on for one that is gone: where the earlier words are."""
    return Message(
        title=say(locale, "room.replaced.title"),
        description=say(locale, "room.replaced", reference=request.reference),
        tone=Tone.WORKING,
    )


def too_fast(locale: str, most: int) -> Message:
    """To a member who writes more than `most` messages a minute: the rest goes on later."""
    return Message(
        title=say(locale, "room.too_fast.title"),
        description=say(locale, "room.too_fast", most=most),
    )


def over_for_member(locale: str, request: Request, desk: Desk) -> Message:
    """The conversation ended while the member's message was on its way."""
    return Message(
        title=say(locale, "room.over.title", reference=request.reference),
        description=say(locale, "room.over.member", guild=_guild(desk.guild_name)),
        tone=Tone.ENDED,
        buttons=(_ask(locale, desk),),
    )


def over_at_desk(locale: str, request: Request) -> Message:
    """The conversation ended while a coordinator's message was on its way."""
    return Message(
        title=say(locale, "room.over.title", reference=request.reference),
        description=say(locale, "room.over.desk", member=person(request.member_id)),
        tone=Tone.ENDED,
    )


def reply_taken(locale: str, request: Request, *, note: bool = False) -> Message:
    """`/reply`: it is in the queue, or stays at the desk as a note."""
    key = "reply.noted" if note else "reply.taken"
    return Message(text=say(locale, key, reference=request.reference))


def reply_refused(locale: str, refused: Refused, text: str) -> Message:
    """`/reply`: why not, with what was typed given back."""
    return refused_with_text(locale, refused, topic=text, details="")


def _titled(locale: str, key: str) -> Message:
    return Message(title=say(locale, f"{key}.title"), description=say(locale, key))


def _by_code(prefix: str, code: str) -> str:
    """The key for a code of Discord's, for its kind, or for all others."""
    kind = "gone" if code in _GONE else "reword" if code in _REWORDED else "other"
    keys = (f"{prefix}.{code}", f"{prefix}.{kind}", f"{prefix}.other")
    return next(key for key in keys if has(key))


def _about(locale: str, key: str, choice: Choice) -> str:
    return say(
        locale,
        key,
        guild=_guild(choice.guild_name),
        reference=choice.reference,
        topic=tidy(choice.topic, limit=_LINE) or "?",
    )


def _guild(name: str) -> str:
    return tidy(name, limit=_GUILD) or "?"


def _ask(locale: str, desk: Desk) -> Button:
    label = f"{say(locale, 'button.ask')}: {_guild(desk.guild_name)}"
    return Button(
        label=shorten(label, _LABEL),
        custom_id=f"{ASK_PREFIX}:{desk.guild_id}",
        style=Style.PRIMARY,
    )


def _select(locale: str, choices: Sequence[Choice], custom_id: str) -> Select:
    return Select(
        custom_id=custom_id,
        placeholder=say(locale, "room.which.placeholder"),
        options=tuple(
            Option(
                label=tidy(f"{choice.reference} · {choice.topic}", limit=_LINE),
                value=choice.value,
                description=_guild(choice.guild_name),
                chosen=choice.chosen,
            )
            for choice in choices[:MOST_CHOICES]
        ),
    )
