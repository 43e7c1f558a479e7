"""`steward sandbox`: the same bot with no Discord, by a process of its own."""

import subprocess
import sys


def start(*, port: int, discord_only: bool) -> int:
    """Run `python -m sandbox` until it ends; answer its exit code.

    It starts the loopback Discord and, unless `discord_only`, the tour with this very bot against
    it. Ctrl-C reaches it directly, and it ends in order by itself.
    """
    command = [sys.executable, "-m", "sandbox", "--port", str(port)]
    if not discord_only:
        command += ["--tour", "--bot", sys.executable, "-m", "bot", "run"]
    process = subprocess.Popen(command)  # noqa: S603 - our own program, no shell
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue
