"""The loopback Discord as one thing to start and stop."""

import asyncio
import base64
import secrets
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from aiohttp import web

from sandbox.entities import User
from sandbox.faults import Faults
from sandbox.gateway import Gateway
from sandbox.intents import ALL_PRIVILEGED
from sandbox.interactions import Interactions
from sandbox.limits import Limits
from sandbox.people import Person
from sandbox.rest import Hook, Rest
from sandbox.routes import ROUTES, files
from sandbox.truth import Truth
from sandbox.world import World

HOST = "127.0.0.1"
LARGEST_REQUEST = 128 * 1024 * 1024


def _real_now() -> int:
    return time.time_ns() // 1_000_000


class Sandbox:
    """A Discord on 127.0.0.1, from entering it as a context until leaving.

    `now` answers milliseconds UTC and decides ids, the nonce window and interactions' deadlines.
    `privileged` is the bits of the privileged intents that the application may ask for.
    """

    def __init__(
        self,
        *,
        port: int = 0,
        now: Callable[[], int] = _real_now,
        nonce_window_ms: int = 60_000,
        privileged: int = ALL_PRIVILEGED,
        token: str | None = None,
    ) -> None:
        self._port = port
        self.world = World(now, nonce_window_ms=nonce_window_ms, privileged=privileged)
        self.token = token or _token(self.world.bot.id)
        self.truth = Truth(self.world)
        self.faults = Faults()
        self.limits = Limits(now)
        self.interactions = Interactions(self.world)
        self.gateway = Gateway(self.world, self.token)
        self._rest = Rest(
            self.world,
            self.truth,
            self.faults,
            self.interactions,
            self.limits,
            token=self.token,
            gateway_url=lambda: self.gateway.url,
        )
        self.app = self._app()
        self._runner: web.AppRunner | None = None

    @property
    def port(self) -> int:
        """Where it listens, once it is started."""
        return self._port

    @property
    def base(self) -> str:
        return f"http://{HOST}:{self._port}"

    @property
    def api_base(self) -> str:
        """What takes the place of `https://discord.com/api/v10`."""
        return f"{self.base}/api/v10"

    def person(self, who: User) -> Person:
        """This person's hands and eyes."""
        return Person(self.world, self.interactions, self.truth, who)

    def on_exchange(self, hook: Hook) -> None:
        """Have `hook` called with each REST exchange and the JSON of its answer, unless cut."""
        self._rest.hooks.append(hook)

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()

    async def start(self) -> None:
        """Listen. Raises OSError when the port is taken."""
        self._runner = web.AppRunner(self.app, access_log=None, shutdown_timeout=1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, HOST, self._port)
        await site.start()
        self._port = self._runner.addresses[0][1]
        self.gateway.url = f"ws://{HOST}:{self._port}/gateway"
        self.world.files_base = self.base

    async def stop(self) -> None:
        """End every connection and everything that is held; a second time does nothing."""
        if self._runner is None:
            return
        runner, self._runner = self._runner, None
        # First of all no new connections: a bot whose line is cut comes back at once.
        for site in list(runner.sites):
            await site.stop()
        self.faults.close()
        self.interactions.close()
        await self.gateway.close()
        await runner.cleanup()

    def _app(self) -> web.Application:
        app = web.Application(client_max_size=LARGEST_REQUEST)
        for route in ROUTES:
            app.router.add_route(
                route.method, f"/api/v10{route.template}", self._rest.handler(route)
            )
        for route in files.ROUTES:
            app.router.add_route(route.method, route.template, self._rest.handler(route))
        app.router.add_get("/gateway", self.gateway.serve)
        app.router.add_get("/gateway/", self.gateway.serve)
        app.router.add_route("*", "/api/{rest:.*}", self._rest.unknown)
        return app


def _token(bot_id: int) -> str:
    """Three parts, as Discord's tokens have."""
    head = base64.urlsafe_b64encode(str(bot_id).encode()).decode().rstrip("=")
    return f"{head}.{secrets.token_urlsafe(4)}.{secrets.token_urlsafe(28)}"


async def serve_until(stop: asyncio.Event, sandbox: Sandbox) -> None:
    """Serve until `stop` is set."""
    async with sandbox:
        await stop.wait()
