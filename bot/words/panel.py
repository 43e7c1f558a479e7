"""The standing `Ask for help` button, and requests that staff ask for a member."""

from bot.words.sentences import Fact, Plain, has, moment, person, refusal, say
from bot.words.values import Button, Message, Style, Tone
from domain.errors import Refused
from domain.requests import Request


def panel(locale: str) -> Message:
    """The standing button in a channel that members see."""
    return Message(
        title=say(locale, "panel.title"),
        description=say(locale, "panel.text"),
        tone=Tone.WORKING,
        buttons=(
            Button(label=say(locale, "button.ask"), custom_id="ask:panel", style=Style.PRIMARY),
        ),
    )


def panel_posted(locale: str, channel_id: int, *, allowed: bool) -> Message:
    """The panel is on its way, or what it needs."""
    key = "panel.posted" if allowed else "panel.not_allowed"
    return Message(text=say(locale, key, channel=Plain(f"<#{channel_id}>")))


def not_for_bots(locale: str) -> Message:
    """Nobody can help a bot."""
    return Message(text=say(locale, "open.bot"))


def not_opened(locale: str, refused: Refused, *, member_id: int) -> Message:
    """Why nothing was asked for the member, told to who tried."""
    details = refused.details
    facts: dict[str, Fact] = {
        "member": person(member_id),
        "reference": str(details.get("reference") or "?"),
        "until": moment(int(details.get("until") or 0)),
    }
    if has(f"open.{refused.code}"):
        return Message(text=say(locale, f"open.{refused.code}", **facts))
    return Message(text=refusal(locale, refused.code, dict(details)))


def opened(locale: str, request: Request) -> Message:
    """A request was asked for a member."""
    member = person(request.member_id)
    return Message(text=say(locale, "opened", reference=request.reference, member=member))
