"""An in-process Discord for the worker, on virtual time, that keeps the ground truth.

It obeys what Discord documents: a nonce gives the first message back within its window, opening a
DM gives the same channel each time, a message has at most one thread. A `Plan` says what goes
wrong with each call: before the effect, after it, or by an answer that comes late.
"""

import asyncio
import heapq
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from bot.clock import FakeClock
from bot.delivery.messenger import DmOpened, History, Page, Roles, Seen, Unreadable
from bot.words.values import Message
from domain.delivery import (
    Done,
    Effect,
    NoAnswer,
    NotDone,
    Outcome,
    Parked,
    Rejected,
    Unknown,
    classify,
)
from domain.written import Written
from tests.simulation.simulated_files import Cdn

NONCE_WINDOW_MS = 60_000


@dataclass
class Posted:
    """A message that really exists, or existed."""

    message_id: int
    channel_id: int
    nonce: str
    custom_ids: frozenset[str]
    deleted: bool = False
    shown: Message = field(default_factory=Message)


@dataclass(frozen=True)
class Trouble:
    """What goes wrong with one call: its `kind` is a key of `Discord._call`.

    `delay_ms` is how long the answer takes; the effect happens at the start of the call, or with
    `late` at its end.
    """

    kind: str = "none"
    delay_ms: int = 0
    late: bool = False
    problem: str = "trouble"
    pauses_new_dms: bool = False


Plan = Callable[[str, int], Trouble]


def no_trouble(_effect: str, _target: int) -> Trouble:
    return Trouble()


class Killed(BaseException):
    """The process is dead: nothing of it runs any more."""


class VirtualTime:
    """A clock with an agenda: what is due by a time happens when `advance_to` reaches it."""

    def __init__(self, clock: FakeClock) -> None:
        self.clock = clock
        self._agenda: list[tuple[int, int, Callable[[], None]]] = []
        self._count = 0

    def at(self, when: int, act: Callable[[], None]) -> None:
        """Do `act` when the clock reaches `when`."""
        self._count += 1
        heapq.heappush(self._agenda, (when, self._count, act))

    async def sleep(self, milliseconds: int) -> None:
        """Wait in virtual time."""
        if milliseconds <= 0:
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def wake() -> None:
            if not future.done():
                future.set_result(None)

        self.at(self.clock.now() + milliseconds, wake)
        await future

    def next_at(self) -> int | None:
        """When the next thing happens."""
        return self._agenda[0][0] if self._agenda else None

    def advance_to(self, now: int) -> None:
        """Move the clock forward, and do what has become due, in order."""
        self.clock.advance(max(0, now - self.clock.now()))
        while self._agenda and self._agenda[0][0] <= now:
            heapq.heappop(self._agenda)[2]()


@dataclass
class Discord:
    """The Messenger port over a world that only this object changes."""

    time: VirtualTime
    plan: Plan = no_trouble
    messages: list[Posted] = field(default_factory=list)
    threads: dict[int, str] = field(default_factory=dict)
    written: dict[int, dict[int, Written]] = field(default_factory=dict)
    reactions: dict[int, set[str]] = field(default_factory=dict)
    private_threads_of: dict[int, dict[int, str]] = field(default_factory=dict)
    archived: set[int] = field(default_factory=set)
    locked: set[int] = field(default_factory=set)
    members: dict[int, frozenset[int]] = field(default_factory=dict)
    strangers: set[tuple[int, int]] = field(default_factory=set)
    managers: set[int] | None = field(default_factory=set)
    echoes: list[Posted] = field(default_factory=list)
    calls: list[tuple[str, int]] = field(default_factory=list)
    dm_channels: dict[int, int] = field(default_factory=dict)
    next_id: int = 1_000
    nonces: dict[str, tuple[int, Posted]] = field(default_factory=dict)
    closed_dms: set[int] = field(default_factory=set)
    gone: set[int] = field(default_factory=set)
    kill: Callable[[], None] = lambda: None
    cdn: Cdn = field(default_factory=Cdn)
    most_bytes: int = 10 * 1024 * 1024

    def of(self, channel_id: int) -> list[Posted]:
        """The messages that people can see in a channel."""
        if channel_id in self.gone:
            return []
        return [one for one in self.messages if one.channel_id == channel_id and not one.deleted]

    async def _call(self, effect: str, target: int, act: Callable[[], Outcome]) -> Outcome:
        self.calls.append((effect, target))
        trouble = self.plan(effect, target)
        if trouble.kind == "lost_before":
            await self.time.sleep(trouble.delay_ms)
            return Unknown(problem=trouble.problem)
        if trouble.kind == "not_done":
            await self.time.sleep(trouble.delay_ms)
            return NotDone(problem=trouble.problem, pauses_new_dms=trouble.pauses_new_dms)
        if trouble.kind == "refused":
            await self.time.sleep(trouble.delay_ms)
            return Rejected(problem=trouble.problem)
        if trouble.kind == "parked":
            return Parked(problem=trouble.problem)
        if trouble.kind == "killed_before":
            self.kill()
            raise Killed
        outcomes: list[Outcome] = []

        def take_effect() -> None:
            gone = target in self.gone
            outcomes.append(Rejected(problem="unknown_channel") if gone else act())

        if trouble.late:
            # On its way: it takes effect whether or not the caller still lives.
            self.time.at(self.time.clock.now() + trouble.delay_ms, take_effect)
        else:
            take_effect()
        if trouble.kind == "killed_after":
            self.kill()
            raise Killed
        await self.time.sleep(trouble.delay_ms)
        if trouble.kind == "lost_after":
            return Unknown(problem=trouble.problem)
        return outcomes[0]

    async def open_dm(self, member_id: int) -> DmOpened | Outcome:
        opened: list[DmOpened] = []

        def act() -> Outcome:
            if member_id not in self.dm_channels:
                self.next_id += 1
                self.dm_channels[member_id] = self.next_id
            channel_id = self.dm_channels[member_id]
            newest = max((one.message_id for one in self.of(channel_id)), default=0)
            opened.append(DmOpened(channel_id=channel_id, newest_id=newest))
            return Done()

        outcome = await self._call("open_dm", member_id, act)
        return opened[0] if isinstance(outcome, Done) else outcome

    async def send(self, channel_id: int, message: Message, *, key: str, not_after: int) -> Outcome:
        now = self.time.clock.now()
        if now >= not_after:
            return classify(Effect.CREATE_MESSAGE, NoAnswer(left=False, problem="too_late"))

        def act() -> Outcome:
            if channel_id in self.closed_dms:
                return Rejected(problem="dms_closed")
            if any(file.size > self.most_bytes for file in message.files):
                return Rejected(problem="too_large")
            at, first = self.nonces.get(key, (0, None))
            if first is not None and self.time.clock.now() - at < NONCE_WINDOW_MS:
                return Done(message_id=None if first.deleted else first.message_id)
            self.next_id += 1
            posted = Posted(self.next_id, channel_id, key, message.custom_ids, shown=message)
            self.messages.append(posted)
            self.nonces[key] = (self.time.clock.now(), posted)
            self.echoes.append(posted)
            return Done(message_id=posted.message_id)

        return await self._call("send", channel_id, act)

    async def edit(self, channel_id: int, message_id: int, message: Message) -> Outcome:
        def act() -> Outcome:
            for one in self.of(channel_id):
                if one.message_id == message_id:
                    one.custom_ids = message.custom_ids
                    one.shown = message
                    return Done(message_id=message_id)
            return Done()

        return await self._call("edit", channel_id, act)

    async def delete(self, channel_id: int, message_id: int) -> Outcome:
        def act() -> Outcome:
            if channel_id in self.archived:
                return NotDone(problem="thread_archived")
            for one in self.of(channel_id):
                if one.message_id == message_id:
                    one.deleted = True
            return Done()

        return await self._call("delete", channel_id, act)

    async def start_thread(
        self, guild_id: int, channel_id: int, message_id: int, name: str
    ) -> Outcome:
        def act() -> Outcome:
            if not any(one.message_id == message_id for one in self.of(channel_id)):
                return Rejected(problem="unknown_message")
            self.threads.setdefault(message_id, name)
            return Done(message_id=message_id)

        return await self._call("start_thread", channel_id, act)

    async def add_to_thread(self, thread_id: int, member_id: int) -> Outcome:
        def act() -> Outcome:
            if thread_id in self.archived:
                return NotDone(problem="thread_archived")
            return Done()

        return await self._call("add_to_thread", thread_id, act)

    async def start_private_thread(self, guild_id: int, parent_id: int, name: str) -> Outcome:
        def act() -> Outcome:
            self.next_id += 1
            self.private_threads_of.setdefault(parent_id, {})[self.next_id] = name
            return Done(message_id=self.next_id)

        return await self._call("start_private_thread", parent_id, act)

    async def private_threads(
        self, guild_id: int, parent_id: int, *, ending: str
    ) -> tuple[int, ...] | Unreadable:
        outcome = await self._call("private_threads", parent_id, Done)
        if not isinstance(outcome, Done):
            return Unreadable(outcome=outcome)
        threads = self.private_threads_of.get(parent_id, {})
        return tuple(sorted(one for one, name in threads.items() if name.endswith(ending)))

    async def edit_thread(
        self, thread_id: int, *, archived: bool, locked: bool | None = None
    ) -> Outcome:
        def act() -> Outcome:
            if thread_id in self.archived and archived:
                return NotDone(problem="thread_archived")
            self.archived.add(thread_id) if archived else self.archived.discard(thread_id)
            if locked is not None:
                self.locked.add(thread_id) if locked else self.locked.discard(thread_id)
            return Done()

        return await self._call("edit_thread", thread_id, act)

    async def delete_thread(self, thread_id: int) -> Outcome:
        def act() -> Outcome:
            for threads in self.private_threads_of.values():
                threads.pop(thread_id, None)
            return Done()

        return await self._call("delete_thread", thread_id, act)

    async def newest(self, channel_id: int) -> int | Unreadable:
        outcome = await self._call("newest", channel_id, Done)
        if not isinstance(outcome, Done):
            return Unreadable(outcome=outcome)
        return max((one.message_id for one in self.of(channel_id)), default=0)

    async def history(self, channel_id: int, *, after: int) -> History | Unreadable:
        outcome = await self._call("history", channel_id, Done)
        if not isinstance(outcome, Done):
            return Unreadable(outcome=outcome)
        return History(
            messages=tuple(
                Seen(message_id=one.message_id, custom_ids=one.custom_ids)
                for one in self.of(channel_id)
                if one.message_id > after
            )
        )

    def _page(self, channel_id: int, *, after: int, newest: bool) -> Page:
        mine = [one.message_id for one in self.of(channel_id)]
        theirs = self.written.get(channel_id, {})
        ids = sorted(one for one in (*mine, *theirs) if one > after)
        shown = ids[-100:] if newest else ids[:100]
        return Page(
            written=tuple(
                replace(theirs[one], role_ids=None, marked=tuple(sorted(self.marks(one))))
                for one in shown
                if one in theirs
            ),
            ids=frozenset(shown),
            oldest_id=shown[0] if shown else None,
            newest_id=shown[-1] if shown else None,
            is_last=len(shown) < 100,
        )

    async def read_on(self, channel_id: int, *, after: int) -> Page | Unreadable:
        pages: list[Page] = []

        def act() -> Outcome:
            pages.append(self._page(channel_id, after=after, newest=False))
            return Done()

        outcome = await self._call("read_on", channel_id, act)
        return pages[0] if isinstance(outcome, Done) else Unreadable(outcome=outcome)

    async def read_back(self, channel_id: int) -> Page | Unreadable:
        pages: list[Page] = []

        def act() -> Outcome:
            pages.append(self._page(channel_id, after=0, newest=True))
            return Done()

        outcome = await self._call("read_back", channel_id, act)
        return pages[0] if isinstance(outcome, Done) else Unreadable(outcome=outcome)

    async def react(self, channel_id: int, message_id: int, emoji: str) -> Outcome:
        def act() -> Outcome:
            self.reactions.setdefault(message_id, set()).add(emoji)
            return Done()

        return await self._call("react", channel_id, act)

    async def unreact(self, channel_id: int, message_id: int, emoji: str) -> Outcome:
        def act() -> Outcome:
            self.reactions.setdefault(message_id, set()).discard(emoji)
            return Done()

        return await self._call("unreact", channel_id, act)

    async def type(self, channel_id: int) -> Outcome:
        return await self._call("type", channel_id, Done)

    def marks(self, message_id: int) -> set[str]:
        """Our reactions under a message."""
        return self.reactions.get(message_id, set())

    def write(self, channel_id: int, author_id: int, text: str, **more: Any) -> Written:
        """A person writes; the event is for the caller to deliver, or to lose."""
        self.next_id += 1
        written = Written(
            message_id=self.next_id,
            channel_id=channel_id,
            guild_id=more.pop("guild_id", None),
            author_id=author_id,
            author_name=more.pop("author_name", f"person {author_id}"),
            at=self.time.clock.now(),
            text=text,
            **more,
        )
        self.written.setdefault(channel_id, {})[written.message_id] = written
        return written

    def rewrite(self, written: Written, text: str) -> Written:
        """A person edits what they wrote."""
        edited_at = max(self.time.clock.now(), (written.edited_at or 0) + 1)
        edited = replace(written, text=text, edited_at=edited_at)
        self.written[written.channel_id][written.message_id] = edited
        return edited

    def unwrite(self, written: Written) -> None:
        """A person deletes what they wrote."""
        del self.written[written.channel_id][written.message_id]

    async def roles(self, guild_id: int, member_id: int) -> Roles | Unreadable:
        outcome = await self._call("roles", member_id, Done)
        if not isinstance(outcome, Done):
            return Unreadable(outcome=outcome)
        if (guild_id, member_id) in self.strangers:
            return Roles(role_ids=None)
        manages = None if self.managers is None else member_id in self.managers
        return Roles(role_ids=self.members.get(member_id), manages_guild=manages)
