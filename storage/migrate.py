"""Bring a file's schema to what the program knows, or say why not."""

import contextlib
import hashlib
import re
import sqlite3
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from storage.backup import copy
from storage.connection import LedgerConnection, uri
from storage.errors import DatabaseChanged, DatabaseNewer, DatabaseOlder, NotADatabase

APPLICATION_ID = 0x53545744
"""Marks a file as Steward's, in the header field that SQLite keeps for this."""

_NAME = re.compile(r"([0-9]{4})_([a-z0-9_]+)\.sql")

_RECORD = """
CREATE TABLE IF NOT EXISTS schema_migration (
  number     INTEGER PRIMARY KEY,
  name       TEXT NOT NULL,
  sha256     TEXT NOT NULL,
  applied_at INTEGER NOT NULL
) STRICT
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Migration:
    """One numbered file. `sha256` is the same whatever the line ends of the checkout."""

    number: int
    name: str
    sql: str
    sha256: str


def load(folder: Path) -> tuple[Migration, ...]:
    """The folder's migrations in order. Raises ValueError unless they are numbered from 1 on."""
    migrations = []
    for path in sorted(folder.glob("*.sql")):
        match = _NAME.fullmatch(path.name)
        if match is None:
            raise ValueError(f"{path} is not named like 0001_what_it_does.sql")
        sql = path.read_text(encoding="utf-8")
        migrations.append(
            Migration(
                number=int(match[1]),
                name=match[2],
                sql=sql,
                sha256=hashlib.sha256(sql.encode()).hexdigest(),
            )
        )
    if [migration.number for migration in migrations] != list(range(1, len(migrations) + 1)):
        raise ValueError(f"the migrations in {folder} are not numbered 1, 2, 3 and so on")
    return tuple(migrations)


def check_owner(connection: LedgerConnection, path: Path) -> None:
    """Refuse a file that another program made; an empty one is nobody's yet."""
    # Both are looked at in one state: another process may be making the file ours just now.
    connection.begin_read()
    try:
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        (owner,) = connection.execute("PRAGMA application_id").fetchone()
    finally:
        connection.undo()
    if owner != APPLICATION_ID and (owner or tables):
        raise NotADatabase(f"{path} is another program's database, not Steward's.")


def pending(
    connection: sqlite3.Connection, migrations: Sequence[Migration], path: Path
) -> Sequence[Migration]:
    """The migrations that the file lacks. Raises DatabaseNewer and DatabaseChanged."""
    known = connection.execute(
        "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'schema_migration'"
    ).fetchone()[0]
    if not known:
        return migrations
    applied = connection.execute(
        "SELECT number, name, sha256 FROM schema_migration ORDER BY number"
    ).fetchall()
    if len(applied) > len(migrations):
        raise DatabaseNewer(
            f"{path} was written by a newer Steward (its schema is {applied[-1][0]}, this program"
            f" knows {len(migrations)}): update the program."
        )
    for (number, name, sha256), migration in zip(applied, migrations, strict=False):
        if sha256 != migration.sha256:
            raise DatabaseChanged(
                f"{path} was made with another {number:04}_{name}.sql than the program's:"
                " a migration must not be edited after it has been applied."
            )
    return migrations[len(applied) :]


def check_current(
    connection: sqlite3.Connection, migrations: Sequence[Migration], path: Path
) -> None:
    """Raise DatabaseOlder, DatabaseNewer or DatabaseChanged unless the schema is the program's."""
    if pending(connection, migrations, path):
        raise DatabaseOlder(f"{path} has an older schema: start the bot once to bring it up.")


def bring_up_to_date(
    connection: LedgerConnection, migrations: Sequence[Migration], path: Path
) -> None:
    """Apply what is pending, each migration in a transaction of its own.

    An existing schema is first copied to a file beside it (`steward.db.before-0002`). Whatever
    fails, the file is left at the last migration that was applied whole. Several processes may do
    this at once: each applies what it still finds pending with the write lock in its hand.
    """
    # Tables that others refer to can be rebuilt only while references aren't enforced, and that
    # can't be changed inside a transaction. They are checked before each commit instead.
    connection.execute("PRAGMA foreign_keys = OFF")
    # What was empty when we came has nothing to be saved.
    saved = len(pending(connection, migrations, path)) == len(migrations)
    while pending(connection, migrations, path):
        connection.begin_write()
        try:
            # Asked again, now that nobody else can be at it.
            for migration in pending(connection, migrations, path)[:1]:
                if not saved:
                    _save(path, migration)
                    saved = True
                _apply(connection, migration)
            connection.end()
        except BaseException:
            connection.undo()
            raise
    connection.execute("PRAGMA foreign_keys = ON")


def _save(path: Path, before: Migration) -> None:
    # A connection of its own, since SQLite doesn't copy from one that holds the write lock.
    with contextlib.closing(sqlite3.connect(uri(path, "ro"), uri=True)) as source:
        # A file of that name is what an earlier try left that never finished.
        copy(source, path.with_name(f"{path.name}.before-{before.number:04}"), replace=True)


def _apply(connection: sqlite3.Connection, migration: Migration) -> None:
    for statement in statements(migration.sql):
        connection.execute(statement)
    broken = connection.execute("PRAGMA foreign_key_check").fetchone()
    if broken is not None:
        raise sqlite3.IntegrityError(
            f"migration {migration.number:04} leaves a row of {broken[0]} that refers to none"
        )
    connection.execute(_RECORD)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(
        "INSERT INTO schema_migration (number, name, sha256, applied_at) VALUES (?, ?, ?, ?)",
        (migration.number, migration.name, migration.sha256, time.time_ns() // 1_000_000),
    )


def statements(sql: str) -> Iterator[str]:
    """The script's statements, one by one: triggers whole, the rest ending at their semicolon."""
    statement = ""
    for piece in re.split(r"(?<=;)", sql):
        statement += piece
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if statement.strip():
        yield statement
