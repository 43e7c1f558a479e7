"""The tour: the real bot against this Discord for a minute, and at the end what came of it all."""

import io
import shlex
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from rich.console import Console

from sandbox.errors import ApiError, NotSeen
from sandbox.people import Person
from sandbox.server import Sandbox
from sandbox.tour_bot import STOP_SECONDS, Bot
from sandbox.tour_reading import called
from sandbox.tour_screen import Screen
from sandbox.tour_story import Story
from sandbox.tour_town import Misbehaved, Town

KEPT, BROKEN = 0, 1
PATIENCE_SECONDS = 30.0

_WELCOME = (
    "This is Steward, the real bot, in a small Discord on your own machine. Nothing leaves it, and "
    "nothing stays. You watch a help desk's day; on the way an answer is lost and the bot is "
    "killed. So that it takes a minute, the bot waits seconds where it would wait minutes."
)


async def tour(command: Sequence[str], *, port: int = 0, patience: float = PATIENCE_SECONDS) -> int:
    """Tell the story with the bot that `command` starts; answer the exit code.

    Each step has `patience` seconds to come. 0 when every promise was kept, 1 with what went wrong
    and the end of the bot's log. When it ends, also by being cancelled, no process and no file of
    it is left. Raises OSError when the port is taken.
    """
    screen = Screen(_console())
    async with _stage(command, port, patience) as town:
        began = time.monotonic()
        try:
            story = await _tell(town, screen, command)
            count(story.asked, story.due, town, screen, time.monotonic() - began)
        except Misbehaved as misbehaved:
            screen.bad(str(misbehaved), town.bot.said())
            return BROKEN
    screen.tell("Every promise was kept.", style="bold green")
    screen.tell("README.md says how to run Steward in a server of your own.")
    return KEPT


@asynccontextmanager
async def _stage(command: Sequence[str], port: int, patience: float) -> AsyncIterator[Town]:
    """A Discord, and a bot in a folder that goes away with it."""
    with tempfile.TemporaryDirectory(prefix="steward-tour-") as folder:
        async with Sandbox(port=port) as sandbox:
            bot = Bot(command, Path(folder), api_base=sandbox.api_base, token=sandbox.token)
            try:
                yield Town(sandbox, bot, patience=patience)
            finally:
                await bot.kill()


async def _tell(town: Town, screen: Screen, command: Sequence[str]) -> Story:
    screen.tell(_WELCOME)
    await screen.reading(8)
    try:
        await town.bot.start()
    except OSError as error:
        raise Misbehaved(f"The bot can't be started: {shlex.join(command)}: {error}.") from None
    story = Story(town, screen)
    try:
        await story.tell()
    except (NotSeen, ApiError) as problem:
        raise Misbehaved(f"Somebody could not go on: {problem}.") from problem
    try:
        code = await town.bot.stop()
    except TimeoutError:
        raise Misbehaved(f"Asked to end, the bot hadn't after {STOP_SECONDS} seconds.") from None
    if code != 0:
        raise Misbehaved(f"Asked to end, the bot did so with exit code {code}, not 0.")
    return story


def count(
    asked: Sequence[Person],
    due: Mapping[int, int],
    town: Town,
    screen: Screen,
    seconds: float,
) -> None:
    """Show the table, from what this Discord stored. Raises `Misbehaved` for a broken promise.

    `due`: how many messages each member, by id, was to get.
    """
    rows = []
    for member in asked:
        written, meant = len(town.from_bot(member)), due[member.id]
        rows.append((meant, min(written, meant), max(0, meant - written), max(0, written - meant)))
    sums = tuple(sum(column) for column in zip(*rows, strict=True))
    names = [*(called(member.user) for member in asked), "all"]
    screen.chapter("The reckoning")
    screen.tell("Every direct message that this Discord ever took from the bot, counted:")
    screen.table(
        ("member", "due", "delivered", "lost", "doubled"),
        [(name, *map(str, row)) for name, row in zip(names, [*rows, sums], strict=True)],
    )
    screen.tell(f"It took {seconds:.0f} seconds.")
    _, _, lost, doubled = sums
    if lost or doubled:
        raise Misbehaved(f"A promise was broken: {lost} lost, {doubled} doubled.")
    if town.sandbox.world.unknown:
        unknown = "; ".join(town.sandbox.world.unknown)
        raise Misbehaved(f"The bot asked for what this Discord doesn't know: {unknown}.")


def _console() -> Console:
    # What a terminal can't write is written as a question mark rather than ending the tour.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    return Console(highlight=False, markup=False, emoji=False)
