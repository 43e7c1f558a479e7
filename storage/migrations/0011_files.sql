-- Files in carried messages: what became of each, and what is spooled beside the database.

-- What lies in the folder of spooled files, by the hash of its contents. `idle`: no message needs it.
CREATE TABLE spooled_file (
  sha256     TEXT PRIMARY KEY CHECK (length(sha256) = 64),
  size       INTEGER NOT NULL CHECK (size >= 0),
  created_at INTEGER NOT NULL,
  idle       INTEGER NOT NULL DEFAULT 0 CHECK (idle IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE INDEX spooled_idle ON spooled_file (sha256) WHERE idle = 1;

-- How much they take in all, in bytes.
CREATE TABLE spool_total (
  id    INTEGER PRIMARY KEY CHECK (id = 1),
  bytes INTEGER NOT NULL CHECK (bytes >= 0)
) STRICT;

INSERT INTO spool_total VALUES (1, 0);

CREATE TRIGGER spooled AFTER INSERT ON spooled_file BEGIN
  UPDATE spool_total SET bytes = bytes + NEW.size WHERE id = 1;
END;
CREATE TRIGGER unspooled AFTER DELETE ON spooled_file BEGIN
  UPDATE spool_total SET bytes = bytes - OLD.size WHERE id = 1;
END;

-- The files of a message, `ordinal` from 1: its own, then those of what it forwards. `claimed` is the
-- size that Discord names, `size` what really came. The signed address `url` is kept until the file's
-- fate is known. `bundle`: with which part of the copy it goes, 0 being the first.
CREATE TABLE relayed_file (
  message_id   INTEGER NOT NULL,
  ordinal      INTEGER NOT NULL CHECK (ordinal >= 1),
  channel_id   INTEGER NOT NULL,
  name         TEXT NOT NULL,
  claimed      INTEGER NOT NULL CHECK (claimed >= 0),
  content_type TEXT NOT NULL,
  spoiler      INTEGER NOT NULL CHECK (spoiler IN (0, 1)),
  state        TEXT NOT NULL CHECK (state IN (
    'wanted', 'kept', 'too_large', 'too_many', 'no_room', 'unreadable',
    'program', 'gone')),
  url          TEXT,
  sha256       TEXT REFERENCES spooled_file (sha256),
  size         INTEGER CHECK (size >= 0),
  bundle       INTEGER CHECK (bundle >= 0),
  tries        INTEGER NOT NULL DEFAULT 0 CHECK (tries >= 0),
  next_at      INTEGER NOT NULL,
  problem      TEXT,
  PRIMARY KEY (message_id, ordinal),
  CHECK ((state = 'wanted') = (url IS NOT NULL)),
  CHECK ((state = 'kept') = (sha256 IS NOT NULL)),
  CHECK (state <> 'kept' OR size IS NOT NULL)
) STRICT, WITHOUT ROWID;

CREATE INDEX relayed_file_wanted ON relayed_file (channel_id, message_id, ordinal)
  WHERE state = 'wanted';
CREATE INDEX relayed_file_kept ON relayed_file (sha256) WHERE sha256 IS NOT NULL;

CREATE TRIGGER file_needed AFTER UPDATE OF sha256 ON relayed_file WHEN NEW.sha256 IS NOT NULL BEGIN
  UPDATE spooled_file SET idle = 0 WHERE sha256 = NEW.sha256 AND idle = 1;
END;
CREATE TRIGGER file_let_go AFTER UPDATE OF sha256 ON relayed_file
WHEN OLD.sha256 IS NOT NULL AND NEW.sha256 IS NOT OLD.sha256 BEGIN
  UPDATE spooled_file SET idle = 1 WHERE sha256 = OLD.sha256
    AND NOT EXISTS (SELECT 1 FROM relayed_file WHERE sha256 = OLD.sha256);
END;
CREATE TRIGGER file_erased AFTER DELETE ON relayed_file WHEN OLD.sha256 IS NOT NULL BEGIN
  UPDATE spooled_file SET idle = 1 WHERE sha256 = OLD.sha256
    AND NOT EXISTS (SELECT 1 FROM relayed_file WHERE sha256 = OLD.sha256);
END;

-- A message that will not be carried takes its files along, whoever dropped it.
CREATE TRIGGER files_dropped AFTER UPDATE OF state ON inbox_event
WHEN NEW.state = 'dropped' AND NEW.kind = 'message' BEGIN
  DELETE FROM relayed_file WHERE message_id = NEW.position;
END;

-- What could not be read from disk holds back every clean-up of spooled files.
CREATE INDEX outbox_unreadable ON outbox_part (id)
  WHERE state = 'pending' AND problem = 'unreadable_payload';
