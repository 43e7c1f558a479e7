"""Functions run as transactions, on the connection's thread: alone, or many in one commit."""

import sqlite3
import traceback
from collections.abc import Callable, Coroutine, Generator, Sequence
from dataclasses import dataclass
from typing import Any

from storage.connection import LedgerConnection

Function = Callable[[sqlite3.Connection], Any]

# Causes that lie with the file and not with a function: each function of the batch would only wait
# for the same lock, or hit the same bad sector, in its turn. A full disk is not among them, since
# what is small may still fit where what is large does not.
_ALL_FAIL_ALIKE = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_CANTOPEN,
    }
)


@dataclass(frozen=True, slots=True)
class Done:
    """The transaction is on disk, and this is what its function returned."""

    value: Any


@dataclass(frozen=True, slots=True)
class Failed:
    """Nothing of the function is on disk, and this is why."""

    error: BaseException


Outcome = Done | Failed


def write_together(connection: LedgerConnection, functions: Sequence[Function]) -> list[Outcome]:
    """Run the functions in order and commit once; if one fails, run each alone.

    A function that fails therefore fails alone, and each may run twice. Raises only when a
    transaction could not be rolled back: the connection is of no more use then.
    """
    try:
        connection.begin_write()
        values = [_call(connection, function) for function in functions]
        connection.end()
    except BaseException as error:  # noqa: BLE001  every error is some caller's answer
        _undo(connection, error)
        if len(functions) == 1 or _primary_code(error) in _ALL_FAIL_ALIKE:
            return [Failed(error)] * len(functions)
    else:
        return [Done(value) for value in values]
    return [write_together(connection, [function])[0] for function in functions]


def read_alone(connection: LedgerConnection, function: Function) -> Any:
    """Run the function in a transaction that sees one state of the database and ends with it."""
    connection.begin_read()
    try:
        return _call(connection, function)
    except BaseException as error:
        traceback.clear_frames(error.__traceback__)
        raise
    finally:
        connection.undo()


def _call(connection: LedgerConnection, function: Function) -> Any:
    value = function(connection)
    if isinstance(value, Coroutine | Generator | sqlite3.Cursor):
        value.close()
        raise TypeError(
            f"{function!r} answers with a {type(value).__name__}, which would do its work after"
            " the transaction: write a plain function that finishes before it returns"
        )
    if not connection.in_transaction:
        raise RuntimeError(
            f"the transaction of {function!r} was rolled back under it (by INSERT OR ROLLBACK, or"
            " by an error that it caught)"
        )
    return value


def _undo(connection: LedgerConnection, error: BaseException) -> None:
    # The traceback keeps the function's frames, and with them cursors that are half read. An open
    # statement would hold an old state of the database, and the next BEGIN could not write.
    traceback.clear_frames(error.__traceback__)
    connection.undo()


def _primary_code(error: BaseException) -> int | None:
    code = getattr(error, "sqlite_errorcode", None) if isinstance(error, sqlite3.Error) else None
    return None if code is None else code & 0xFF
