"""How long content is kept: what ended when, and what has been erased of it."""

import sqlite3


def is_kept(connection: sqlite3.Connection, request_id: int) -> bool:
    """Whether what was said in a request is kept still; False once its erasure has begun."""
    row = connection.execute(
        "SELECT content = 'kept' FROM request WHERE id = ?", (request_id,)
    ).fetchone()
    return row is not None and bool(row[0])


def ended_at(connection: sqlite3.Connection, request_id: int) -> int | None:
    """When a request ended (UTC ms); None while it is open."""
    row = connection.execute("SELECT ended_at FROM request WHERE id = ?", (request_id,)).fetchone()
    return None if row is None or row[0] is None else int(row[0])
