"""What members read: the form, the receipt, their own requests."""

from bot.words.sentences import refusal, say
from bot.words.values import Field, Input, Message, Modal, Tone
from domain.errors import Refused
from domain.requests import Request
from domain.text import escape, shorten

_MANY = 100
_FIELD = 1024


def ask_form(locale: str, *, custom_id: str, topic_limit: int, details_limit: int) -> Modal:
    """The form behind `/help` and `Ask for help`."""
    return Modal(
        custom_id=custom_id,
        title=say(locale, "form.title"),
        inputs=(
            Input(
                field_id="topic",
                label=say(locale, "form.topic"),
                most=topic_limit,
                placeholder=say(locale, "form.topic.hint"),
            ),
            Input(
                field_id="details",
                label=say(locale, "form.details"),
                most=details_limit,
                long=True,
                required=False,
            ),
        ),
    )


def place(locale: str, before: int) -> str:
    """The place in the queue, in words."""
    if before == 0:
        return say(locale, "place.next")
    if before >= _MANY:
        return say(locale, "place.many", before=_MANY)
    return say(locale, "place.one" if before == 1 else "place.some", before=before)


def receipt(locale: str, request: Request, *, before: int | None) -> Message:
    """What a member gets for asking: reference, state, place, and what happens next."""
    state = say(locale, f"member.{request.state_name}")
    if before is not None:
        state += f"\n{place(locale, before)}"
    return Message(
        title=say(locale, "receipt.title", reference=request.reference),
        description=escape(request.topic),
        fields=(
            Field(name=say(locale, "card.state"), value=state),
            Field(name=say(locale, "receipt.next"), value=say(locale, "receipt.next.dm")),
        ),
        footer=say(locale, "receipt.footer"),
    )


def refused_with_text(locale: str, refused: Refused, *, topic: str, details: str) -> Message:
    """A refusal that gives back what was typed."""
    text = "\n".join(part for part in (topic, details) if part.strip())
    shown = shorten(escape(shorten(text, _FIELD // 2)), _FIELD)
    fields = (Field(name=say(locale, "refused.your_text"), value=shown),) if text else ()
    return Message(
        description=refusal(locale, refused.code, dict(refused.details)),
        fields=fields,
        tone=Tone.TROUBLE,
    )


def ended(locale: str, request: Request) -> Message:
    """The member has ended the conversation."""
    return Message(text=say(locale, "ended", reference=request.reference))
