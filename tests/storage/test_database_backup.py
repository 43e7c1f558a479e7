"""Backups: a consistent copy of a ledger that is being written, whole or not there."""

import asyncio
import contextlib
import errno
import os
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from storage.database import Connection, Database
from storage.errors import StorageError


def names_of(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.is_file())


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def add_a_pair(number: int) -> Callable[[Connection], None]:
    """Two notes that only ever come together."""

    def insert(connection: Connection) -> None:
        for half in "ab":
            text = f"{number}{half}" * 200
            connection.execute("INSERT INTO note (text) VALUES (?)", (text,))

    return insert


async def test_a_backup_made_while_writing_holds_whole_transactions(
    ledger: Database, tmp_path: Path
) -> None:
    await asyncio.gather(*(ledger.write(add_a_pair(number)) for number in range(500)))
    writing = asyncio.gather(*(ledger.write(add_a_pair(number)) for number in range(500, 2_000)))
    await ledger.backup(tmp_path / "copy.db")
    await writing
    with contextlib.closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        assert copy.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        (count,) = copy.execute("SELECT count(*) FROM note").fetchone()
    assert count % 2 == 0
    assert 1_000 <= count <= 4_000


async def test_a_backup_is_one_private_file_that_opens_as_a_ledger(
    ledger: Database, tmp_path: Path, migrations: Path
) -> None:
    await ledger.write(add_a_pair(1))
    folder = tmp_path / "backups"
    os.mkdir(folder)  # noqa: PTH102  no pathlib in a coroutine
    await ledger.backup(folder / "copy.db")
    assert names_of(folder) == ["copy.db"]
    assert mode(folder / "copy.db") == 0o600
    async with await Database.open(folder / "copy.db", migrations=migrations) as copy:
        count = "SELECT count(*) FROM note"
        assert await copy.read(lambda connection: connection.execute(count).fetchone()) == (2,)


async def test_a_backup_never_replaces_a_file(ledger: Database, tmp_path: Path) -> None:
    target = tmp_path / "precious.txt"
    write(target, "keep me")
    with pytest.raises(FileExistsError):
        await ledger.backup(target)
    assert target.read_text() == "keep me"
    with pytest.raises(FileExistsError):
        await ledger.backup(ledger.path)


def write(path: Path, text: str) -> None:
    path.write_text(text)


async def test_a_file_that_comes_up_during_the_copy_is_not_replaced_either(
    ledger: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = Path.hardlink_to
    target = tmp_path / "copy.db"

    def too_late(path: Path, part: Path) -> None:
        write(path, "here first")
        link(path, part)

    monkeypatch.setattr(Path, "hardlink_to", too_late)
    before = names_of(tmp_path)
    with pytest.raises(FileExistsError):
        await ledger.backup(target)
    assert names_of(tmp_path) == sorted([*before, "copy.db"])
    assert target.read_text() == "here first"


async def test_a_file_system_without_links_gets_its_copy_by_a_rename(
    ledger: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(path: Path, part: Path) -> None:
        raise OSError(errno.EPERM, "no links here", str(path))

    monkeypatch.setattr(Path, "hardlink_to", no_links)
    await ledger.backup(tmp_path / "copy.db")
    assert "copy.db" in names_of(tmp_path)


async def test_a_backup_that_fails_leaves_nothing_and_says_why(
    ledger: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(StorageError, match=r"copy\.db could not be written: No such file"):
        await ledger.backup(tmp_path / "nowhere" / "copy.db")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    before = names_of(tmp_path)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StorageError, match=r"copy\.db could not be written: No space left"):
        await ledger.backup(tmp_path / "copy.db")
    assert names_of(tmp_path) == before
