"""A message in another language, for one person; or why it isn't there."""

from bot.words.sentences import has, say
from bot.words.values import Message, Tone
from domain.text import discord_length, escape, shorten

_DESCRIPTION = 4000


def translation(locale: str, text: str, source: str | None) -> Message:
    """The translated text, from the language `source` if that is known.

    It is an embed's description: no link in it is unfolded and nobody is mentioned, and it has
    twice the room of a message's text.
    """
    title = say(locale, "translation.title")
    if source:
        title = say(locale, "translation.title.from", language=language_name(locale, source))
    room = _DESCRIPTION
    while discord_length(shown := escape(shorten(text, room))) > _DESCRIPTION:
        room = room * 9 // 10
    whole = shown == escape(text)
    return Message(
        title=title,
        description=shown,
        footer=say(locale, "translation.footer" if whole else "translation.cut"),
        tone=Tone.ENDED,
    )


def not_translated(locale: str, code: str, target: str) -> Message:
    """Why there is no translation into `target`, and what to do."""
    return Message(
        text=say(locale, f"translation.failed.{code}", language=language_name(locale, target))
    )


def being_translated(locale: str) -> Message:
    """Somebody else asked a moment ago, and nothing has come of it yet."""
    return Message(text=say(locale, "translation.running"))


def gone(locale: str) -> Message:
    """The message was changed or erased while it was being translated."""
    return Message(text=say(locale, "translation.gone"))


def language_name(locale: str, code: str) -> str:
    """What a language is called; one that we have no name for is named by its code."""
    key = f"language.{code}"
    return say(locale, key) if has(key) else code
