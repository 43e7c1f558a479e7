"""A message as the person before the screen reads it: plain text, no wire format."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sandbox import components
from sandbox.entities import Json, Message, MessageFlag, User

if TYPE_CHECKING:
    from sandbox.world import World

_MENTION = re.compile(r"<(@&|@!?|#)(\d+)>")
_TIMESTAMP = re.compile(r"<t:(-?\d+)(?::\w)?>")
_LINK = re.compile(r"\[([^\]]+)\]\(<?https?://[^)]*\)")
_MARKS = re.compile(r"(?m)\*\*|__|`|^#{1,3} |^-# |\\(?=[*_~`|>#\[\]()])")
_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"))


def called(who: User) -> str:
    """The name that others see."""
    return who.global_name or who.name


class Reading:
    """Reads what is written in this world. `now` of the world decides what is 'ago'."""

    def __init__(self, world: "World") -> None:
        self._world = world

    def message(self, message: Message) -> list[str]:
        """The lines of a message: its words, its embeds, and its buttons as [Claim]."""
        if message.flags & MessageFlag.LOADING:
            return ["is thinking..."]
        lines = self._text(message.content)
        for embed in message.embeds:
            lines += self._embed(embed)
        lines += self._components(message.components)
        if message.reactions:
            lines.append(" ".join(message.reactions))
        return lines

    def form(self, modal: Json) -> list[str]:
        """A form's title and the labels of its fields."""
        return [str(modal["title"]), *(f"{label}: ____" for label in _labels(modal["components"]))]

    def _embed(self, embed: Json) -> Iterator[str]:
        for part in ("title", "description"):
            yield from self._text(embed.get(part) or "")
        for each in embed.get("fields", ()):
            name, *rest = self._text(f"{each['name']}: {each['value']}")
            yield name
            yield from rest
        yield from self._text(embed.get("footer", {}).get("text", ""))

    def _components(self, parts: list[Json]) -> Iterator[str]:
        for each in parts:
            if each["type"] == components.ROW:
                shown = [_pressable(one) for one in each["components"]]
                yield " ".join(shown)
            elif "content" in each:
                yield from self._text(each["content"])
            else:
                yield from self._components(each.get("components", []))

    def _text(self, text: str) -> list[str]:
        text = _MENTION.sub(lambda found: self._name(found[1], int(found[2])), text)
        text = _TIMESTAMP.sub(lambda found: self._moment(int(found[1])), text)
        text = _MARKS.sub("", _LINK.sub(r"\1", text))
        return [line.rstrip() for line in text.splitlines() if line.strip()]

    def _name(self, kind: str, which: int) -> str:
        world = self._world
        if kind == "#":
            return f"#{world.channels[which].name}" if which in world.channels else "#unknown"
        if kind == "@&":
            roles = {
                role.id: role for guild in world.guilds.values() for role in guild.roles.values()
            }
            return f"@{roles[which].name}" if which in roles else "@unknown"
        return f"@{called(world.users[which])}" if which in world.users else "@unknown"

    def _moment(self, at: int) -> str:
        away = at - self._world.now() // 1000
        for seconds, unit in _UNITS:
            count = round(abs(away) / seconds)
            if count:
                words = f"{count} {unit}{'s' if count > 1 else ''}"
                return f"in {words}" if away > 0 else f"{words} ago"
        return "in a moment" if away > 0 else "just now"


def _pressable(component: Json) -> str:
    label = component.get("label") or component.get("emoji", {}).get("name", "")
    if component["type"] == components.BUTTON:
        return f"({label})" if component.get("disabled") else f"[{label}]"
    if component["type"] in components.SELECTS:
        return f"[{component.get('placeholder') or 'choose'} v]"
    return str(label)


def _labels(parts: list[Json]) -> Iterator[str]:
    """Of a form's fields: the label stands around the field, or in it where it is an older form."""
    return (str(each["label"]) for each in components.flat(parts) if each.get("label"))
