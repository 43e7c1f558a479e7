"""The folder of spooled files: what is there is whole."""

import errno
import hashlib
import os
from pathlib import Path

import pytest

from bot.delivery.spool import Spool, SpoolTrouble


@pytest.fixture
def spool(tmp_path: Path) -> Spool:
    return Spool.beside(tmp_path / "steward.db")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "steward.db.files"


def test_a_file_lies_under_the_hash_of_its_contents(spool: Spool, folder: Path) -> None:
    incoming = spool.begin()
    incoming.write(b"one ")
    incoming.write(b"two")
    name = incoming.keep()
    incoming.discard()
    assert name == hashlib.sha256(b"one two").hexdigest()
    assert [path.name for path in folder.iterdir()] == [name]
    assert spool.path(name).read_bytes() == b"one two"
    assert spool.has(name, 7)
    assert not spool.has(name, 6)


def test_only_its_owner_may_read_it(spool: Spool, folder: Path) -> None:
    incoming = spool.begin()
    name = incoming.keep()
    assert folder.stat().st_mode & 0o777 == 0o700
    assert spool.path(name).stat().st_mode & 0o777 == 0o600


def test_what_is_discarded_leaves_nothing(spool: Spool, folder: Path) -> None:
    incoming = spool.begin()
    incoming.write(b"half")
    incoming.discard()
    assert list(folder.iterdir()) == []


def test_the_same_contents_again_are_the_same_file(spool: Spool, folder: Path) -> None:
    for _ in range(2):
        incoming = spool.begin()
        incoming.write(b"same")
        incoming.keep()
    assert len(list(folder.iterdir())) == 1


def full(*_: object, **__: object) -> int:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_is_said_when_a_file_begins(
    spool: Spool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "open", full)
    with pytest.raises(SpoolTrouble) as caught:
        spool.begin()
    assert caught.value.problem == "disk_full"


def test_a_full_disk_is_said_in_the_middle_and_leaves_nothing(
    spool: Spool, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    incoming = spool.begin()
    monkeypatch.setattr(incoming._file, "write", full)
    with pytest.raises(SpoolTrouble) as caught:
        incoming.write(b"x")
    incoming.discard()
    assert caught.value.problem == "disk_full"
    assert list(folder.iterdir()) == []


def test_a_full_disk_is_said_at_the_end_and_leaves_nothing(
    spool: Spool, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    incoming = spool.begin()
    incoming.write(b"x")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SpoolTrouble) as caught:
        incoming.keep()
    incoming.discard()
    assert caught.value.problem == "disk_full"
    assert list(folder.iterdir()) == []


def test_a_folder_that_can_not_be_made_is_trouble_of_the_disk(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(SpoolTrouble) as caught:
        Spool(tmp_path / "file" / "spool").begin()
    assert caught.value.problem == "disk_failed"


def test_a_file_that_is_gone_is_gone_without_harm(spool: Spool) -> None:
    assert not spool.has("0" * 64, 1)
    spool.remove("0" * 64)
    assert spool.tidy(set(), unfinished_only=False) == 0
