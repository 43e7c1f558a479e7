"""Files in carried messages: what became of each, and which are spooled."""

import sqlite3
from dataclasses import dataclass
from typing import Any

from domain.files import FileState

_COLUMNS = (
    "message_id, ordinal, channel_id, name, claimed, content_type, spoiler, state, url, sha256,"
    " size, bundle, tries, next_at, problem"
)

# The first wanted file of each channel, found by stepping from one channel to the next.
_HEADS = (
    "WITH RECURSIVE lane (channel_id) AS ("
    "SELECT min(channel_id) FROM relayed_file WHERE state = 'wanted'"
    " UNION ALL SELECT (SELECT min(channel_id) FROM relayed_file WHERE state = 'wanted'"
    " AND channel_id > lane.channel_id) FROM lane WHERE lane.channel_id IS NOT NULL),"
    " head (channel_id, message_id) AS (SELECT channel_id, (SELECT min(message_id)"
    " FROM relayed_file WHERE state = 'wanted' AND channel_id = lane.channel_id) FROM lane)"
)
_JOINED = (
    " FROM head JOIN relayed_file AS file ON file.message_id = head.message_id"
    " AND file.ordinal = (SELECT min(ordinal) FROM relayed_file WHERE state = 'wanted'"
    " AND channel_id = head.channel_id AND message_id = head.message_id)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RelayedFile:
    """A file that came with a message: the `ordinal`th of it, from 1. Sizes in bytes.

    `claimed` and `content_type` are what Discord says of it; `size` is what really came.
    """

    message_id: int
    ordinal: int
    channel_id: int
    name: str
    claimed: int
    content_type: str
    spoiler: bool
    state: FileState
    url: str | None
    sha256: str | None
    size: int | None
    bundle: int | None
    tries: int
    next_at: int
    problem: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFile:
    message_id: int
    ordinal: int
    channel_id: int
    name: str
    claimed: int
    content_type: str
    spoiler: bool
    url: str


def want(connection: sqlite3.Connection, file: NewFile, now: int) -> None:
    """Note a file that is to be fetched; one that is known stays as it is."""
    connection.execute(
        "INSERT INTO relayed_file (message_id, ordinal, channel_id, name, claimed, content_type,"
        " spoiler, state, url, next_at) VALUES (?, ?, ?, ?, ?, ?, ?, 'wanted', ?, ?)"
        " ON CONFLICT (message_id, ordinal) DO NOTHING",
        (
            file.message_id,
            file.ordinal,
            file.channel_id,
            file.name,
            file.claimed,
            file.content_type,
            file.spoiler,
            file.url,
            now,
        ),
    )


def of_message(connection: sqlite3.Connection, message_id: int) -> tuple[RelayedFile, ...]:
    """A message's files, in order."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM relayed_file WHERE message_id = ? ORDER BY ordinal", (message_id,)
    ).fetchall()
    return tuple(_decode(row) for row in rows)


def find(connection: sqlite3.Connection, message_id: int, ordinal: int) -> RelayedFile | None:
    """That file of that message."""
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM relayed_file WHERE message_id = ? AND ordinal = ?",
        (message_id, ordinal),
    ).fetchone()
    return None if row is None else _decode(row)


def is_waiting(connection: sqlite3.Connection, message_id: int) -> bool:
    """Whether the fate of one of the message's files is not known yet."""
    row = connection.execute(
        "SELECT 1 FROM relayed_file WHERE message_id = ? AND state = 'wanted' LIMIT 1",
        (message_id,),
    ).fetchone()
    return row is not None


def due(connection: sqlite3.Connection, now: int, *, limit: int) -> tuple[RelayedFile, ...]:
    """The first wanted file of each channel, where it is due."""
    columns = ", ".join(f"file.{name}" for name in _COLUMNS.split(", "))
    rows = connection.execute(
        f"{_HEADS} SELECT {columns}{_JOINED}"
        " WHERE file.next_at <= ? ORDER BY file.next_at, file.message_id LIMIT ?",
        (now, limit),
    ).fetchall()
    return tuple(_decode(row) for row in rows)


def next_due(connection: sqlite3.Connection, now: int) -> int | None:
    """When the next channel's first wanted file is due after `now` (UTC ms)."""
    row = connection.execute(
        f"{_HEADS} SELECT min(file.next_at){_JOINED} WHERE file.next_at > ?",
        (now,),
    ).fetchone()
    return None if row[0] is None else int(row[0])


def keep(
    connection: sqlite3.Connection, file: RelayedFile, *, sha256: str, size: int, now: int
) -> bool:
    """The file lies in the spool under its hash; False when nobody wants it any more."""
    found = find(connection, file.message_id, file.ordinal)
    if found is None or found.state is not FileState.WANTED:
        return False
    connection.execute(
        "INSERT INTO spooled_file (sha256, size, created_at) VALUES (?, ?, ?)"
        " ON CONFLICT (sha256) DO NOTHING",
        (sha256, size, now),
    )
    connection.execute(
        "UPDATE relayed_file SET state = 'kept', url = NULL, problem = NULL, sha256 = ?, size = ?"
        " WHERE message_id = ? AND ordinal = ? AND state = 'wanted'",
        (sha256, size, file.message_id, file.ordinal),
    )
    return True


def lose(
    connection: sqlite3.Connection,
    message_id: int,
    ordinal: int,
    state: FileState,
    *,
    size: int | None = None,
    problem: str | None = None,
) -> bool:
    """The file is not carried, for that reason; False when it was neither wanted nor kept."""
    cursor = connection.execute(
        "UPDATE relayed_file SET state = ?, url = NULL, sha256 = NULL, size = coalesce(?, size),"
        " problem = ? WHERE message_id = ? AND ordinal = ? AND state IN ('wanted', 'kept')",
        (state, size, problem, message_id, ordinal),
    )
    return cursor.rowcount == 1


def retry(connection: sqlite3.Connection, file: RelayedFile, problem: str, next_at: int) -> None:
    """It did not come whole: it is fetched again at `next_at` (UTC ms)."""
    connection.execute(
        "UPDATE relayed_file SET tries = tries + 1, problem = ?, next_at = ?"
        " WHERE message_id = ? AND ordinal = ? AND state = 'wanted'",
        (problem, next_at, file.message_id, file.ordinal),
    )


def hold(connection: sqlite3.Connection, file: RelayedFile, problem: str, next_at: int) -> None:
    """It can't be kept for a reason that is none of its own, and which costs it no try."""
    connection.execute(
        "UPDATE relayed_file SET problem = ?, next_at = ?"
        " WHERE message_id = ? AND ordinal = ? AND state = 'wanted'",
        (problem, next_at, file.message_id, file.ordinal),
    )


def put_in_bundle(
    connection: sqlite3.Connection, message_id: int, ordinal: int, bundle: int
) -> None:
    """The file goes with that part of its message's copy, for good."""
    connection.execute(
        "UPDATE relayed_file SET bundle = ? WHERE message_id = ? AND ordinal = ?"
        " AND bundle IS NULL",
        (bundle, message_id, ordinal),
    )


def release(connection: sqlite3.Connection, message_id: int) -> None:
    """The contents of the message's files are no longer needed; nor are their names."""
    connection.execute(
        "UPDATE relayed_file SET state = 'gone', url = NULL, sha256 = NULL, name = '',"
        " problem = NULL WHERE message_id = ?",
        (message_id,),
    )


def spooled_size(connection: sqlite3.Connection, sha256: str) -> int | None:
    """How many bytes lie in the spool under that hash; None: the ledger knows of no such file."""
    row = connection.execute("SELECT size FROM spooled_file WHERE sha256 = ?", (sha256,)).fetchone()
    return None if row is None else int(row[0])


def spooled_hashes(connection: sqlite3.Connection) -> frozenset[str]:
    """The hashes of all files in the spool."""
    rows = connection.execute("SELECT sha256 FROM spooled_file").fetchall()
    return frozenset(row[0] for row in rows)


def total(connection: sqlite3.Connection) -> int:
    """What all spooled files take together, in bytes."""
    return int(connection.execute("SELECT bytes FROM spool_total WHERE id = 1").fetchone()[0])


def idle(connection: sqlite3.Connection, *, limit: int) -> tuple[str, ...]:
    """Hashes of spooled files that no message needs; none while something can't be read."""
    rows = connection.execute(
        "SELECT sha256 FROM spooled_file WHERE idle = 1 LIMIT ?", (limit,)
    ).fetchall()
    if rows and is_held(connection):
        return ()
    return tuple(row[0] for row in rows)


def forget(connection: sqlite3.Connection, sha256: str) -> bool:
    """Take a spooled file that nobody needs out of the ledger; False when somebody does."""
    cursor = connection.execute("DELETE FROM spooled_file WHERE sha256 = ? AND idle = 1", (sha256,))
    return cursor.rowcount == 1


def is_held(connection: sqlite3.Connection) -> bool:
    """Whether no spooled file may be removed: something that may need it can't be read."""
    row = connection.execute(
        "SELECT EXISTS (SELECT 1 FROM inbox_event WHERE set_aside = 1)"
        " OR EXISTS (SELECT 1 FROM outbox_part"
        " WHERE state = 'pending' AND problem = 'unreadable_payload')"
    ).fetchone()
    return bool(row[0])


def _decode(row: tuple[Any, ...]) -> RelayedFile:
    fields = dict(zip(_COLUMNS.split(", "), row, strict=True))
    return RelayedFile(
        **{**fields, "spoiler": bool(fields["spoiler"]), "state": FileState(fields["state"])}
    )
