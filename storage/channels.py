"""What is known of Discord's channels: members' DM channels, fences, the pause on new DMs."""

import sqlite3
from dataclasses import dataclass


def dm_channel(connection: sqlite3.Connection, member_id: int) -> int | None:
    """The member's DM channel, if it was ever opened."""
    row = connection.execute(
        "SELECT channel_id FROM dm_channel WHERE member_id = ?", (member_id,)
    ).fetchone()
    return None if row is None else int(row[0])


def put_dm_channel(
    connection: sqlite3.Connection, member_id: int, channel_id: int, now: int
) -> None:
    """Keep a member's DM channel; the time of its first opening stays."""
    connection.execute(
        "INSERT INTO dm_channel (member_id, channel_id, opened_at) VALUES (?, ?, ?)"
        " ON CONFLICT (member_id) DO UPDATE SET channel_id = excluded.channel_id",
        (member_id, channel_id, now),
    )


def is_dm(connection: sqlite3.Connection, channel_id: int) -> bool:
    """Whether the channel is a member's DM."""
    row = connection.execute(
        "SELECT EXISTS (SELECT 1 FROM dm_channel WHERE channel_id = ?)", (channel_id,)
    ).fetchone()
    return bool(row[0])


def forget_dm_channel(connection: sqlite3.Connection, channel_id: int) -> None:
    """Discord no longer knows this DM channel: the next send opens it anew."""
    connection.execute("DELETE FROM dm_channel WHERE channel_id = ?", (channel_id,))


def dms_opened_since(connection: sqlite3.Connection, since: int) -> tuple[int, ...]:
    """When new DM channels were opened after `since` (UTC ms), oldest first."""
    rows = connection.execute(
        "SELECT opened_at FROM dm_channel WHERE opened_at > ? ORDER BY opened_at", (since,)
    ).fetchall()
    return tuple(row[0] for row in rows)


def fence(connection: sqlite3.Connection, channel_id: int) -> int | None:
    """The newest message known in the channel; None where we have never looked."""
    row = connection.execute(
        "SELECT newest_id FROM channel_fence WHERE channel_id = ?", (channel_id,)
    ).fetchone()
    return None if row is None else int(row[0])


def advance_fence(connection: sqlite3.Connection, channel_id: int, newest_id: int) -> None:
    """A message is known in the channel. A fence only moves forward."""
    connection.execute(
        "INSERT INTO channel_fence (channel_id, newest_id) VALUES (?, ?)"
        " ON CONFLICT (channel_id) DO UPDATE SET newest_id = excluded.newest_id, unsure = 0"
        " WHERE newest_id < excluded.newest_id",
        (channel_id, newest_id),
    )


def doubt_fence(connection: sqlite3.Connection, channel_id: int) -> None:
    """A message that no receipt names may be behind the fence: look before the next send."""
    connection.execute("UPDATE channel_fence SET unsure = 1 WHERE channel_id = ?", (channel_id,))


def trust_fence(connection: sqlite3.Connection, channel_id: int) -> None:
    """The channel has been looked at: nothing there is newer than its fence."""
    connection.execute("UPDATE channel_fence SET unsure = 0 WHERE channel_id = ?", (channel_id,))


def fence_is_sure(connection: sqlite3.Connection, channel_id: int) -> bool:
    """Whether a fence is known, and no message can be behind it that no receipt names."""
    row = connection.execute(
        "SELECT unsure FROM channel_fence WHERE channel_id = ?", (channel_id,)
    ).fetchone()
    return row is not None and not row[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """Until when (UTC ms) no new DM is opened, after how many refusals in a row."""

    until: int
    tries: int


def pause(connection: sqlite3.Connection) -> Pause | None:
    """The pause on new DMs, if Discord has asked for one since the last success."""
    row = connection.execute("SELECT until, tries FROM dm_pause").fetchone()
    return None if row is None else Pause(until=row[0], tries=row[1])


def pause_dms(connection: sqlite3.Connection, pause: Pause, problem: str) -> None:
    """Open no new DM before `pause.until`."""
    connection.execute(
        "INSERT INTO dm_pause (one, until, tries, problem) VALUES (1, ?, ?, ?)"
        " ON CONFLICT (one) DO UPDATE SET until = excluded.until, tries = excluded.tries,"
        " problem = excluded.problem",
        (pause.until, pause.tries, problem),
    )


def resume_dms(connection: sqlite3.Connection) -> None:
    """A new DM was opened: the pause is over."""
    connection.execute("DELETE FROM dm_pause")
