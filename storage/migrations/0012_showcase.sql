-- Campaigns, what is nominated for them, and the buttons that work once.

CREATE TABLE campaign (
  id             INTEGER PRIMARY KEY,
  guild_id       INTEGER NOT NULL REFERENCES desk (guild_id),
  interaction_id INTEGER NOT NULL UNIQUE,
  channel_id     INTEGER NOT NULL,
  slug           TEXT NOT NULL CHECK (slug <> ''),
  name           TEXT NOT NULL CHECK (name <> ''),
  text           TEXT NOT NULL,
  capacity       INTEGER NOT NULL CHECK (capacity >= 1),
  accepted_count INTEGER NOT NULL CHECK (accepted_count BETWEEN 0 AND capacity),
  closes_at      INTEGER NOT NULL,
  created_by     INTEGER NOT NULL,
  created_at     INTEGER NOT NULL,
  revision       INTEGER NOT NULL CHECK (revision >= 0),
  state          TEXT NOT NULL CHECK (state IN ('open', 'draining', 'closed')),
  UNIQUE (guild_id, slug)
) STRICT;

CREATE INDEX campaign_closing ON campaign (closes_at) WHERE state = 'open';
CREATE INDEX campaign_live ON campaign (guild_id, id) WHERE state IN ('open', 'draining');
CREATE INDEX campaign_of_guild ON campaign (guild_id, id);

-- The campaign's own steps. The promises that it accepts are its entries' first steps.
CREATE TABLE campaign_event (
  campaign_id INTEGER NOT NULL REFERENCES campaign (id),
  revision    INTEGER NOT NULL,
  event       TEXT NOT NULL,
  state       TEXT NOT NULL,
  actor_id    INTEGER,
  at          INTEGER NOT NULL,
  PRIMARY KEY (campaign_id, revision)
) STRICT, WITHOUT ROWID;

-- Append-only, save that people in it can be forgotten: then nothing stands in their place.
CREATE TRIGGER campaign_event_is_append_only BEFORE UPDATE ON campaign_event
WHEN NEW.campaign_id IS NOT OLD.campaign_id OR NEW.revision IS NOT OLD.revision
  OR NEW.event IS NOT OLD.event OR NEW.state IS NOT OLD.state OR NEW.at IS NOT OLD.at
  OR coalesce(NEW.actor_id, OLD.actor_id) IS NOT OLD.actor_id
BEGIN SELECT RAISE(ABORT, 'the history is append-only'); END;

CREATE TABLE entry (
  id            INTEGER PRIMARY KEY,
  reference     TEXT NOT NULL UNIQUE,
  campaign_id   INTEGER NOT NULL REFERENCES campaign (id),
  guild_id      INTEGER NOT NULL,
  author_id     INTEGER NOT NULL,
  source        TEXT NOT NULL CHECK (source <> ''),
  source_locale TEXT NOT NULL,
  title         TEXT NOT NULL CHECK (title <> ''),
  url           TEXT NOT NULL CHECK (url <> ''),
  why           TEXT NOT NULL,
  named         INTEGER NOT NULL CHECK (named IN (0, 1)),
  created_at    INTEGER NOT NULL,
  revision      INTEGER NOT NULL CHECK (revision >= 0),
  state         TEXT NOT NULL,
  reviewer_id   INTEGER CHECK (reviewer_id <> author_id),
  token         TEXT UNIQUE,
  lease_until   INTEGER,
  words         TEXT CHECK (words <> ''),
  summary       TEXT CHECK (summary <> ''),
  -- One entry an author, ever; so the source of the one that is there is the one it came from.
  UNIQUE (campaign_id, author_id),
  CHECK (CASE state
    WHEN 'queued' THEN reviewer_id IS NULL AND token IS NULL AND lease_until IS NULL
      AND words IS NULL AND summary IS NULL
    WHEN 'leased' THEN reviewer_id IS NOT NULL AND token IS NOT NULL AND lease_until IS NOT NULL
      AND words IS NULL AND summary IS NULL
    WHEN 'returned' THEN reviewer_id IS NOT NULL AND token IS NULL AND lease_until IS NULL
      AND words IS NOT NULL AND summary IS NULL
    WHEN 'done' THEN reviewer_id IS NOT NULL AND token IS NULL AND lease_until IS NULL
      AND words IS NULL AND summary IS NOT NULL
    WHEN 'withdrawn' THEN reviewer_id IS NULL AND token IS NULL AND lease_until IS NULL
      AND words IS NULL AND summary IS NULL
    ELSE 0 END)
) STRICT;

CREATE INDEX entry_queue ON entry (campaign_id, id) WHERE state = 'queued';
CREATE INDEX entry_queue_of_guild ON entry (guild_id, id) WHERE state = 'queued';
CREATE INDEX entry_leases ON entry (lease_until) WHERE state = 'leased';
CREATE INDEX entry_held ON entry (guild_id, reviewer_id, id) WHERE state = 'leased';
CREATE INDEX entry_unfinished ON entry (campaign_id, id)
  WHERE state IN ('queued', 'leased', 'returned');
CREATE INDEX entry_done ON entry (campaign_id, id) WHERE state = 'done';
CREATE INDEX entry_returned ON entry (author_id, id) WHERE state = 'returned';
CREATE INDEX entry_of_author ON entry (author_id, id);

CREATE TABLE entry_event (
  entry_id INTEGER NOT NULL REFERENCES entry (id),
  revision INTEGER NOT NULL,
  event    TEXT NOT NULL,
  state    TEXT NOT NULL,
  actor_id INTEGER,
  at       INTEGER NOT NULL,
  note     TEXT,
  PRIMARY KEY (entry_id, revision)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER entry_event_is_append_only BEFORE UPDATE ON entry_event
WHEN NEW.entry_id IS NOT OLD.entry_id OR NEW.revision IS NOT OLD.revision
  OR NEW.event IS NOT OLD.event OR NEW.state IS NOT OLD.state OR NEW.at IS NOT OLD.at
  OR coalesce(NEW.actor_id, OLD.actor_id) IS NOT OLD.actor_id
  OR coalesce(NEW.note, OLD.note) IS NOT OLD.note
BEGIN SELECT RAISE(ABORT, 'the history is append-only'); END;

-- How many entries of a campaign are in each state, kept in the transaction that changes it.
CREATE TABLE entry_count (
  campaign_id INTEGER NOT NULL,
  state       TEXT NOT NULL,
  number      INTEGER NOT NULL CHECK (number >= 0),
  PRIMARY KEY (campaign_id, state)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER entry_counted_in AFTER INSERT ON entry BEGIN
  INSERT INTO entry_count VALUES (NEW.campaign_id, NEW.state, 1)
    ON CONFLICT (campaign_id, state) DO UPDATE SET number = number + 1;
END;
CREATE TRIGGER entry_counted_on AFTER UPDATE OF state ON entry WHEN OLD.state <> NEW.state BEGIN
  UPDATE entry_count SET number = number - 1
    WHERE campaign_id = OLD.campaign_id AND state = OLD.state;
  INSERT INTO entry_count VALUES (NEW.campaign_id, NEW.state, 1)
    ON CONFLICT (campaign_id, state) DO UPDATE SET number = number + 1;
END;

-- A campaign's card in its channel: one message, edited in place. Columns as in `card`.
CREATE TABLE campaign_card (
  campaign_id INTEGER PRIMARY KEY REFERENCES campaign (id),
  guild_id    INTEGER NOT NULL,
  channel_id  INTEGER,
  message_id  INTEGER UNIQUE,
  digest      TEXT,
  stale       INTEGER NOT NULL CHECK (stale IN (0, 1)),
  posts       INTEGER NOT NULL DEFAULT 0 CHECK (posts >= 0),
  tries       INTEGER NOT NULL DEFAULT 0 CHECK (tries >= 0),
  next_at     INTEGER NOT NULL,
  problem     TEXT
) STRICT;

CREATE INDEX campaign_card_due ON campaign_card (next_at) WHERE stale = 1;

-- What an entry's author is still to be told of one of its steps, once their DM is open.
CREATE TABLE author_word (
  id        INTEGER PRIMARY KEY,
  entry_id  INTEGER NOT NULL REFERENCES entry (id),
  revision  INTEGER NOT NULL,
  author_id INTEGER NOT NULL,
  tries     INTEGER NOT NULL DEFAULT 0 CHECK (tries >= 0),
  next_at   INTEGER NOT NULL,
  UNIQUE (entry_id, revision)
) STRICT;

CREATE INDEX author_word_due ON author_word (next_at, id);
CREATE INDEX author_word_of ON author_word (author_id, id);

-- Buttons that work once. `visit` joins those that were shown together: when one is used, all are.
-- `subject` is what they act on: a newer visit of it voids the older ones of the same person.
CREATE TABLE visit_button (
  token      TEXT PRIMARY KEY CHECK (length(token) BETWEEN 16 AND 25),
  visit      TEXT NOT NULL,
  subject    TEXT NOT NULL,
  action     TEXT NOT NULL,
  guild_id   INTEGER NOT NULL,
  member_id  INTEGER NOT NULL,
  payload    TEXT,
  expires_at INTEGER NOT NULL,
  state      TEXT NOT NULL CHECK (state IN ('live', 'used', 'void')),
  CHECK (state = 'live' OR payload IS NULL)
) STRICT, WITHOUT ROWID;

CREATE INDEX visit_button_over ON visit_button (expires_at);
CREATE INDEX visit_button_shown ON visit_button (visit) WHERE state = 'live';
CREATE INDEX visit_button_of ON visit_button (subject, member_id) WHERE state = 'live';
CREATE INDEX visit_button_for ON visit_button (guild_id, member_id) WHERE state = 'live';
