"""Confirmations of what can't be undone: asked twice, each time by buttons that work once.

`act` names what is confirmed and where its sentences are: `close_campaign`. Tokens are opaque.
"""

from typing import Final

from bot.words.sentences import Fact, say
from bot.words.values import Button, Message, Style, Tone

CONFIRM: Final = "confirm"
"""Goes on to the second question: `confirm:<token>`."""
DISMISS: Final = "dismiss"
"""Does nothing after all: `dismiss:<token>`."""
YES: Final = "yes"
"""Does it: `yes:<token>`."""
CANCEL: Final = "cancel"
"""Does nothing after all: `cancel:<token>`."""


def first_question(locale: str, act: str, *, onward: str, back: str, **facts: Fact) -> Message:
    """Whether it is meant: the tokens of `Confirm` and of `Dismiss`."""
    return Message(
        description=say(locale, f"confirm.{act}", **facts),
        tone=Tone.WAITING,
        buttons=(
            _button(locale, CONFIRM, onward, Style.PRIMARY),
            _button(locale, DISMISS, back, Style.SECONDARY),
        ),
    )


def second_question(locale: str, act: str, *, onward: str, back: str, **facts: Fact) -> Message:
    """Whether it is really meant, now: the tokens of `Yes` and of `Cancel`."""
    return Message(
        description=say(locale, f"confirm.{act}.again", **facts),
        tone=Tone.TROUBLE,
        buttons=(
            _button(locale, YES, onward, Style.DANGER),
            _button(locale, CANCEL, back, Style.SECONDARY),
        ),
    )


def backed_out(locale: str) -> Message:
    """It was not meant, or not now."""
    return Message(text=say(locale, "confirm.backed_out"))


def _button(locale: str, name: str, token: str, style: Style) -> Button:
    return Button(label=say(locale, f"button.{name}"), custom_id=f"{name}:{token}", style=style)
