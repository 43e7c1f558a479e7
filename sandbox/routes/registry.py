"""What a route is: a method, a template, and a plain function that does the whole of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sandbox.blobs import Blob
from sandbox.drafts import File
from sandbox.entities import Channel, Guild, Message
from sandbox.errors import invalid
from sandbox.interactions import Interactions
from sandbox.world import World


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer; a body of None is an empty one. `blob` is a file instead of JSON."""

    status: int
    body: Any = None
    blob: Blob | None = None
    content_type: str = "application/json"


DONE = Reply(204)


def ok(body: object) -> Reply:
    """A plain success."""
    return Reply(200, body)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request, read. The caller is the bot; webhooks and callbacks are known by token."""

    world: World
    interactions: Interactions
    gateway_url: str
    params: Mapping[str, str]
    query: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    files: Sequence[File] = ()

    @property
    def me(self) -> int:
        return self.world.bot.id

    @property
    def fields(self) -> Mapping[str, Any]:
        """The body's fields. Raises 50035 when it isn't an object."""
        if self.body is None:
            return {}
        if not isinstance(self.body, dict):
            raise invalid(root=("BASE_TYPE_DICT", "Must be an object."))
        return self.body

    def id(self, name: str) -> int:
        """An id out of the path. Raises 50035 when it isn't one."""
        return snowflake(name, self.params[name])

    def number(self, name: str, default: int, *, least: int, most: int) -> int:
        """A bounded whole number out of the query. Raises 50035 outside the bounds."""
        text = self.query.get(name)
        if text is None:
            return default
        if not text.isdecimal() or not least <= int(text) <= most:
            words = f"int value should be between {least} and {most}."
            raise invalid(**{name: ("NUMBER_TYPE_RANGE", words)})
        return int(text)

    def query_id(self, name: str) -> int | None:
        """An id out of the query, if it is there. Raises 50035 when it isn't one."""
        text = self.query.get(name)
        return None if text is None else snowflake(name, text)

    def guild(self) -> Guild:
        return self.world.guild(self.id("guild_id"))

    def channel(self) -> Channel:
        return self.world.channel(self.id("channel_id"))

    def message(self, channel: Channel) -> Message:
        """The path's message; ephemeral ones are nobody's to fetch. Raises 10008."""
        found = self.world.message(channel, self.id("message_id"))
        if found.ephemeral:
            return self.world.message(channel, 0)
        return found


def snowflake(name: str, text: object) -> int:
    """Read an id. Raises 50035 naming the field when it isn't one."""
    if not str(text).isdecimal() or int(str(text)) >= 1 << 64:
        raise invalid(**{name: ("NUMBER_TYPE_COERCE", f'Value "{text}" is not snowflake.')})
    return int(str(text))


Handler = Callable[[Call], Reply]


@dataclass(frozen=True, slots=True)
class Route:
    """`template` has Discord's own parameter names. A `public` one needs no bot token."""

    method: str
    template: str
    handler: Handler
    public: bool = False

    @property
    def name(self) -> str:
        return f"{self.method} {self.template}"
