-- What is on record about people's acts, and how long content is kept.

-- Who did what to whom, when, where no other history says so. `actor_id` null: Steward itself.
CREATE TABLE audit (
  id         INTEGER PRIMARY KEY,
  guild_id   INTEGER NOT NULL,
  at         INTEGER NOT NULL,
  action     TEXT NOT NULL CHECK (action <> ''),
  actor_id   INTEGER,
  request_id INTEGER REFERENCES request (id),
  member_id  INTEGER,
  detail     TEXT
) STRICT;

CREATE INDEX audit_of_guild ON audit (guild_id, id);
CREATE INDEX audit_of_request ON audit (request_id, id) WHERE request_id IS NOT NULL;
CREATE INDEX audit_of_member ON audit (guild_id, member_id, id) WHERE member_id IS NOT NULL;

-- Append-only. People in it can be forgotten: then nothing stands in their place.
CREATE TRIGGER audit_is_append_only BEFORE UPDATE ON audit
WHEN NEW.id IS NOT OLD.id OR NEW.guild_id IS NOT OLD.guild_id OR NEW.at IS NOT OLD.at
  OR NEW.action IS NOT OLD.action OR NEW.request_id IS NOT OLD.request_id
  OR coalesce(NEW.actor_id, OLD.actor_id) IS NOT OLD.actor_id
  OR coalesce(NEW.member_id, OLD.member_id) IS NOT OLD.member_id
  OR coalesce(NEW.detail, OLD.detail) IS NOT OLD.detail
BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;

-- It goes with its guild, and not before.
CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit
WHEN EXISTS (SELECT 1 FROM desk WHERE guild_id = OLD.guild_id)
BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;

-- When a request ended, and whether what was said in it is kept still. Once it is `going`, nothing
-- more is kept of it; `gone`: it has been erased everywhere.
ALTER TABLE request ADD COLUMN ended_at INTEGER
  CHECK (ended_at IS NULL OR state IN ('resolved', 'withdrawn', 'dropped'));
ALTER TABLE request ADD COLUMN content TEXT NOT NULL DEFAULT 'kept'
  CHECK (content = 'kept' OR (content IN ('going', 'gone') AND ended_at IS NOT NULL));

UPDATE request SET ended_at = (SELECT max(at) FROM request_event WHERE request_id = request.id)
  WHERE state IN ('resolved', 'withdrawn', 'dropped');

CREATE INDEX request_to_erase ON request (ended_at) WHERE ended_at IS NOT NULL AND content <> 'gone';
CREATE INDEX request_ended ON request (guild_id, ended_at)
  WHERE ended_at IS NOT NULL AND content = 'kept';
