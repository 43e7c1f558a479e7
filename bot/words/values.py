"""What people are shown, as plain values: no Discord object, no state of its own.

`bot.rendering` turns them into discord.py's objects; the outbox keeps a `Message` as JSON until it
is sent; a card's digest is its `Message`'s.
"""

import hashlib
import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class Style(StrEnum):
    PRIMARY = "primary"
    SECONDARY = "secondary"
    SUCCESS = "success"
    DANGER = "danger"


class Tone(StrEnum):
    """What an embed's colour says."""

    WAITING = "waiting"
    WORKING = "working"
    GOOD = "good"
    TROUBLE = "trouble"
    ENDED = "ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """A button: a label of at most 80 characters, a custom id of at most 100."""

    label: str
    custom_id: str
    style: Style = Style.SECONDARY
    emoji: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One line of a select: a label and a description of at most 100 characters each."""

    label: str
    value: str
    description: str = ""
    chosen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Select:
    """A list of at most 25 lines of which one is chosen; a placeholder of at most 150 characters.

    The chosen line's value arrives with the press.
    """

    custom_id: str
    placeholder: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    name: str
    value: str
    inline: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRef:
    """A spooled file that goes with a message: the `ordinal`th of the original; `size` in bytes."""

    sha256: str
    name: str
    size: int
    ordinal: int
    spoiler: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message: text (at most 2,000), at most one embed, at most five buttons in one row,
    and a select below them.

    It has an embed when `title` or `description` is not empty. `quiet`: Discord shows no preview
    of the links in it. `files` go with it when it is posted, and are left as they are by an edit.
    `mentions` are the people whom the text mentions and who are alerted by it, at most 100 and each
    once: nobody, unless a page names them outright.
    """

    text: str = ""
    title: str = ""
    description: str = ""
    fields: tuple[Field, ...] = ()
    footer: str = ""
    tone: Tone = Tone.WAITING
    buttons: tuple[Button, ...] = ()
    select: Select | None = None
    quiet: bool = False
    files: tuple[FileRef, ...] = ()
    mentions: tuple[int, ...] = ()

    @property
    def custom_ids(self) -> frozenset[str]:
        selects = () if self.select is None else (self.select.custom_id,)
        return frozenset((*(button.custom_id for button in self.buttons), *selects))

    def to_json(self) -> str:
        fields = asdict(self)
        if not self.files:  # as it was before messages had files: a card's digest stays
            del fields["files"]
        return json.dumps(fields, ensure_ascii=False, sort_keys=True)

    def digest(self) -> str:
        return hashlib.sha256(self.to_json().encode()).hexdigest()


def message_from_json(text: str) -> Message:
    """The message that `Message.to_json` wrote; raises ValueError on anything else."""
    try:
        data: dict[str, Any] = json.loads(text)
        fields = tuple(Field(**field) for field in data.pop("fields"))
        buttons = tuple(
            Button(**{**button, "style": Style(button["style"])}) for button in data.pop("buttons")
        )
        tone = Tone(data.pop("tone"))
        select = _select(data.pop("select", None))
        files = tuple(FileRef(**file) for file in data.pop("files", ()))
        mentions = tuple(data.pop("mentions", ()))
        return Message(
            **data,
            tone=tone,
            fields=fields,
            buttons=buttons,
            select=select,
            files=files,
            mentions=mentions,
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError("not a message of ours") from error


def _select(data: dict[str, Any] | None) -> Select | None:
    if data is None:
        return None
    options = tuple(Option(**option) for option in data.pop("options"))
    return Select(**data, options=options)


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """A text field of a modal; lengths in characters, `most` at most 4,000."""

    field_id: str
    label: str
    most: int
    long: bool = False
    required: bool = True
    placeholder: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonInput:
    """A field of a modal in which one person is chosen."""

    field_id: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Modal:
    """A form: a title of at most 45 characters and one to five fields."""

    custom_id: str
    title: str
    inputs: tuple[Input | PersonInput, ...]
