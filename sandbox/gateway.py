"""The gateway: sessions that hear events, connections that come and go, and what may go wrong.

A session outlives its connection: what it missed is kept and replayed when it is resumed. Several
sessions may live at once, as when two processes run with one token.
"""

import asyncio
import contextlib
import json
import secrets
from collections import deque

from aiohttp import WSCloseCode, WSMsgType, web

from sandbox import payloads
from sandbox.entities import Event, Json
from sandbox.gateway_faults import GatewayFaults
from sandbox.intents import Intent
from sandbox.member_chunks import chunks
from sandbox.sessions import Close, Connection, Op, Session
from sandbox.world import World

SESSIONS_KEPT = 4
HEARTBEAT_MS = 41_250
FAREWELL_S = 1.0
_INTENT_BITS = (1 << 26) - 1


class Gateway:
    """Carries the world's events to whoever has identified. `url` is set once it is served."""

    def __init__(self, world: World, token: str) -> None:
        self._world = world
        self._token = token
        self.url = ""
        self.faults = GatewayFaults()
        self.identifies = 0
        self.resumes = 0
        self._sessions: dict[str, Session] = {}
        self._connections: set[Connection] = set()
        self._arrived = asyncio.Event()
        self._held: deque[Event] | None = None
        self._away: asyncio.Event | None = None
        self._refusing = self._over = False
        world.listeners.append(self._tell)

    @property
    def connected(self) -> int:
        """How many sessions have a connection now."""
        return sum(1 for each in self._sessions.values() if each.connection is not None)

    async def until_connected(self, count: int = 1) -> None:
        """Wait until at least that many sessions have a connection."""
        while self.connected < count:
            self._arrived.clear()
            await self._arrived.wait()

    # Events

    def hold(self) -> None:
        """Tell nothing that happens from now on, until `release`: no echo comes."""
        if self._held is None:
            self._held = deque()

    def release(self) -> None:
        """End a hold; what happened meanwhile is told now, in order."""
        held, self._held = self._held, None
        for event in held or ():
            self._tell(event)

    def _tell(self, event: Event) -> None:
        if self._held is not None:
            self._held.append(event)
            return
        if not self._sessions or self.faults.loses(event.name):
            return
        malformed = self.faults.malforms(event.name)
        times = 2 if self.faults.repeats(event.name) else 1
        whole = json.dumps(event.data)
        blank = whole if event.blanked is None else json.dumps(event.blanked)
        for session in self._sessions.values():
            if session.hears(event):
                reads = session.intents & Intent.MESSAGE_CONTENT
                for _ in range(times):
                    session.tell(event.name, whole if reads else blank, malformed=malformed)
        if self.faults.drops_after(event.name):
            self.drop()

    # What may be done to the connections

    def drop(self, code: int | None = None) -> None:
        """End every connection: with a close code, or without a word. Sessions can be resumed."""
        for each in list(self._connections):
            if code is None:
                each.frames.put_nowait(0)
            else:
                each.close(code)

    def away(self, *, refusing: bool = False) -> None:
        """Be gone until `back`: every line is cut, and who comes waits, or is refused with 503.

        REST goes on, and what happens meanwhile is kept for the sessions that there are.
        """
        self._refusing = refusing
        if self._away is None:
            self._away = asyncio.Event()
        self.drop()

    def back(self, *, resumable: bool = True) -> None:
        """Be there again. When sessions can't be resumed, what they missed is told to nobody."""
        if not resumable:
            self.forget()
        gone, self._away = self._away, None
        if gone is not None:
            gone.set()

    def reconnect(self) -> None:
        """Ask everybody to come back and resume, as Discord does when it moves house."""
        for each in list(self._connections):
            each.send(Op.RECONNECT)

    def invalidate(self, *, resumable: bool = False) -> None:
        """Tell everybody that their session is invalid, and forget it unless it is resumable."""
        for each in list(self._connections):
            each.send(Op.INVALID_SESSION, resumable)
        if not resumable:
            self.forget()

    def forget(self) -> None:
        """Forget all sessions: whoever tries to resume has to identify anew."""
        for each in self._connections:
            each.session = None
        self._sessions.clear()

    def send_raw(self, frame: str) -> None:
        """A frame of any shape to every connection."""
        for each in list(self._connections):
            each.frames.put_nowait(frame)

    async def close(self) -> None:
        """End every connection for good; one that doesn't answer the farewell is cut."""
        self._over = True
        self.back()
        self._world.listeners.remove(self._tell)
        farewells = [
            asyncio.ensure_future(each.socket.close(code=WSCloseCode.GOING_AWAY))
            for each in self._connections
        ]
        if farewells:
            _, unanswered = await asyncio.wait(farewells, timeout=FAREWELL_S)
            for farewell in unanswered:
                farewell.cancel()
        for each in list(self._connections):
            each.cut()

    # One connection

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Speak the gateway protocol until either side ends it."""
        if not await self._admits(request):
            return web.Response(status=503)
        socket = web.WebSocketResponse(max_msg_size=1 << 20, autoping=True, compress=False)
        await socket.prepare(request)
        connection = Connection(socket, request)
        self._connections.add(connection)
        connection.send(Op.HELLO, {"heartbeat_interval": HEARTBEAT_MS, "_trace": []})
        writer = asyncio.create_task(_write(connection))
        try:
            async for frame in socket:
                if frame.type is not WSMsgType.TEXT:
                    break
                code = self._take(connection, frame.data)
                if code is not None:
                    connection.close(code)
        finally:
            self._connections.discard(connection)
            if connection.session is not None and connection.session.connection is connection:
                connection.session.connection = None
            writer.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await writer
        return socket

    async def _admits(self, request: web.Request) -> bool:
        """Whether whoever comes is let in, at once or when the gateway is back."""
        while self._away is not None:
            if self._refusing:
                return False
            await self._away.wait()
        return not self._over and request.transport is not None

    def _take(self, connection: Connection, text: str) -> Close | None:
        try:
            frame = json.loads(text)
            op, data = Op(frame["op"]), frame.get("d")
        except (ValueError, KeyError, TypeError):
            return Close.DECODE_ERROR
        if op is Op.HEARTBEAT:
            connection.send(Op.HEARTBEAT_ACK)
            return None
        if op is Op.IDENTIFY:
            return self._identify(connection, data)
        if op is Op.RESUME:
            return self._resume(connection, data)
        if connection.session is None:
            return Close.NOT_AUTHENTICATED
        if op is Op.REQUEST_MEMBERS:
            return self._members(connection.session, data)
        return None if op in (Op.PRESENCE, Op.VOICE_STATE) else Close.UNKNOWN_OPCODE

    def _identify(self, connection: Connection, data: Json) -> Close | None:
        if connection.session is not None:
            return Close.ALREADY_AUTHENTICATED
        if not self._knows(data):
            return Close.AUTHENTICATION_FAILED
        intents = data.get("intents")
        if not isinstance(intents, int) or intents & ~_INTENT_BITS:
            return Close.INVALID_INTENTS
        privileged = Intent.GUILD_MEMBERS | Intent.GUILD_PRESENCES | Intent.MESSAGE_CONTENT
        if intents & privileged & ~self._world.privileged:
            return Close.DISALLOWED_INTENTS
        session = Session(secrets.token_hex(16), intents, connection=connection)
        self._sessions[session.id] = session
        self._forget_the_oldest()
        connection.session = session
        self.identifies += 1
        self._arrived.set()
        session.tell("READY", json.dumps(self._ready(session, data)))
        if intents & Intent.GUILDS:
            for guild in self._world.guilds.values():
                if self._world.bot.id in guild.members:
                    whole = payloads.whole_guild(self._world, guild)
                    session.tell("GUILD_CREATE", json.dumps(whole))
        return None

    def _ready(self, session: Session, data: Json) -> Json:
        world = self._world
        ready: Json = {
            "v": 10,
            "user": payloads.user(world.bot) | {"mfa_enabled": False, "verified": True},
            "guilds": [
                {"id": str(each.id), "unavailable": True}
                for each in world.guilds.values()
                if world.bot.id in each.members
            ],
            "session_id": session.id,
            "resume_gateway_url": self.url,
            "session_type": "normal",
            "application": {
                "id": str(world.bot.id),
                "flags": world.application_flags,
            },
            "private_channels": [],
            "relationships": [],
            "presences": [],
            "guild_join_requests": [],
            "user_settings": {},
            "_trace": [],
        }
        if "shard" in data:
            ready["shard"] = data["shard"]
        return ready

    def _resume(self, connection: Connection, data: Json) -> Close | None:
        if not self._knows(data):
            return Close.AUTHENTICATION_FAILED
        session = self._sessions.get(str(data.get("session_id")))
        if session is None:
            connection.send(Op.INVALID_SESSION, False)
            return None
        missed = session.replay(int(data.get("seq") or 0))
        if missed is None:
            del self._sessions[session.id]
            return Close.INVALID_SEQUENCE
        if session.connection is not None:
            session.connection.session = None
            session.connection.close(4000)
        session.connection = connection
        connection.session = session
        self.resumes += 1
        self._arrived.set()
        for frame in missed:
            connection.frames.put_nowait(frame)
        session.tell("RESUMED", json.dumps({"_trace": []}))
        return None

    def _knows(self, data: Json) -> bool:
        return str(data.get("token", "")).removeprefix("Bot ").strip() == self._token

    def _forget_the_oldest(self) -> None:
        """A session without a connection is kept for a resume, but not for ever."""
        idle = [each for each in self._sessions.values() if each.connection is None]
        for each in idle[: max(0, len(idle) - SESSIONS_KEPT)]:
            del self._sessions[each.id]

    def _members(self, session: Session, data: Json) -> Close | None:
        whole_list = not data.get("user_ids") and not data.get("query") and not data.get("limit")
        if whole_list and not session.intents & Intent.GUILD_MEMBERS:
            return Close.DISALLOWED_INTENTS
        for chunk in chunks(self._world, data):
            session.tell("GUILD_MEMBERS_CHUNK", json.dumps(chunk))
        return None


async def _write(connection: Connection) -> None:
    """Write frames in order. A number closes with that code; 0 cuts the line."""
    while True:
        frame = await connection.frames.get()
        if isinstance(frame, str):
            try:
                await connection.socket.send_str(frame)
            except (ConnectionError, RuntimeError):
                return
        elif frame == 0:
            connection.cut()
            return
        else:
            await connection.socket.close(code=frame)
            return
