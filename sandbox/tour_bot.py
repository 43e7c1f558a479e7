"""The bot as a process of its own, in a folder of its own: started, killed and started again."""

import asyncio
import os
import signal
from collections import deque
from collections.abc import Sequence
from pathlib import Path

# Long waits are for a Discord that is far away and a life that is long; the viewer has a minute.
QUICK = {
    "WORKER__TICK_SECONDS": "0.2",
    "WORKER__LEASE_SECONDS": "3",
    "REQUESTS__OPENING_LEASE_SECONDS": "5",
    "DELIVERY__SETTLE_SECONDS": "1",
    "DELIVERY__BACKOFF_SECONDS": "0.05",
    "DELIVERY__BACKOFF_CAP_SECONDS": "1",
    "DELIVERY__NEW_DMS_PER_MINUTE": "1000",
}
STOP_SECONDS = 10
_HOME = str(Path(__file__).resolve().parents[1])
TAIL_LINES = 15


class Bot:
    """At most one process of `command` at a time; its log, of all its lives, is one file."""

    def __init__(self, command: Sequence[str], folder: Path, *, api_base: str, token: str) -> None:
        self._command = command
        self._folder = folder
        self._token = token
        self._settings = {
            **QUICK,
            "DISCORD__API_BASE": api_base,
            "DISCORD__TOKEN": token,
            "STORAGE__PATH": str(folder / "steward.db"),
            "LOG__FORMAT": "console",
        }
        self._process: asyncio.subprocess.Process | None = None

    @property
    def exit_code(self) -> int | None:
        """How it ended; None while it runs, and once it was killed from here."""
        return None if self._process is None else self._process.returncode

    async def start(self) -> None:
        """Start it, unwaited-for. Raises OSError when the command can't be started."""
        variables = {
            # Settings of the viewer's own bot must not reach this one.
            **{
                name: value for name, value in os.environ.items() if not name.startswith("STEWARD_")
            },
            **{f"STEWARD_{name}": value for name, value in self._settings.items()},
            "PYTHONPATH": _HOME,
        }
        with self._log.open("ab") as sink:
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                cwd=self._folder,  # where no settings file of the viewer's is
                env=variables,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=sink,
                stderr=sink,
                # A Ctrl-C at the terminal is for the tour, which then stops the bot in order.
                start_new_session=True,
            )

    async def kill(self) -> None:
        """SIGKILL, and return once it is gone."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
        if process is not None:
            await process.wait()

    async def stop(self) -> int | None:
        """SIGTERM, and its exit code, if it ran. Raises TimeoutError after `STOP_SECONDS`."""
        process = self._process
        if process is None:
            return None
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(STOP_SECONDS):
            return await process.wait()

    def said(self) -> list[str]:
        """The last lines of its log, without the token."""
        if not self._log.exists():
            return []
        with self._log.open(encoding="utf-8", errors="replace") as lines:
            last = deque(lines, maxlen=TAIL_LINES)
        return [line.rstrip().replace(self._token, "<token>") for line in last]

    @property
    def _log(self) -> Path:
        return self._folder / "bot.log"
