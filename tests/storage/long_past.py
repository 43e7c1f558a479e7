"""A ledger with a long past: thousands of things that are over, and a few of each that live."""

import sqlite3
from pathlib import Path

from storage import requests
from storage.migrate import load, statements

GUILD, ENDED, LIVE = 70, 3000, 8
MIGRATIONS = Path(requests.__file__).parent / "migrations"

_OVER = """
INSERT INTO desk (guild_id, guild_name, channel_id, coordinator_role_id, route, identity, timezone,
    locale, set_up_by, set_up_at)
  VALUES (70, 'Town', 71, 72, 'dm', 'name', 'UTC', 'en', 1, 1);
WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < 3040)
  INSERT INTO request (id, reference, interaction_id, guild_id, member_id, topic, details,
    source_locale, route, created_at, revision, state, attempts)
  SELECT id, 'R' || id, id, 70, 5000 + id % 700, 'T', '', 'en', 'dm', id, 1, 'withdrawn', 0 FROM n;
INSERT INTO request_event SELECT id, 1, 'withdraw', 'withdrawn', 1, 1, NULL FROM request;
INSERT INTO delivery (delivery_key, request_id, conversation_id, status, channel_id, message_id,
    fence, tries, first_try_at, next_at, updated_at)
  SELECT printf('key-%020d', id), id, 'c' || id, 'sent', 7, 100000 + id, 0, 1, 1, 1, 1 FROM request;
INSERT INTO conversation SELECT 'c' || id, id, 70, member_id, 7, NULL, 1 FROM request;
INSERT INTO dm_channel SELECT DISTINCT member_id, member_id + 10000, member_id FROM request;
INSERT INTO channel_fence (channel_id, newest_id) SELECT channel_id, 1 FROM dm_channel;
INSERT INTO person SELECT 70, member_id, 'Ada' FROM dm_channel;
INSERT INTO outbox_part (id, event, ordinal, guild_id, destination, kind, state, delivery_key,
    message_id, next_at, created_at)
  SELECT id, 'e' || id, 0, 70, 70 + id % 9, 'card', 'sent', printf('key-%020d', 100000 + id),
    200000 + id, 1, 1 FROM request;
INSERT INTO card (request_id, guild_id, message_id, stale, next_at)
  SELECT id, 70, 200000 + id, 0, 1 FROM request;
INSERT INTO extra_message SELECT 300000 + id, 7, 'k', 1, 2, 0, 1, NULL FROM request;
INSERT INTO private_thread SELECT id, 7, 400000 + id, 0, 1 FROM request WHERE id > 3000;
UPDATE delivery SET status = 'attempted', uncertain = 1, message_id = NULL, next_at = 5
  WHERE request_id > 3000;
UPDATE outbox_part SET state = 'pending', payload = '{}', message_id = NULL WHERE id > 3000;
UPDATE card SET stale = 1 WHERE request_id > 3000;
UPDATE request SET ended_at = id + 10, content = CASE WHEN id > 2990 THEN 'kept' ELSE 'gone' END
  WHERE id <= 3000;
INSERT INTO relayed_message (id, conversation_id, channel_id, side, author_id, author_name, locale,
    text, extras, at, by_command)
  SELECT 500000 + id, 'c' || id, 10000 + id, 'member', member_id, 'Ada', 'en', 'Hello', '{}', 1, 0
  FROM request;
INSERT INTO relayed_version SELECT id, 2, 'Hallo' FROM relayed_message;
INSERT INTO translation (original_id, target_locale, status, source_digest, text, requested_at,
    finished_at, tries)
  SELECT id, 'de', 'ready', printf('%064d', id), 'Hallo', 1, 1, 1 FROM relayed_message;
INSERT INTO inbox_event (id, channel_id, position, rank, kind, conversation_id, state, at, next_at)
  SELECT 'm:' || id, 7, id, 0, 'message', 'c' || id, 'done', 1, 1 FROM request;
INSERT INTO spooled_file SELECT printf('%064d', id), 5, 1, 0 FROM relayed_message;
INSERT INTO relayed_file (message_id, ordinal, channel_id, name, claimed, content_type, spoiler,
    state, sha256, size, bundle, next_at)
  SELECT id, 1, id % 9, 'a.png', 5, '', 0, 'kept', printf('%064d', id), 5, 0, 1
  FROM relayed_message;
UPDATE relayed_file SET state = 'wanted', url = 'https://x.test/', sha256 = NULL
  WHERE message_id > 503000;
INSERT INTO mark SELECT id, 7, 70, 'problem', 'problem', 0, NULL FROM relayed_message;
UPDATE mark SET wanted = 'delivered', next_at = 5 WHERE message_id > 503000;
INSERT INTO audit (guild_id, at, action, request_id)
  SELECT 70, 1, 'transcript', id FROM request WHERE id > 5;
UPDATE extra_message SET deleted_at = NULL WHERE message_id > 303000;
"""

_ALIVE = {
    "queued": "attempts = 0",
    "claimed": "attempts = 0, owner_id = 9, lease_until = 2000000 + id",
    "opening": (
        "attempts = 1, owner_id = 9, lease_until = 2000000 + id,"
        " delivery_key = printf('key-%020d', id)"
    ),
    "needs_reconcile": (
        "attempts = 1, owner_id = 9, reason = 'http_502', delivery_key = printf('key-%020d', id)"
    ),
    "active": "attempts = 1, owner_id = 9, conversation_id = 'c' || id",
}


def make(connection: sqlite3.Connection) -> None:
    """The schema as it ships; requests 1 to `ENDED` are over, then come `LIVE` of each state."""
    connection.execute("BEGIN")
    for migration in load(MIGRATIONS):
        for statement in statements(migration.sql):
            connection.execute(statement)
    for statement in statements(_OVER):
        connection.execute(statement)
    for index, (state, values) in enumerate(_ALIVE.items()):
        connection.execute(
            f"UPDATE request SET state = ?, {values} WHERE id > ? AND id <= ?",
            (state, ENDED + index * LIVE, ENDED + (index + 1) * LIVE),
        )
    connection.execute("COMMIT")
