-- Views of carried messages in other languages: one row for a message and a language. The original
-- stays as it is. `source_digest` says of which wording this is a translation; `tries` numbers the
-- askings. A result counts for its own wording and asking alone.

CREATE TABLE translation (
  original_id   INTEGER NOT NULL REFERENCES relayed_message (id) ON DELETE CASCADE,
  target_locale TEXT NOT NULL CHECK (target_locale <> ''),
  status        TEXT NOT NULL,
  source_digest TEXT NOT NULL CHECK (length(source_digest) = 64),
  source_locale TEXT CHECK (source_locale <> ''),
  text          TEXT CHECK (text <> ''),
  code          TEXT CHECK (code <> ''),
  requested_at  INTEGER NOT NULL,
  finished_at   INTEGER,
  tries         INTEGER NOT NULL CHECK (tries >= 1),
  PRIMARY KEY (original_id, target_locale),
  CHECK (CASE status
    WHEN 'requested' THEN source_locale IS NULL AND text IS NULL AND code IS NULL
      AND finished_at IS NULL
    WHEN 'ready' THEN text IS NOT NULL AND code IS NULL AND finished_at IS NOT NULL
    WHEN 'failed' THEN source_locale IS NULL AND text IS NULL AND code IS NOT NULL
      AND finished_at IS NOT NULL
    ELSE 0 END)
) STRICT;

-- What is edited or erased leaves no translation behind.
CREATE TRIGGER translation_follows AFTER UPDATE OF text ON relayed_message
WHEN NEW.text <> OLD.text
BEGIN DELETE FROM translation WHERE original_id = NEW.id; END;
