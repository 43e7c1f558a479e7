"""A real discord.py client, pointed at a sandbox, that writes down what it hears."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import discord
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import Route
from yarl import URL

from sandbox import Sandbox

PATIENCE = 10


class Listener(discord.Client):
    """Hears everything; what it heard can be waited for, in the past or yet to come."""

    def __init__(self, intents: discord.Intents) -> None:
        super().__init__(
            intents=intents,
            guild_ready_timeout=0.1,
            enable_debug_events=True,
            max_messages=None,
            chunk_guilds_at_startup=False,
        )
        self.tree = app_commands.CommandTree(self)
        self.heard: list[tuple[str, Any]] = []
        self.frames: list[dict[str, Any]] = []
        self._news = asyncio.Event()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """The library's own waits five seconds before it identifies anew."""

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        super().dispatch(event, *args, **kwargs)
        if event == "socket_raw_receive":
            self.frames.append(json.loads(args[0]))
        else:
            self.heard.append((event, args[0] if len(args) == 1 else args))
        self._news.set()

    async def _until(self, found: Callable[[], list[Any]]) -> Any:
        async with asyncio.timeout(PATIENCE):
            while not (there := found()):
                self._news.clear()
                await self._news.wait()
        return there[0]

    async def hear(self, event: str, fits: Callable[[Any], bool] = lambda _: True) -> Any:
        """What came with the first such event, heard already or soon."""

        def found() -> list[Any]:
            return [what for name, what in self.heard if name == event and fits(what)]

        return await self._until(found)

    async def receive(
        self, name: str, fits: Callable[[dict[str, Any]], bool] = lambda _: True
    ) -> dict[str, Any]:
        """The data of the first such gateway event, as it came."""

        def found() -> list[dict[str, Any]]:
            return [each["d"] for each in self.frames if each["t"] == name and fits(each["d"])]

        answer: dict[str, Any] = await self._until(found)
        return answer

    def received(self, name: str) -> list[dict[str, Any]]:
        """The data of every such gateway event so far."""
        return [each["d"] for each in self.frames if each["t"] == name]

    def forget(self) -> None:
        """Start listening afresh."""
        self.heard.clear()
        self.frames.clear()


def point_at(sandbox: Sandbox) -> None:
    """Send this process's discord.py to the sandbox; the tests' conftest puts it back."""
    Route.BASE = sandbox.api_base
    DiscordWebSocket.DEFAULT_GATEWAY = URL(sandbox.gateway.url)


@asynccontextmanager
async def connected(
    sandbox: Sandbox, intents: discord.Intents | None = None, client: Listener | None = None
) -> AsyncIterator[Listener]:
    """A client that is logged in and ready, until the end."""
    point_at(sandbox)
    bot = client or Listener(intents or discord.Intents.all())
    await bot.login(sandbox.token)
    running = asyncio.create_task(bot.connect())
    try:
        await bot.hear("ready")
        yield bot
    finally:
        await bot.close()
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(running, return_exceptions=True)
