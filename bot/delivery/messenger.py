"""The port to Discord: what the worker asks of it, and what it answers.

No method raises for anything that Discord or the network does: every call ends in a value. One call
is one HTTP request. A call is never cancelled from outside; who awaits it waits for its end.
"""

from dataclasses import dataclass
from typing import Protocol

from bot.words.values import Message
from domain.delivery import Outcome
from domain.written import Written


@dataclass(frozen=True, slots=True, kw_only=True)
class DmOpened:
    """The member's DM channel, and the newest message in it (0: none)."""

    channel_id: int
    newest_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A message of our own in a channel's history, of type default or reply, posted by a call.

    Interaction replies and ephemeral messages are left out. `custom_ids` are its buttons'.
    """

    message_id: int
    custom_ids: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """Everything of ours behind the fence, oldest first, read to the channel's end."""

    messages: tuple[Seen, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """It could not be read, or not to its end; `outcome` says what came back instead."""

    outcome: Outcome

    @property
    def problem(self) -> str:
        return getattr(self.outcome, "problem", "unreadable_answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """A member's live roles; None when Discord says that they are not a member.

    `manages_guild`: whether they hold Manage Server; None: not known, or not yet.
    """

    role_ids: frozenset[int] | None
    manages_guild: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Some of a channel's messages, oldest first, of which `written` are people's.

    `newest_id` and `oldest_id` are of all of them, whoever wrote them; `ids` are all of theirs.
    `is_last`: there is nothing newer.
    """

    written: tuple[Written, ...]
    ids: frozenset[int]
    oldest_id: int | None
    newest_id: int | None
    is_last: bool


class Messenger(Protocol):
    """Discord, as far as the worker needs it. Ids are Discord's; times UTC milliseconds."""

    async def open_dm(self, member_id: int) -> DmOpened | Outcome:
        """Open, or find, the member's DM channel."""

    async def send(self, channel_id: int, message: Message, *, key: str, not_after: int) -> Outcome:
        """Post a message under `key` as its nonce; `Done` names it.

        A request that has not left by `not_after` never leaves: `NotDone`.
        """

    async def edit(self, channel_id: int, message_id: int, message: Message) -> Outcome:
        """Make the message show `message`; `Done` without an id when it is gone."""

    async def delete(self, channel_id: int, message_id: int) -> Outcome:
        """Delete the message; `Done` also when it is gone."""

    async def start_thread(
        self, guild_id: int, channel_id: int, message_id: int, name: str
    ) -> Outcome:
        """Start a thread from the message; `Done` also when it has one. Its id is the message's."""

    async def add_to_thread(self, thread_id: int, member_id: int) -> Outcome:
        """Make a person a member of the thread."""

    async def start_private_thread(self, guild_id: int, parent_id: int, name: str) -> Outcome:
        """Start a private thread that its members can't invite to; `Done` names it."""

    async def private_threads(
        self, guild_id: int, parent_id: int, *, ending: str
    ) -> tuple[int, ...] | Unreadable:
        """Our own private threads there, archived ones too, whose name ends so; lowest first."""

    async def edit_thread(
        self, thread_id: int, *, archived: bool, locked: bool | None = None
    ) -> Outcome:
        """Archive or wake a thread, and lock it or not; `locked` None leaves that as it is."""

    async def delete_thread(self, thread_id: int) -> Outcome:
        """Delete a thread; `Done` also when it is gone."""

    async def newest(self, channel_id: int) -> int | Unreadable:
        """The newest message id in the channel (0: none)."""

    async def history(self, channel_id: int, *, after: int) -> History | Unreadable:
        """What we posted in the channel behind the fence `after`."""

    async def read_on(self, channel_id: int, *, after: int) -> Page | Unreadable:
        """The next messages behind `after`, at most 100."""

    async def read_back(self, channel_id: int) -> Page | Unreadable:
        """The newest messages, at most 100."""

    async def react(self, channel_id: int, message_id: int, emoji: str) -> Outcome:
        """Put our reaction under a message; `Done` also when it is gone."""

    async def unreact(self, channel_id: int, message_id: int, emoji: str) -> Outcome:
        """Take our reaction from a message; `Done` also when there is none."""

    async def type(self, channel_id: int) -> Outcome:
        """Show for some seconds that somebody types there."""

    async def roles(self, guild_id: int, member_id: int) -> Roles | Unreadable:
        """A member's roles as they are now."""
