"""Sessions that outlive their connections, and the connections, as the gateway knows them."""

import asyncio
import json
from collections import deque
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from aiohttp import web

from sandbox.entities import Event

REPLAY = 4_000
LONGEST_QUEUE = 20_000


class Op(IntEnum):
    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    PRESENCE = 3
    VOICE_STATE = 4
    RESUME = 6
    RECONNECT = 7
    REQUEST_MEMBERS = 8
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


class Close(IntEnum):
    UNKNOWN_OPCODE = 4001
    DECODE_ERROR = 4002
    NOT_AUTHENTICATED = 4003
    AUTHENTICATION_FAILED = 4004
    ALREADY_AUTHENTICATED = 4005
    INVALID_SEQUENCE = 4007
    INVALID_INTENTS = 4013
    DISALLOWED_INTENTS = 4014


@dataclass(slots=True, eq=False)
class Connection:
    """One socket, with the frames that wait to be written to it."""

    socket: web.WebSocketResponse
    request: web.Request
    frames: "asyncio.Queue[str | int]" = field(default_factory=asyncio.Queue)
    session: "Session | None" = None

    def send(self, op: Op, data: Any = None) -> None:
        self.frames.put_nowait(json.dumps({"op": op, "d": data, "s": None, "t": None}))

    def close(self, code: int) -> None:
        """Close in order with this code, after what waits is written."""
        self.frames.put_nowait(code)

    def cut(self) -> None:
        """End at once, without a word."""
        if self.request.transport is not None:
            self.request.transport.abort()


@dataclass(slots=True, eq=False)
class Session:
    """What an application identified for, and the last frames that it was sent."""

    id: str
    intents: int
    sequence: int = 0
    sent: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=REPLAY))
    connection: Connection | None = None

    def hears(self, event: Event) -> bool:
        return not event.intents or bool(self.intents & event.intents)

    def tell(self, name: str, data: str, *, malformed: bool = False) -> None:
        """One event, its data already JSON; kept for a resume, also while nobody is connected."""
        self.sequence += 1
        frame = f'{{"op":0,"s":{self.sequence},"t":"{name}","d":{data}}}'
        self.sent.append((self.sequence, frame))
        if self.connection is None:
            return
        if self.connection.frames.qsize() > LONGEST_QUEUE:
            self.connection.cut()
        else:
            self.connection.frames.put_nowait(frame[:-2] if malformed else frame)

    def replay(self, after: int) -> list[str] | None:
        """The frames after that sequence, or None when they aren't all kept any more."""
        if after > self.sequence or (self.sent and after < self.sent[0][0] - 1):
            return None
        return [frame for sequence, frame in self.sent if sequence > after]
