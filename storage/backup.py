"""A consistent copy of a database that is in use."""

import contextlib
import errno
import os
import secrets
import sqlite3
from pathlib import Path

from storage.errors import StorageError, translate

# What link() answers on file systems that have no hard links.
_NO_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})


def copy(source: sqlite3.Connection, target: Path, *, replace: bool = False) -> None:
    """Copy `source` as it is now to `target`, which appears whole and on disk, or not at all.

    Writers of the source go on meanwhile. The copy is one plain file, readable by its owner alone.
    Raises FileExistsError when the target exists, unless it is to be replaced, and StorageError.
    """
    if not replace and target.exists():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
    part = target.with_name(f"{target.name}.{secrets.token_hex(4)}.part")
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        _copy_pages(source, part)
        _sync(part)
        _publish(part, target, replace=replace)
        _sync(target.parent)
    except FileExistsError:
        raise
    except OSError as error:
        raise StorageError(f"{target} could not be written: {error.strerror}.") from error
    except sqlite3.Error as error:
        raise translate(error, target) from error
    finally:
        for end in ("", "-journal", "-wal", "-shm"):
            part.with_name(part.name + end).unlink(missing_ok=True)


def _copy_pages(source: sqlite3.Connection, part: Path) -> None:
    with contextlib.closing(sqlite3.connect(part, isolation_level=None)) as target:
        # All pages in one step are one state of the database, however busy its writer is.
        source.backup(target, pages=-1)
        # A copy is for keeping: it should need no second file to be read.
        target.execute("PRAGMA journal_mode = DELETE").fetchone()


def _publish(part: Path, target: Path, *, replace: bool) -> None:
    if replace:
        part.replace(target)
        return
    try:
        # Unlike a rename, a link never replaces a file that has come up meanwhile.
        target.hardlink_to(part)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        part.rename(target)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
