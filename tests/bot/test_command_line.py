"""Whatever is wrong with the settings or the file: one line, the right code, nothing damaged."""

import contextlib
import json
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from storage import requests
from storage.database import Database
from tests.bot.command_line import TOKEN, CommandLine, at_most, bound_by_modes

COMMANDS = {
    "run": ("run",),
    "check": ("check",),
    "status": ("status",),
    "backup": ("backup", "copy.db"),
}


@pytest.fixture
def steward(tmp_path: Path) -> CommandLine:
    folder = tmp_path / "deployment"
    folder.mkdir()
    return CommandLine(folder)


@pytest.fixture
async def ledger(steward: CommandLine) -> Path:
    """A ledger as a first run leaves it."""
    async with await Database.open(steward.ledger):
        pass
    return steward.ledger


def execute(path: Path, statement: str, *values: object) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement, values)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_bad_setting_is_named_at_once(steward: CommandLine, command: str) -> None:
    ended = steward.run(
        *COMMANDS[command],
        DISCORD__TOKEN="two words, one secret",
        WORKER__TICK_SECONDS="never",
        REQUESTS__COLOUR="blue",
    )
    assert ended.code == 2
    lines = ended.err.splitlines()
    assert all(line.startswith("steward: ") for line in lines)
    assert len(lines) == 3
    for key in ("discord.token", "worker.tick_seconds", "requests.colour"):
        assert any(key in line for line in lines)
    assert "secret" not in ended.err
    assert not steward.ledger.exists()


def test_a_settings_file_that_is_not_there_is_one_line(steward: CommandLine) -> None:
    ended = steward.run("status", "--config", "other.toml")
    assert ended.code == 2
    assert "other.toml" in ended.complaint


@pytest.mark.parametrize("command", ["run", "check"])
def test_without_a_token_discord_is_not_even_asked(steward: CommandLine, command: str) -> None:
    ended = steward.run(command, DISCORD__TOKEN=None)
    assert ended.code == 2
    assert "discord.token" in ended.complaint
    assert not steward.ledger.exists()


@pytest.mark.parametrize("arguments", [(), ("fly",), ("backup",), ("status", "--fast")])
def test_wrong_use_says_what_may_be_said(steward: CommandLine, arguments: tuple[str, ...]) -> None:
    ended = steward.run(*arguments)
    assert ended.code == 2
    assert ended.err.startswith("usage: ")


def other_programs(path: Path) -> None:
    execute(path, "CREATE TABLE theirs (x)")


def not_a_database(path: Path) -> None:
    path.write_bytes(b"These are somebody's notes.\n" * 300)


def newer(path: Path) -> None:
    execute(path, "INSERT INTO schema_migration VALUES (999, 'later', 'abc', 1)")


def damaged(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(100)
        file.write(b"\xff" * 2000)


REFUSED: dict[str, tuple[Callable[[Path], None], str]] = {
    "another program's": (other_programs, "another program"),
    "not a database": (not_a_database, "not a SQLite database"),
    "a newer Steward's": (newer, "newer Steward"),
    "damaged": (damaged, "damaged"),
}


# Every kind by `run`; the others open the file in the same way, which one kind each shows.
MET = [
    *((what, "run") for what in REFUSED),
    ("a newer Steward's", "status"),
    ("not a database", "backup"),
    ("another program's", "check"),
    ("damaged", "check"),
]


@pytest.mark.parametrize(("what", "command"), MET)
async def test_a_file_that_steward_can_not_use_is_refused_and_left_as_it_is(
    steward: CommandLine, what: str, command: str
) -> None:
    spoil, word = REFUSED[what]
    if what in {"a newer Steward's", "damaged"}:
        async with await Database.open(steward.ledger):
            pass
    spoil(steward.ledger)
    before = steward.ledger.read_bytes()
    ended = steward.run(*COMMANDS[command])
    assert ended.code == 1
    said = [line for line in ended.out.splitlines() if line.startswith("wrong")]
    complaint = said[0] if command == "check" else ended.complaint
    assert word in complaint
    assert "steward.db" in complaint
    assert steward.ledger.read_bytes() == before
    assert not (steward.folder / "copy.db").exists()


@pytest.mark.parametrize("command", ["run", "status", "backup"])
def test_a_folder_that_is_not_there_is_not_made(steward: CommandLine, command: str) -> None:
    ended = steward.run(*COMMANDS[command], STORAGE__PATH="nowhere/steward.db")
    assert ended.code == 1
    assert "nowhere" in ended.complaint
    assert not (steward.folder / "nowhere").exists()


@pytest.mark.parametrize("command", ["status", "backup"])
def test_before_the_first_run_there_is_nothing_to_tell(steward: CommandLine, command: str) -> None:
    ended = steward.run(*COMMANDS[command])
    assert ended.code == 1
    assert "does not exist" in ended.complaint
    assert list(steward.folder.iterdir()) == []


@pytest.fixture
def read_only(steward: CommandLine, ledger: Path) -> Iterator[Path]:
    """The ledger and its folder, of which nothing may be written."""
    ledger.chmod(0o400)
    steward.folder.chmod(0o500)
    yield ledger
    steward.folder.chmod(0o700)


@pytest.mark.parametrize("command", ["run", "check"])
def test_a_ledger_that_can_not_be_written_is_one_line(
    steward: CommandLine, read_only: Path, tmp_path: Path, command: str
) -> None:
    (tmp_path / "probe").mkdir()
    before = read_only.read_bytes()
    ended = steward.run(command, before=bound_by_modes(tmp_path / "probe"))
    assert ended.code == 1
    said = ended.complaint if command == "run" else ended.out
    assert "can't be" in said
    assert str(read_only) in said or read_only.name in said
    assert read_only.read_bytes() == before


@pytest.mark.parametrize("size", [0, 60_000])
async def test_a_disk_that_is_full_at_the_first_start_is_one_line_and_no_harm(
    steward: CommandLine, size: int
) -> None:
    full = steward.run("run", before=at_most(size))
    assert full.code == 1
    assert "steward.db" in full.complaint
    async with await Database.open(steward.ledger) as database:
        assert await database.read(requests.counts) == {}


def test_a_disk_that_is_full_leaves_no_half_a_backup(steward: CommandLine, ledger: Path) -> None:
    ended = steward.run("backup", "copy.db", before=at_most(40_000))
    assert ended.code == 1
    assert "copy.db" in ended.complaint
    assert not [path for path in steward.folder.iterdir() if "copy" in path.name]


def test_a_ledger_that_another_process_keeps_locked_is_one_line(
    steward: CommandLine, ledger: Path
) -> None:
    with contextlib.closing(sqlite3.connect(ledger, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        ended = steward.run("run")
        assert ended.code == 1
        assert "locked by another process" in ended.complaint
        assert steward.run("status").code == 0, "reading waits for nobody"


def test_the_status_for_programs_has_every_count_that_is_promised(
    steward: CommandLine, ledger: Path
) -> None:
    ended = steward.run("status", "--json", DISCORD__TOKEN=None)
    assert (ended.code, ended.err) == (0, "")
    status = json.loads(ended.out)
    named = {"requests", "entries", "parts", "uncertain", "extras", "lease"}
    assert status.keys() == {*named, "inbox"}
    assert status["inbox"] == {"waiting": 0, "set_aside": 0}
    assert status["requests"] == dict.fromkeys(
        [
            "queued",
            "claimed",
            "opening",
            "needs_reconcile",
            "active",
            "resolved",
            "withdrawn",
            "dropped",
        ],
        0,
    )
    assert status["parts"] == {"pending": 0, "sent": 0, "dropped": 0}
    assert (status["uncertain"], status["extras"], status["lease"]) == (0, 0, None)


def test_the_status_for_people_says_that_nobody_delivers(
    steward: CommandLine, ledger: Path
) -> None:
    ended = steward.run("status")
    assert ended.code == 0
    assert "nobody" in ended.out


def test_a_backup_is_whole_while_the_ledger_is_written(steward: CommandLine, ledger: Path) -> None:
    stop = threading.Event()

    def write() -> None:
        with contextlib.closing(sqlite3.connect(ledger, isolation_level=None)) as writer:
            for number in range(1, 1_000_000):
                if stop.is_set():
                    return
                writer.execute("BEGIN IMMEDIATE")
                for channel in (number, -number):
                    writer.execute(
                        "INSERT INTO channel_fence (channel_id, newest_id) VALUES (?, 1)",
                        (channel,),
                    )
                writer.execute("COMMIT")

    writing = threading.Thread(target=write)
    writing.start()
    try:
        ended = steward.run("backup", "copy.db", DISCORD__TOKEN=None)
    finally:
        stop.set()
        writing.join()
    assert (ended.code, ended.err) == (0, "")
    copy = steward.folder / "copy.db"
    assert copy.stat().st_mode & 0o777 == 0o600
    with contextlib.closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        rows, halves = connection.execute(
            "SELECT count(*), sum(channel_id) FROM channel_fence"
        ).fetchone()
    assert rows > 0
    assert (rows % 2, halves) == (0, 0), "no transaction is there by half"
    assert CommandLine(steward.folder).run("status", STORAGE__PATH="copy.db").code == 0


@pytest.mark.parametrize("target", ["kept.db", "nowhere/copy.db", "."])
def test_a_backup_that_has_no_place_is_one_line_and_replaces_nothing(
    steward: CommandLine, ledger: Path, target: str
) -> None:
    kept = steward.folder / "kept.db"
    kept.write_text("precious")
    ended = steward.run("backup", target)
    assert ended.code == 1
    assert target in ended.complaint
    assert kept.read_text() == "precious"
    beside = {path.name for path in steward.folder.iterdir()}
    assert beside <= {"kept.db", "steward.db", "steward.db-shm", "steward.db-wal"}


def test_an_unreachable_discord_is_a_finding_of_check(steward: CommandLine, ledger: Path) -> None:
    ended = steward.run("check")
    assert ended.code == 1
    assert "Traceback" not in ended.err
    (line,) = [line for line in ended.out.splitlines() if line.startswith("wrong")]
    assert "reached" in line
    assert TOKEN not in ended.out
