"""`python -m sandbox`: a loopback Discord as a process of its own.

For programs one line of JSON on standard output says where it is; then it serves until a signal.
`--hello` says it for people instead, and `--tour` shows the bot that `--bot` starts at work in it.
"""

import argparse
import asyncio
import json
import signal
import sys
from collections.abc import Coroutine
from typing import Any

from sandbox.control import Control
from sandbox.server import HOST, Sandbox
from sandbox.tour import PATIENCE_SECONDS, tour

DONE, FAILED = 0, 1
_ENDS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


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
    parser.add_argument("--hello", action="store_true", help="say where it is to a person")
    parser.add_argument("--tour", action="store_true", help="a minute's story, with --bot")
    parser.add_argument(
        "--patience",
        type=float,
        default=PATIENCE_SECONDS,
        metavar="SECONDS",
        help="how long each step of the tour may take",
    )
    parser.add_argument(
        "--bot",
        nargs=argparse.REMAINDER,
        metavar="COMMAND",
        help="last of all: how the tour starts the bot",
    )
    chosen = parser.parse_args()
    if chosen.tour != bool(chosen.bot):
        parser.error("--tour and --bot COMMAND go together")
    return chosen


async def serve(arguments: argparse.Namespace) -> int:
    """Listen, say where, and serve until cancelled. Raises OSError when the port is taken."""
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
        print(
            _hello({**where, "gateway": sandbox.gateway.url})
            if arguments.hello
            else json.dumps(where),
            flush=True,
        )
        await asyncio.Event().wait()
    return DONE


def _hello(where: dict[str, str]) -> str:
    return "\n".join(
        (
            "A loopback Discord for bots. Ctrl-C ends it, and all that is in it.",
            "",
            f"api_base        {where['api_base']}",
            f"token           {where['token']}",
            f"application id  {where['application_id']}",
            "",
            "For Steward, in the environment of `steward run`:",
            f"  STEWARD_DISCORD__API_BASE={where['api_base']}",
            f"  STEWARD_DISCORD__TOKEN={where['token']}",
            "For any other discord.py bot, before it runs:",
            f'  discord.http.Route.BASE = "{where["api_base"]}"',
            f'  discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL("{where["gateway"]}")',
            "",
            f"People, servers and faults are made over HTTP: {where['control']}",
            f"  Authorization: Bearer {where['control_token']}",
        )
    )


async def _until_a_signal(work: Coroutine[Any, Any, int], *, ended: int | None = None) -> int:
    """What the work answers; cut short by a signal, `ended`, or the shell's code for that one."""
    task = asyncio.create_task(work)
    came: list[int] = []

    def end(number: int) -> None:
        came.append(number)
        task.cancel()

    loop = asyncio.get_running_loop()
    for number in _ENDS:
        loop.add_signal_handler(number, end, number)
    try:
        return await task
    except asyncio.CancelledError:
        if not came:
            raise
        return 128 + came[0] if ended is None else ended


def main() -> int:
    """Answers the exit code: 0 done, 1 failed, 2 wrong use; a tour cut short by Ctrl-C, 130."""
    arguments = _arguments()
    try:
        if arguments.tour:
            told = tour(arguments.bot, port=arguments.port, patience=arguments.patience)
            return asyncio.run(_until_a_signal(told))
        return asyncio.run(_until_a_signal(serve(arguments), ended=DONE))
    except OSError as error:
        if arguments.tour or arguments.hello:
            print(f"sandbox: {error}", file=sys.stderr)
        else:
            print(json.dumps({"error": str(error)}), flush=True)
        return FAILED


if __name__ == "__main__":
    raise SystemExit(main())
