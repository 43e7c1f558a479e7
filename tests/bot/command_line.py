"""The command line as people run it: a process of its own, in a folder of its own."""

import ctypes
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "MTIz.abcdef.0123456789012345678901234567"
NOWHERE = "http://127.0.0.1:9/api/v10"
PATIENCE = 60

_PR_CAPBSET_DROP, _CAP_DAC_OVERRIDE = 24, 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a process ended, and what it said."""

    code: int
    out: str
    err: str

    @property
    def complaint(self) -> str:
        """The one line on standard error."""
        assert "Traceback" not in self.err
        assert self.err.count("\n") == 1, self.err
        assert self.err.startswith("steward: ")
        return self.err


@dataclass
class CommandLine:
    """Runs commands in `folder`, where the ledger is `steward.db`."""

    folder: Path

    @property
    def ledger(self) -> Path:
        return self.folder / "steward.db"

    def environment(self, **settings: str | None) -> dict[str, str]:
        """The settings as variables: a token and a Discord where nobody answers, or as given."""
        values = {"DISCORD__TOKEN": TOKEN, "DISCORD__API_BASE": NOWHERE} | settings
        outer = {
            name: value for name, value in os.environ.items() if not name.startswith("STEWARD")
        }
        given = {f"STEWARD_{name}": value for name, value in values.items() if value is not None}
        return outer | given | {"PYTHONPATH": str(ROOT)}

    def run(
        self,
        *arguments: str,
        before: Callable[[], None] | None = None,
        **settings: str | None,
    ) -> Ended:
        """Run a command to its end. `before` is called in the new process."""
        ended = subprocess.run(
            [sys.executable, "-m", "bot", *arguments],
            cwd=self.folder,
            env=self.environment(**settings),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            preexec_fn=before,
            check=False,
        )
        assert TOKEN not in ended.stdout + ended.stderr
        return Ended(code=ended.returncode, out=ended.stdout, err=ended.stderr)


def bound_by_modes(folder: Path) -> Callable[[], None] | None:
    """What makes a new process of root's respect file modes, as tried in an empty `folder`.

    None for others, whom they bind anyway; skips where root can't be bound.
    """
    if os.geteuid() != 0:
        return None
    libc = ctypes.CDLL(None)

    def drop() -> None:
        libc.prctl(_PR_CAPBSET_DROP, _CAP_DAC_OVERRIDE, 0, 0, 0)

    folder.chmod(0o500)
    tried = subprocess.run(
        ["touch", "file"], cwd=folder, preexec_fn=drop, stderr=subprocess.DEVNULL, check=False
    )
    if tried.returncode == 0:
        pytest.skip("file modes don't bind this user")
    return drop


def at_most(size: int) -> Callable[[], None]:
    """No file of the new process grows beyond `size` bytes: a disk that is full."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit
