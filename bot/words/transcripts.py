"""What a transcript says besides what people wrote. It is a web page: nothing in it is markup."""

from collections.abc import Iterable

from bot.words.sentences import Plain, has, say
from bot.words.values import Message
from domain.text import tidy

STEWARD = "Steward"

_NAME = 100


def happened(locale: str, event: str, state: str, *, who: str, topic: str, resolution: str) -> str:
    """The words for one step of a request; none for what only concerns Steward."""
    for key in (f"transcript.step.{event}.{state}", f"transcript.step.{event}"):
        if has(key):
            return say(
                locale,
                key,
                who=Plain(tidy(who, limit=_NAME) or "?"),
                topic=Plain(topic),
                resolution=Plain(resolution),
            )
    return ""


def borne(
    locale: str, *, stickers: Iterable[str], voice_seconds: int | None, forwarded: str | None
) -> str:
    """What a message bore besides text and files, a line each."""
    lines = [
        say(locale, "transcript.sticker", name=Plain(tidy(name, limit=_NAME) or "?"))
        for name in stickers
    ]
    if voice_seconds is not None:
        lines.append(say(locale, "transcript.voice", seconds=voice_seconds))
    if forwarded is not None:
        lines.append(say(locale, "transcript.forwarded"))
        lines.append(forwarded)
    return "\n".join(lines).rstrip()


def fetched(locale: str, reference: str) -> Message:
    """Beside the file."""
    return Message(text=say(locale, "transcript.fetched", reference=reference))
