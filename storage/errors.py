"""What can go wrong with the file, said once and in plain words.

SQLite's own exceptions are translated here. Those that tell of a bug or a lost race
(IntegrityError, a misspelt statement) pass unchanged: the caller knows what they mean.
"""

import asyncio
import sqlite3
from pathlib import Path


class StorageError(Exception):
    """The ledger can't be used as asked. The message is one plain sentence naming the file."""


class DatabaseMissing(StorageError):
    """The file, or the folder it should be in, is not there."""


class NotADatabase(StorageError):
    """The file is no SQLite database, or another program's."""


class DatabaseOlder(StorageError):
    """The schema is older than the program, and this way of opening doesn't migrate."""


class DatabaseNewer(StorageError):
    """The schema was written by a newer program."""


class DatabaseChanged(StorageError):
    """A migration's file is not the one that was applied."""


class DatabaseLocked(StorageError):
    """Another process has held the lock for longer than we wait. Trying again may work."""


class DatabaseReadOnly(StorageError):
    """The file or its folder can't be written to."""


class DatabaseFull(StorageError):
    """There is no room left on the disk."""


class DatabaseCorrupt(StorageError):
    """The file's contents are damaged."""


class DiskFailed(StorageError):
    """The operating system could not read or write the file."""


class DatabaseClosed(StorageError):
    """The call came after the database was closed, or its writer has died."""


_KINDS: dict[int, tuple[type[StorageError], str]] = {
    sqlite3.SQLITE_BUSY: (DatabaseLocked, "is locked by another process"),
    sqlite3.SQLITE_LOCKED: (DatabaseLocked, "is locked by another process"),
    sqlite3.SQLITE_READONLY: (DatabaseReadOnly, "can't be written to"),
    sqlite3.SQLITE_PERM: (DatabaseReadOnly, "can't be written to"),
    sqlite3.SQLITE_FULL: (DatabaseFull, "has no room left to grow"),
    sqlite3.SQLITE_CORRUPT: (DatabaseCorrupt, "is damaged"),
    sqlite3.SQLITE_NOTADB: (NotADatabase, "is not a SQLite database"),
    sqlite3.SQLITE_IOERR: (DiskFailed, "can't be read or written"),
}


def translate(error: BaseException, path: Path) -> BaseException:
    """What a caller should see for an error of its function: ours where the file is the cause."""
    translated: BaseException
    # Errors that the sqlite3 module itself raises carry no code.
    code = getattr(error, "sqlite_errorcode", -1) & 0xFF if isinstance(error, sqlite3.Error) else -1
    if code in _KINDS:
        kind, sentence = _KINDS[code]
        translated = kind(f"{path} {sentence} ({error}).")
    elif code == sqlite3.SQLITE_CANTOPEN:
        translated = cannot_open(path)
    elif code == sqlite3.SQLITE_AUTH:
        translated = RuntimeError("a function may not commit or roll back its own transaction")
    elif isinstance(error, StopIteration | asyncio.CancelledError):
        # A future can't carry the first; the second would look as if the caller was cancelled.
        translated = RuntimeError(f"a transaction's function raised {type(error).__name__}")
    else:
        return error
    translated.__cause__ = error
    return translated


def cannot_open(path: Path) -> StorageError:
    """Why the file could not be opened, as far as the file system tells."""
    if not path.parent.is_dir():
        return DatabaseMissing(f"The folder of {path} does not exist.")
    if path.is_dir():
        return NotADatabase(f"{path} is a folder, not a database.")
    if not path.exists():
        return DatabaseMissing(f"{path} does not exist.")
    return DatabaseReadOnly(f"{path} can't be opened: check who may use the file and its folder.")
