"""One interaction: what a person did, what the application answered, and what the person saw."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

from sandbox.entities import Json, Message

ACKNOWLEDGE_MS = 3_000
TOKEN_MS = 15 * 60_000


class InteractionKind(IntEnum):
    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


class Callback(IntEnum):
    PONG = 1
    MESSAGE = 4
    DEFER = 5
    DEFER_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


class Seen(StrEnum):
    """What a person saw first."""

    MESSAGE = "message"
    THINKING = "thinking"
    ACKNOWLEDGED = "acknowledged"
    UPDATED = "updated"
    CHOICES = "choices"
    MODAL = "modal"
    NO_ANSWER = "no answer"


SEEN_FIRST = {
    Callback.PONG: Seen.ACKNOWLEDGED,
    Callback.MESSAGE: Seen.MESSAGE,
    Callback.DEFER: Seen.THINKING,
    Callback.DEFER_UPDATE: Seen.ACKNOWLEDGED,
    Callback.UPDATE: Seen.UPDATED,
    Callback.CHOICES: Seen.CHOICES,
    Callback.MODAL: Seen.MODAL,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstAnswer:
    """What came first, and after how many milliseconds on the sandbox's clock."""

    seen: Seen
    after_ms: int
    message: Message | None = None
    modal: Json | None = None
    choices: Sequence[Json] = ()

    @property
    def content(self) -> str:
        """The words of the message, or nothing."""
        return "" if self.message is None else self.message.content


@dataclass(slots=True, kw_only=True, eq=False)
class Interaction:
    """One act of a person that the application must answer; also the person's handle on it."""

    id: int
    token: str
    kind: InteractionKind
    user_id: int
    channel_id: int
    created_at: int
    data: Json
    message_id: int | None = None
    first: FirstAnswer | None = None
    original_id: int | None = None
    loading: bool = False
    sent: list[Message] = field(default_factory=list)
    began_by: Json | None = None
    _answered: asyncio.Event = field(default_factory=asyncio.Event)
    _timer: asyncio.TimerHandle | None = None

    async def first_answer(self) -> FirstAnswer:
        """What the person sees first: at the latest, after three seconds, no answer."""
        await self._answered.wait()
        assert self.first is not None
        return self.first

    @property
    def messages(self) -> list[Message]:
        """The answers that still stand, as they stand now, in order."""
        return [each for each in self.sent if not each.deleted]

    @property
    def modal(self) -> Json | None:
        """The form that the person was shown, if any."""
        return None if self.first is None else self.first.modal

    def settle(self, first: FirstAnswer) -> None:
        """What the person saw first; only the first time counts."""
        if self.first is None:
            self.first = first
            self._answered.set()
        self.let_go()

    def watch(self, timer: asyncio.TimerHandle) -> None:
        """Keep the timer that ends the person's patience."""
        self._timer = timer

    def let_go(self) -> None:
        """Stop waiting for an answer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
