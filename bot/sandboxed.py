"""`steward sandbox`: the same bot with no Discord, by a process of its own."""

import signal
import subprocess
import sys
from types import FrameType


def start(*, port: int, discord_only: bool) -> int:
    """Run `python -m sandbox` until it ends; answer its exit code.

    It starts the loopback Discord and, unless `discord_only`, the tour with this very bot against
    it. Ctrl-C reaches it directly, SIGTERM is passed on, and it ends in order by itself.
    """
    command = [sys.executable, "-m", "sandbox", "--port", str(port)]
    if discord_only:
        command += ["--hello"]
    else:
        command += ["--tour", "--bot", sys.executable, "-m", "bot", "run"]
    process = subprocess.Popen(command)  # noqa: S603 - our own program, no shell

    def pass_on(number: int, _: FrameType | None) -> None:
        process.send_signal(number)

    signal.signal(signal.SIGTERM, pass_on)
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue
