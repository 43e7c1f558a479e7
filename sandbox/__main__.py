"""`python -m sandbox`: a loopback Discord as a process of its own.

One line of JSON on standard output says where it is; then it serves until SIGTERM or SIGINT.
"""

import argparse
import asyncio
import json
import signal

from sandbox.control import Control
from sandbox.server import HOST, Sandbox


def _port(text: str) -> int:
    port = int(text)
    if not 0 <= port < 65_536:
        raise ValueError(text)
    return port


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m sandbox", description="A loopback Discord.")
    parser.add_argument("--port", type=_port, default=0, metavar="N", help="0: any free one")
    parser.add_argument("--token", help="the bot's token; made up when left out")
    parser.add_argument("--control-token", help="the control API's token; made up when left out")
    parser.add_argument("--nonce-window", type=int, default=60, metavar="SECONDS")
    return parser.parse_args()


async def serve(arguments: argparse.Namespace) -> None:
    """Listen, say where, and serve until a signal. Raises OSError when the port is taken."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    sandbox = Sandbox(
        port=arguments.port,
        token=arguments.token,
        nonce_window_ms=arguments.nonce_window * 1000,
    )
    control = Control(sandbox, arguments.control_token)
    async with sandbox:
        where = {
            "host": HOST,
            "api_base": sandbox.api_base,
            "token": sandbox.token,
            "control": control.url,
            "control_token": control.token,
            "application_id": str(sandbox.world.bot.id),
        }
        print(json.dumps(where), flush=True)
        await stop.wait()


def main() -> int:
    """Answers the exit code: 0 after a signal, 1 when the port can't be had."""
    arguments = _arguments()
    try:
        asyncio.run(serve(arguments))
    except OSError as error:
        print(json.dumps({"error": str(error)}), flush=True)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
