"""What members read: the form, the receipt, their own requests."""

from dataclasses import replace

from bot.words.sentences import has, refusal, say
from bot.words.values import Field, Input, Message, Modal, Tone
from domain.errors import Refused
from domain.requests import Claimed, NeedsReconcile, Opening, Queued, Request, Route
from domain.text import escape, shorten

_MANY = 100
_DESCRIPTION = 4096
_NOT_YET_REACHED = (Queued, Claimed, Opening, NeedsReconcile)


def ask_form(
    locale: str, *, custom_id: str, topic_limit: int, details_limit: int, details: str = ""
) -> Modal:
    """The form behind `/help` and `Ask for help`; it may begin with details written before."""
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
                value=details,
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
    state = member_state(locale, request)
    if before is not None:
        state += f"\n{place(locale, before)}"
    fields = [Field(name=say(locale, "card.state"), value=state)]
    if isinstance(request.state, _NOT_YET_REACHED):
        what = say(locale, f"receipt.next.{request.route}")
        fields.append(Field(name=say(locale, "receipt.next"), value=what))
    return Message(
        title=say(locale, "receipt.title", reference=request.reference),
        description=escape(request.topic),
        fields=tuple(fields),
        footer=say(locale, "receipt.footer"),
    )


def reopened(locale: str, request: Request, earlier: Request, *, before: int | None) -> Message:
    """What a member gets for reopening."""
    text = say(locale, "reopened", reference=earlier.reference)
    return replace(receipt(locale, request, before=before), text=text)


def member_state(locale: str, request: Request) -> str:
    """Where a request stands, in a member's words."""
    key = f"member.{request.state_name}"
    if request.route is Route.THREAD and has(f"{key}.thread"):
        key = f"{key}.thread"
    return say(locale, key)


def refused_with_text(locale: str, refused: Refused, *, topic: str, details: str) -> Message:
    """A refusal that gives back what was typed, whole."""
    why = refusal(locale, refused.code, dict(refused.details))
    text = "\n\n".join(part for part in (topic, details) if part.strip())
    if not text:
        return Message(text=why)
    return Message(
        text=why,
        title=say(locale, "refused.your_text"),
        description=shorten(escape(text), _DESCRIPTION),
        tone=Tone.TROUBLE,
    )


def not_ended(locale: str, refused: Refused) -> Message:
    """Nothing was ended. The refusals' own sentences are the desk's, and this is a member's."""
    keys = {
        "active_request_not_owned": "ended.not_open",
        "request_not_found": "ended.not_yours",
    }
    key = keys.get(refused.code)
    text = say(locale, key) if key else refusal(locale, refused.code, dict(refused.details))
    return Message(text=text)


def not_reopened(locale: str, refused: Refused) -> Message:
    """Nothing was reopened. A request that isn't theirs is no more than one that can't be."""
    code = "reopen_over" if refused.code == "request_not_found" else refused.code
    return Message(text=refusal(locale, code, dict(refused.details)))


def ended(locale: str, request: Request) -> Message:
    """The member has ended the conversation."""
    return Message(text=say(locale, "ended", reference=request.reference))
