"""The command line: `steward` (also `python -m bot`).

Exit codes: 0 done, 1 failed, 2 wrong use or settings. What goes wrong is one line on standard
error, or one a bad setting; never a traceback, never the token.
"""

import argparse
import asyncio
import logging
import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from bot import logs, running, sandboxed
from bot.apart import apart
from bot.plan import NO_TOKEN, Plan, read
from storage.errors import StorageError

DONE, FAILED, WRONG_USE = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; answer its exit code."""
    chosen = _parser().parse_args(arguments)
    if chosen.command == "sandbox":
        return sandboxed.start(port=chosen.port, discord_only=chosen.discord_only)
    try:
        return _run(chosen.config) if chosen.command == "run" else _other(chosen)
    except StorageError as error:
        return _say(str(error), code=FAILED)
    except running.Failed as error:
        return _say(str(error), code=FAILED)
    except FileExistsError as error:
        return _say(f"{error.filename} is there already; choose another name", code=FAILED)
    except KeyboardInterrupt:
        return _say("interrupted", code=FAILED)
    except Exception:
        logging.getLogger("bot").exception("unexpected")
        return _say(
            "something went wrong that Steward has no word for; the log has it", code=FAILED
        )


def _run(config: Path | None) -> int:
    plan = apart(partial(read, config, os.environ))
    if not isinstance(plan, Plan):
        return _say(*plan, code=WRONG_USE)
    logs.set_up(level=plan.log_level, style=plan.log_format, secrets=(plan.token,))

    async def until_stopped() -> None:
        stop = asyncio.Event()
        running.stop_on_signals(stop)
        await running.run(plan, stop)

    asyncio.run(until_stopped())
    return DONE


def _other(chosen: argparse.Namespace) -> int:
    # Not at the top: they and the settings' library would stay in the memory of every run.
    from bot import checking, reports  # noqa: PLC0415
    from bot.settings import SettingsError, load  # noqa: PLC0415

    try:
        settings = load(chosen.config, os.environ)
    except SettingsError as error:
        return _say(*error.lines, code=WRONG_USE)
    token = settings.discord.token
    logs.set_up(
        level=settings.log.level,
        style=settings.log.format,
        secrets=() if token is None else (token.get_secret_value(),),
    )
    match chosen.command:
        case "check" if token is None:
            return _say(NO_TOKEN, code=WRONG_USE)
        case "check":
            return DONE if asyncio.run(checking.check(settings, print)) else FAILED
        case "status":
            asyncio.run(reports.status(settings, print, as_json=chosen.json))
        case "backup":
            asyncio.run(reports.backup(settings, chosen.file, print))
        case other:
            raise AssertionError(f"no command {other!r}")
    return DONE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="steward", description="A Discord bot for communities that make promises."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    config = argparse.ArgumentParser(add_help=False)
    config.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="the settings; else $STEWARD_CONFIG, else ./config.toml",
    )
    commands.add_parser("run", parents=[config], help="run the bot until SIGTERM or SIGINT")
    commands.add_parser("check", parents=[config], help="say what is wrong with the set-up")
    status = commands.add_parser("status", parents=[config], help="counts, and who delivers")
    status.add_argument("--json", action="store_true", help="for programs")
    backup = commands.add_parser("backup", parents=[config], help="copy the database, online")
    backup.add_argument("file", type=Path, metavar="FILE")
    sandbox = commands.add_parser(
        "sandbox", help="the same bot with no Discord: a tour in the terminal"
    )
    sandbox.add_argument("--port", type=int, default=0, metavar="N", help="0: any free one")
    sandbox.add_argument("--tour", action="store_true", help="the tour (also without this)")
    sandbox.add_argument(
        "--discord-only", action="store_true", help="the loopback Discord alone, for other bots"
    )
    return parser


def _say(*lines: str, code: int) -> int:
    for line in lines:
        print(f"steward: {line}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
