"""Steward with a death at a chosen point: `python -m tests.journeys.killable run`.

`KILL_AT` names the point: `before` or `after` the commit of a transaction in which a request takes
an event (`before:claim`, `after:start_open`), or in which a member's DM channel is kept
(`after:dm_channel`). The process kills itself there with SIGKILL, once.
"""

import os
import signal
import sys
from collections.abc import Callable
from typing import Any, TypeVar

from bot.__main__ import main
from storage import channels, requests
from storage.database import Connection, Database

T = TypeVar("T")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def arm(when: str, what: str) -> None:
    """Die before or after the commit in which `what` is written."""
    written: list[str] = []
    save, keep, write = requests.save, channels.put_dm_channel, Database.write

    def seen(name: str) -> None:
        if name == what:
            if when == "before":
                die()
            written.append(name)

    def saving(connection: Connection, after: Any, *, event: str, **rest: Any) -> None:
        save(connection, after, event=event, **rest)
        seen(event)

    def keeping(*arguments: Any) -> None:
        keep(*arguments)
        seen("dm_channel")

    async def writing(self: Database, fn: Callable[[Connection], T]) -> T:
        value = await write(self, fn)
        if written:
            die()
        return value

    requests.save = saving
    channels.put_dm_channel = keeping  # type: ignore[assignment]
    Database.write = writing  # type: ignore[method-assign]


if __name__ == "__main__":
    arm(*os.environ["KILL_AT"].split(":"))
    sys.exit(main())
