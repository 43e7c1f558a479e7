"""What really happened: every request and whether it had its effect, and every message."""

from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sandbox import access
from sandbox.entities import Channel, Json, Message, User

if TYPE_CHECKING:
    from sandbox.world import World


@dataclass(slots=True, kw_only=True)
class Exchange:
    """One REST request as it came, and what became of it.

    `route` is the method and the template. `effect` says whether the store took it; `status` is
    what was answered, or None when no whole answer was. `fault` names what went wrong on the way.
    `files` are those that came with it: `slot`, `filename`, `content_type`, `size`, `sha256`.
    """

    number: int
    at: int
    method: str
    route: str
    path: str
    query: dict[str, str]
    body: Json | list[Json] | None = None
    files: list[Json] = field(default_factory=list)
    nonce: str | None = None
    effect: bool = False
    status: int | None = None
    code: int | None = None
    fault: str | None = None


class Truth:
    """The log of requests, its oldest forgotten beyond `kept`, and questions about messages."""

    def __init__(self, world: "World", *, kept: int = 20_000) -> None:
        self._world = world
        self.exchanges: deque[Exchange] = deque(maxlen=kept)
        self.counts: Counter[str] = Counter()  # of all time, by route

    def begin(self, method: str, route: str, path: str, query: dict[str, str]) -> Exchange:
        """Write down that a request has come."""
        made = Exchange(
            number=self.counts.total() if not self.exchanges else self.exchanges[-1].number + 1,
            at=self._world.now(),
            method=method,
            route=route,
            path=path,
            query=query,
        )
        self.exchanges.append(made)
        self.counts[route] += 1
        return made

    def requests(
        self, route: str | None = None, *, effect: bool | None = None, nonce: str | None = None
    ) -> list[Exchange]:
        """The requests still in the log, in order: of a route, with an effect or none, a nonce."""
        return [
            each
            for each in self.exchanges
            if (route is None or each.route == route)
            and (effect is None or each.effect == effect)
            and (nonce is None or each.nonce == nonce)
        ]

    def messages(
        self,
        channel: Channel | int | None = None,
        *,
        author: User | int | None = None,
        nonce: str | None = None,
        include_deleted: bool = False,
        include_ephemeral: bool = False,
    ) -> list[Message]:
        """Messages in the order in which they were made."""
        author_id = author.id if isinstance(author, User) else author
        return [
            each
            for each in self._all(channel)
            if (author_id is None or each.author_id == author_id)
            and (nonce is None or str(each.nonce) == nonce)
            and (include_deleted or not each.deleted)
            and (include_ephemeral or not each.ephemeral)
        ]

    def _all(self, channel: Channel | int | None) -> Iterator[Message]:
        if channel is None:
            yield from self._world.messages.values()
            return
        place = channel if isinstance(channel, Channel) else self._world.channels[channel]
        for message_id in place.message_ids:
            yield self._world.messages[message_id]

    def view(self, person: User, channel: Channel) -> list[Message]:
        """What this person sees there, in order, their own ephemeral answers too.

        Nothing where the channel isn't in front of them.
        """
        if channel.deleted or not access.sees(self._world, person.id, channel):
            return []
        return [
            each
            for each in self._all(channel)
            if not each.deleted and each.visible_to in (None, person.id)
        ]
