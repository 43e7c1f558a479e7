"""What is erased leaves the file too, not the tables alone."""

from pathlib import Path

from bot.services.retention import erase_some
from storage import retention
from storage.database import Connection, Database

CANARY = "Kanarienvogel"
REQUESTS = 200

_PAST = """
INSERT INTO desk (guild_id, guild_name, channel_id, coordinator_role_id, route, identity, timezone,
    locale, set_up_by, set_up_at)
  VALUES (70, 'Town', 71, 72, 'dm', 'name', 'UTC', 'en', 1, 1);
WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < 200)
  INSERT INTO request (id, reference, interaction_id, guild_id, member_id, topic, details,
    source_locale, route, created_at, revision, state, conversation_id, resolution, ended_at)
  SELECT id, 'R' || id, id, 70, 5000 + id, 'WORDS', 'WORDS', 'en', 'dm', 1, 1, 'resolved',
    'c' || id, 'WORDS', id FROM n;
INSERT INTO conversation SELECT 'c' || id, id, 70, member_id, 7, NULL, 1 FROM request;
INSERT INTO relayed_message (id, conversation_id, channel_id, side, author_id, author_name, locale,
    text, extras, at, by_command)
  SELECT 500000 + id, 'c' || id, 7, 'member', 5, 'WORDS', 'en',
    CASE id % 5 WHEN 0 THEN 'PAGES' ELSE 'WORDS' END, 'WORDS', 1, 0 FROM request;
INSERT INTO relayed_version SELECT id, 2, text FROM relayed_message;
INSERT INTO translation (original_id, target_locale, status, source_digest, text, requested_at,
    finished_at, tries)
  SELECT id, 'de', 'ready', printf('%064d', id), text, 1, 1, 1 FROM relayed_message;
INSERT INTO outbox_part (event, ordinal, guild_id, destination, kind, payload, state, delivery_key,
    next_at, created_at)
  SELECT 'm:' || (500000 + id), 0, 70, 7, 'copy', 'PAGES', 'pending', printf('key-%020d', id), 1, 1
  FROM request;
"""


def speak(connection: Connection) -> None:
    """Words on pages that they share with others, and words that fill many pages."""
    words, pages = f"{CANARY} one", " ".join([CANARY] * 1_000)
    for statement in _PAST.split(";\n"):
        connection.execute(statement.replace("WORDS", words).replace("PAGES", pages))


def erase(connection: Connection) -> None:
    for due in retention.due(connection, REQUESTS, limit=REQUESTS):
        after: int | None = 0
        while after is not None:
            after = erase_some(connection, due, after=after, limit=1, before=0).last


async def test_erased_words_are_nowhere_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    async with await Database.open(path) as database:
        await database.write(speak)
        settings = await database.write(
            lambda connection: connection.execute("PRAGMA secure_delete").fetchone()
        )
    assert settings == (1,)
    assert path.read_bytes().count(CANARY.encode()) > REQUESTS
    async with await Database.open(path) as database:
        await database.write(erase)
    assert CANARY.encode() not in path.read_bytes()
    assert [file.name for file in tmp_path.iterdir()] == ["ledger.db"]
