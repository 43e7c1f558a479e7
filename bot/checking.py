"""`steward check`: what is wrong with the set-up, a line each."""

import asyncio
import os
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from bot.app import CannotConnect, Unreachable, visiting
from bot.delivery import discord_internals
from bot.delivery.discord_checkup import Application, DeskState, application_of, desk_state
from bot.settings import Settings
from bot.translating import LibreTranslate, TranslationFailed
from bot.words.sentences import say as sentence
from domain.text import tidy
from storage import desks
from storage.database import Connection, Database
from storage.desks import Desk
from storage.errors import DatabaseMissing, StorageError

_SAFE_SQLITE = (3, 51, 3)
_PATIENCE_SECONDS = 60
_NO_TRANSLATOR = {
    "slow": "the translator did not answer in time",
    "unavailable": "the translator can't be reached",
    "unreadable": "what answers there is no LibreTranslate",
}


@dataclass
class Findings:
    """Prints each finding as it comes, and keeps whether all holds."""

    say: Callable[[str], None]
    all_well: bool = field(default=True)

    def ok(self, line: str) -> None:
        self.say(f"ok     {line}")

    def note(self, line: str) -> None:
        self.say(f"note   {line}")

    def wrong(self, line: str) -> None:
        self.all_well = False
        self.say(f"wrong  {line}")


async def check(settings: Settings, say: Callable[[str], None]) -> bool:
    """Say what holds and what doesn't; answer whether all holds. `settings` have a token.

    Nothing is changed: a database that is not there yet is only noted.
    """
    found = Findings(say)
    found.ok("settings")
    if sqlite3.sqlite_version_info < _SAFE_SQLITE:
        found.note(
            f"SQLite {sqlite3.sqlite_version}: before 3.51.3 a rare fault can damage a database"
            " that two connections write at once; Steward writes through one"
        )
    known = await _check_database(settings, found)
    await _check_discord(settings, known, found)
    await _check_translation(settings, found)
    return found.all_well


async def _check_database(settings: Settings, found: Findings) -> tuple[Desk, ...]:
    path = settings.storage.path
    for place in (path, path.resolve().parent):
        if _is_read_only(place):
            found.wrong(f"storage.path: {place} can't be written to")
    try:
        async with await Database.open(path, read_only=True) as database:
            problem, known = await database.read(_look)
    except DatabaseMissing:
        if path.resolve().parent.is_dir():
            found.note(f"{path} is not there yet: the first run makes it")
        else:
            found.wrong(f"storage.path: the folder {path.parent} is not there")
        return ()
    except StorageError as error:
        found.wrong(str(error))
        return ()
    if problem == "ok":
        found.ok(f"database {path}")
    else:
        found.wrong(f"{path} is damaged: {problem}")
    return known


def _is_read_only(place: Path) -> bool:
    return place.exists() and not os.access(place, os.W_OK)


def _look(connection: Connection) -> tuple[str, tuple[Desk, ...]]:
    (problem,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    known = tuple(desks.load(connection, guild_id) for guild_id in desks.guilds(connection))
    return " ".join(str(problem).split()), known


async def _check_discord(settings: Settings, known: tuple[Desk, ...], found: Findings) -> None:
    token = settings.discord.token
    assert token is not None
    if settings.discord.elsewhere:
        discord_internals.use_api_base(settings.discord.api_base)
    try:
        async with (
            asyncio.timeout(_PATIENCE_SECONDS),
            visiting(token.get_secret_value()) as client,
        ):
            found.ok("token")
            _tell_application(await application_of(client), found)
            for desk in known:
                _tell_desk(desk, await desk_state(client, desk), found)
            if not known:
                found.note("no server has a desk yet: run /desk setup in one")
    except (CannotConnect, Unreachable) as error:
        found.wrong(str(error))
    except TimeoutError:
        found.wrong(f"Discord did not answer within {_PATIENCE_SECONDS} s")


async def _check_translation(settings: Settings, found: Findings) -> None:
    """Whether the translator is there. Nothing is sent to it, so its key is not tried."""
    asked = settings.translation
    if asked.provider == "none":
        return
    try:
        codes = await LibreTranslate(asked.url).languages()
    except TranslationFailed as error:
        why = _NO_TRANSLATOR.get(error.code, "the translator refuses to say what it offers")
        found.wrong(f"translation.url: {why} ({error.detail})")
        return
    found.ok(f"translation between {len(codes)} languages")


def _tell_application(application: Application, found: Findings) -> None:
    if application.interactions_elsewhere:
        found.wrong(
            "the application has an interactions endpoint URL, so commands never reach Steward:"
            " take it out in the developer portal"
        )
    if application.message_content:
        found.ok("message content intent")
    else:
        found.note(
            "message content intent is off: what coordinators write in threads reaches nobody, and"
            " they answer with /reply; turn it on in the developer portal and start Steward anew"
        )
    if application.members:
        found.note("server members intent is on, and Steward doesn't use it: better turn it off")


def _tell_desk(desk: Desk, state: DeskState, found: Findings) -> None:
    name = f"desk of {tidy(desk.guild_name, limit=100) or desk.guild_id}"
    if not state.in_guild:
        found.wrong(f"{name}: Steward is no longer in that server")
        return
    problems = []
    if not state.channel_exists:
        problems.append("its channel is gone")
    if not state.role_exists:
        problems.append("the coordinators' role is gone")
    if state.public:
        problems.append("@everyone can read it")
    problems += [
        f"in channel {channel_id} lacks {', '.join(_plain(name) for name in names)}"
        for channel_id, names in state.missing
        if state.channel_exists or channel_id != desk.channel_id
    ]
    for problem in problems:
        found.wrong(f"{name}: {problem}; /desk setup helps")
    if not problems:
        found.ok(name)


def _plain(permission: str) -> str:
    return sentence("en", f"permission.{permission}")
