"""The Messenger port over discord.py: calls in, values out."""

from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Any, Final, TypeVar

import discord

from bot.delivery import discord_internals
from bot.delivery.discord_reading import manages_guild, written
from bot.delivery.discord_wire import Call
from bot.delivery.messenger import DmOpened, History, Page, Roles, Seen, Unreadable
from bot.delivery.spool import Spool
from bot.rendering import discord_files, discord_kwargs
from bot.words.values import Message
from domain.delivery import Done, Effect, NotDone, Outcome, Rejected, Unknown, classify

T = TypeVar("T")

_PAGES = 10
_PAGE = 100
_ORDINARY = (discord.MessageType.default, discord.MessageType.reply)
_THREAD_MINUTES: Final = 10_080


class DiscordMessenger:
    """Every method makes one call in a task of its own; see `bot.delivery.messenger`."""

    def __init__(self, client: discord.Client, spool: Spool) -> None:
        self._client = client
        self._spool = spool

    async def open_dm(self, member_id: int) -> DmOpened | Outcome:
        # The library answers from its cache where it can. The channel never changes, and the fence
        # of a channel that we have met is on disk.
        opened: list[int] = []

        async def act() -> None:
            opened.append((await self._client.create_dm(discord.Object(member_id))).id)

        call = await self._call(act)
        if (body := call.body) is not None and _id(body) is not None:
            return DmOpened(channel_id=int(body["id"]), newest_id=_newest(body))
        if opened:
            newest = await self.newest(opened[0])
            if isinstance(newest, int):
                return DmOpened(channel_id=opened[0], newest_id=newest)
            return NotDone(problem=newest.problem)
        return classify(Effect.OPEN_DM, call.answer)

    async def send(self, channel_id: int, message: Message, *, key: str, not_after: int) -> Outcome:
        channel = self._client.get_partial_messageable(channel_id)
        fields = discord_kwargs(message)
        if message.files:
            try:
                fields["files"] = discord_files(message, self._spool.path)
            except OSError:
                return NotDone(problem="file_missing")
        call = await self._call(lambda: channel.send(**fields, nonce=key), not_after=not_after)
        body = call.body
        if body is not None and (message_id := _id(body)) is not None:
            if body.get("nonce") not in (None, key):
                return Unknown(problem="foreign_nonce")
            return Done(message_id=message_id)
        return classify(Effect.CREATE_MESSAGE, call.answer)

    async def edit(self, channel_id: int, message_id: int, message: Message) -> Outcome:
        target = self._client.get_partial_messageable(channel_id).get_partial_message(message_id)
        fields = discord_kwargs(message, edit=True)
        call = await self._call(lambda: target.edit(**fields))
        if call.succeeded:
            return Done(message_id=message_id)
        return classify(Effect.EDIT_MESSAGE, call.answer)

    async def delete(self, channel_id: int, message_id: int) -> Outcome:
        target = self._client.get_partial_messageable(channel_id).get_partial_message(message_id)
        call = await self._call(target.delete)
        if call.succeeded:
            return Done(message_id=message_id)
        return classify(Effect.DELETE_MESSAGE, call.answer)

    async def start_thread(
        self, guild_id: int, channel_id: int, message_id: int, name: str
    ) -> Outcome:
        if self._client.get_guild(guild_id) is None:
            # The library starts threads only in guilds it has heard of; after a start or during an
            # outage that takes a moment.
            return NotDone(problem="guild_unavailable")
        channel = self._client.get_partial_messageable(channel_id, guild_id=guild_id)
        target = channel.get_partial_message(message_id)
        call = await self._call(
            lambda: target.create_thread(name=name, auto_archive_duration=_THREAD_MINUTES)
        )
        if call.succeeded:
            return Done(message_id=message_id)
        return classify(Effect.START_THREAD, call.answer)

    async def add_to_thread(self, thread_id: int, member_id: int) -> Outcome:
        call = await self._call(
            lambda: discord_internals.add_thread_member(self._client, thread_id, member_id)
        )
        if call.succeeded:
            return Done()
        return classify(Effect.ADD_THREAD_MEMBER, call.answer)

    async def start_private_thread(self, guild_id: int, parent_id: int, name: str) -> Outcome:
        guild = self._client.get_guild(guild_id)
        parent = None if guild is None else guild.get_channel(parent_id)
        if guild is None:
            return NotDone(problem="guild_unavailable")
        if not isinstance(parent, discord.TextChannel):
            return Rejected(problem="unknown_channel")
        call = await self._call(
            lambda: parent.create_thread(
                name=name,
                type=discord.ChannelType.private_thread,
                invitable=False,
                auto_archive_duration=_THREAD_MINUTES,
            )
        )
        if (body := call.body) is not None and (thread_id := _id(body)) is not None:
            return Done(message_id=thread_id)
        return classify(Effect.START_PRIVATE_THREAD, call.answer)

    async def private_threads(
        self, guild_id: int, parent_id: int, *, ending: str
    ) -> tuple[int, ...] | Unreadable:
        guild = self._client.get_guild(guild_id)
        parent = None if guild is None else guild.get_channel(parent_id)
        if guild is None:
            return Unreadable(outcome=NotDone(problem="guild_unavailable"))
        if not isinstance(parent, discord.TextChannel):
            return await self._unlisted(parent_id)
        active = await self._list(guild.active_threads)
        if isinstance(active, Unreadable):
            return active
        archived = await self._list(
            partial(_all, partial(parent.archived_threads, private=True, limit=_PAGE))
        )
        if isinstance(archived, Unreadable):
            return archived
        user = self._client.user
        return tuple(
            sorted(
                {
                    thread.id
                    for thread in (*active, *archived)
                    if thread.parent_id == parent_id
                    and thread.is_private()
                    and user is not None
                    and thread.owner_id == user.id
                    and thread.name.endswith(ending)
                }
            )
        )

    async def _unlisted(self, channel_id: int) -> Unreadable:
        """Discord's own word on a channel that the library doesn't know."""
        call = await self._call(lambda: self._client.fetch_channel(channel_id))
        if call.succeeded:
            return Unreadable(outcome=NotDone(problem="guild_unavailable"))
        return _unreadable(call)

    async def edit_thread(
        self, thread_id: int, *, archived: bool, locked: bool | None = None
    ) -> Outcome:
        call = await self._call(
            lambda: discord_internals.edit_thread(self._client, thread_id, archived, locked)
        )
        if call.succeeded:
            return Done()
        return classify(Effect.EDIT_THREAD, call.answer)

    async def delete_thread(self, thread_id: int) -> Outcome:
        call = await self._call(lambda: discord_internals.delete_channel(self._client, thread_id))
        if call.succeeded:
            return Done()
        return classify(Effect.DELETE_CHANNEL, call.answer)

    async def newest(self, channel_id: int) -> int | Unreadable:
        channel = self._client.get_partial_messageable(channel_id)
        page = await self._page(lambda: channel.history(limit=1))
        if isinstance(page, Unreadable):
            return page
        return page[0].id if page else 0

    async def history(self, channel_id: int, *, after: int) -> History | Unreadable:
        seen: list[Seen] = []
        channel = self._client.get_partial_messageable(channel_id)
        for _ in range(_PAGES):
            behind = discord.Object(after)
            page = await self._page(
                partial(channel.history, limit=_PAGE, after=behind, oldest_first=True)
            )
            if isinstance(page, Unreadable):
                return page
            if not page and (unreadable := await self._hidden(channel, after)) is not None:
                return unreadable
            seen.extend(_ours(message) for message in page if self._is_ours(message))
            if len(page) < _PAGE:
                return History(messages=tuple(seen))
            after = page[-1].id
        return Unreadable(outcome=Unknown(problem="history_too_long"))

    async def _hidden(
        self, channel: discord.PartialMessageable, message_id: int
    ) -> Unreadable | None:
        """Why an empty history proves nothing, if it does not.

        Without Read Message History Discord answers a list of none, as if nothing were there; only
        a message asked for by its id is refused.
        """
        call = await self._call(lambda: channel.fetch_message(max(message_id, 1)))
        if call.succeeded:
            return None
        outcome = classify(Effect.READ, call.answer)
        if isinstance(outcome, Rejected) and outcome.problem == "unknown_message":
            return None
        return Unreadable(outcome=outcome)

    async def read_on(self, channel_id: int, *, after: int) -> Page | Unreadable:
        channel = self._client.get_partial_messageable(channel_id)
        behind = discord.Object(after)
        page = await self._page(
            lambda: channel.history(limit=_PAGE, after=behind, oldest_first=True)
        )
        if isinstance(page, Unreadable):
            return page
        if not page and (unreadable := await self._hidden(channel, after)) is not None:
            return unreadable
        return self._page_of(page)

    async def read_back(self, channel_id: int) -> Page | Unreadable:
        channel = self._client.get_partial_messageable(channel_id)
        page = await self._page(lambda: channel.history(limit=_PAGE))
        return page if isinstance(page, Unreadable) else self._page_of(page[::-1])

    def _page_of(self, messages: list[discord.Message]) -> Page:
        sees_content = self._client.intents.message_content
        read = (written(one, sees_content=sees_content) for one in messages)
        return Page(
            written=tuple(one for one in read if one is not None),
            ids=frozenset(message.id for message in messages),
            oldest_id=messages[0].id if messages else None,
            newest_id=messages[-1].id if messages else None,
            is_last=len(messages) < _PAGE,
        )

    async def react(self, channel_id: int, message_id: int, emoji: str) -> Outcome:
        http = self._client.http
        return await self._simply(
            Effect.REACT, lambda: http.add_reaction(channel_id, message_id, emoji)
        )

    async def unreact(self, channel_id: int, message_id: int, emoji: str) -> Outcome:
        http = self._client.http
        return await self._simply(
            Effect.REACT, lambda: http.remove_own_reaction(channel_id, message_id, emoji)
        )

    async def type(self, channel_id: int) -> Outcome:
        return await self._simply(
            Effect.TYPE, lambda: discord_internals.type_in(self._client, channel_id)
        )

    async def _simply(self, effect: Effect, act: Callable[[], Awaitable[Any]]) -> Outcome:
        call = await self._call(act)
        return Done() if call.succeeded else classify(effect, call.answer)

    async def roles(self, guild_id: int, member_id: int) -> Roles | Unreadable:
        # Asked without the library's cache, which is empty until the gateway is ready.
        call = await self._call(
            lambda: discord_internals.get_member(self._client, guild_id, member_id)
        )
        if (body := call.body) is not None:
            held = frozenset(int(role) for role in body.get("roles", ()))
            guild = self._client.get_guild(guild_id)
            return Roles(role_ids=held, manages_guild=manages_guild(guild, member_id, held))
        answer = call.answer
        if getattr(answer, "status", None) == 404:
            return Roles(role_ids=None)
        return _unreadable(call)

    def _is_ours(self, message: discord.Message) -> bool:
        user = self._client.user
        return (
            user is not None
            and message.author.id == user.id
            and message.type in _ORDINARY
            and message.interaction_metadata is None
            and not message.flags.ephemeral
        )

    async def _page(
        self, read: Callable[[], AsyncIterator[discord.Message]]
    ) -> list[discord.Message] | Unreadable:
        """A page of history: whole, or unreadable. A page of less than its limit is one request."""
        return await self._list(partial(_all, read))

    async def _list(self, read: Callable[[], Awaitable[list[T]]]) -> list[T] | Unreadable:
        found: list[T] | None = None

        async def act() -> None:
            nonlocal found
            found = await read()

        call = Call()
        await call.run(act, to_its_end=True)
        return _unreadable(call) if found is None else found

    async def _call(
        self, act: Callable[[], Awaitable[Any]], *, not_after: int | None = None
    ) -> Call:
        call = Call(not_after=not_after)
        await call.run(act)
        return call


async def _all(read: Callable[[], AsyncIterator[T]]) -> list[T]:
    return [one async for one in read()]


def _ours(message: discord.Message) -> Seen:
    custom_ids = {
        child.custom_id
        for row in message.components
        if isinstance(row, discord.ActionRow)
        for child in row.children
        if child.custom_id is not None
    }
    return Seen(message_id=message.id, custom_ids=frozenset(custom_ids))


def _id(body: dict[str, Any]) -> int | None:
    value = body.get("id")
    return int(value) if isinstance(value, str) and value.isdecimal() else None


def _newest(body: dict[str, Any]) -> int:
    return int(body.get("last_message_id") or 0)


def _unreadable(call: Call) -> Unreadable:
    return Unreadable(outcome=classify(Effect.READ, call.answer))
