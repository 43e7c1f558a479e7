"""The folder of spooled files: each under the hash of its contents, whole or not there at all.

Nothing here knows the ledger. A file is put in place before the ledger names it, so a death in
between leaves a file that nobody names: `tidy` removes it at the next start.
"""

import errno
import hashlib
import logging
import os
import secrets
from collections.abc import Container
from pathlib import Path
from typing import Final

log = logging.getLogger(__name__)

_UNFINISHED: Final = ".part"
_BINARY: Final = getattr(os, "O_BINARY", 0)
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})


class SpoolTrouble(Exception):
    """The disk did not take it. `problem` is `disk_full` or `disk_failed`."""

    def __init__(self, error: OSError) -> None:
        self.problem = "disk_full" if error.errno in _FULL else "disk_failed"
        super().__init__(f"{self.problem}: {error.strerror}")


class Incoming:
    """A file on its way into the spool. Every method may block; see `Spool.begin`."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / f"{secrets.token_hex(16)}{_UNFINISHED}"
        self._hash = hashlib.sha256()
        handle = os.open(self._path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | _BINARY, 0o600)
        self._file = os.fdopen(handle, "wb")
        self.size = 0

    def write(self, data: bytes) -> None:
        """Take more of its contents. Raises `SpoolTrouble`."""
        try:
            self._file.write(data)
        except OSError as error:
            raise SpoolTrouble(error) from error
        self._hash.update(data)
        self.size += len(data)

    def keep(self) -> str:
        """Put it in place, on disk for good; answer its hash. Raises `SpoolTrouble`."""
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            name = self._hash.hexdigest()
            self._path.replace(self._path.with_name(name))
            _sync_folder(self._path.parent)
        except OSError as error:
            raise SpoolTrouble(error) from error
        return name

    def discard(self) -> None:
        """Leave nothing of it, unless it has been kept."""
        try:
            self._file.close()
        except OSError:
            log.debug("spool_file_not_closed")  # what was still to be written is not wanted
        self._path.unlink(missing_ok=True)


class Spool:
    """The folder. It is made when the first file comes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @classmethod
    def beside(cls, database: Path) -> "Spool":
        """The spool of that database."""
        return cls(database.with_name(f"{database.name}.files"))

    def begin(self) -> Incoming:
        """Begin a file. Raises `SpoolTrouble`."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return Incoming(self._folder)
        except OSError as error:
            raise SpoolTrouble(error) from error

    def path(self, sha256: str) -> Path:
        """Where the file with that hash is, if it is there."""
        return self._folder / sha256

    def has(self, sha256: str, size: int) -> bool:
        """Whether a file of that hash and size is there."""
        try:
            return self.path(sha256).stat().st_size == size
        except OSError:
            return False

    def remove(self, sha256: str) -> None:
        """Remove a file; one that is not there is no harm."""
        try:
            self.path(sha256).unlink(missing_ok=True)
        except OSError as error:
            log.warning("spooled_file_stays", extra={"problem": error.strerror})

    def tidy(self, named: Container[str], *, unfinished_only: bool) -> int:
        """Remove what was never finished and, unless told otherwise, what is not `named`.

        Answers how many. To be called while nothing is on its way in.
        """
        removed = 0
        for path in self._entries():
            unfinished = path.suffix == _UNFINISHED
            if unfinished or not (unfinished_only or path.name in named):
                self.remove(path.name)
                removed += 1
        return removed

    def _entries(self) -> list[Path]:
        try:
            return [path for path in self._folder.iterdir() if path.is_file()]
        except FileNotFoundError:
            return []
        except OSError as error:
            log.warning("spool_unreadable", extra={"problem": error.strerror})
            return []


def _sync_folder(folder: Path) -> None:
    """Have the folder's entries on disk; Windows can't, and needs no such thing."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
