-- The spine: desks, requests with their history, the delivery ledger, the outbox, cards, the runtime
-- lease. Times are UTC milliseconds, ids from Discord 64-bit integers. Every rule of the domain that
-- a row can break stands here a second time. A CHECK holds where it is null: say IS NOT NULL first.

CREATE TABLE desk (
  guild_id            INTEGER PRIMARY KEY,
  guild_name          TEXT NOT NULL,
  channel_id          INTEGER NOT NULL,
  help_channel_id     INTEGER,
  coordinator_role_id INTEGER NOT NULL,
  reviewer_role_id    INTEGER,
  organizer_role_id   INTEGER,
  route               TEXT NOT NULL CHECK (route IN ('dm', 'thread')),
  identity            TEXT NOT NULL CHECK (identity IN ('name', 'team')),
  timezone            TEXT NOT NULL,
  locale              TEXT NOT NULL,
  problem             TEXT,
  problem_told        INTEGER NOT NULL DEFAULT 0 CHECK (problem_told IN (0, 1)),
  set_up_by           INTEGER NOT NULL,
  set_up_at           INTEGER NOT NULL
) STRICT;

CREATE INDEX desk_untold ON desk (guild_id) WHERE problem IS NOT NULL AND problem_told = 0;

CREATE TABLE request (
  id              INTEGER PRIMARY KEY,
  reference       TEXT NOT NULL UNIQUE,
  interaction_id  INTEGER NOT NULL UNIQUE,
  guild_id        INTEGER NOT NULL REFERENCES desk (guild_id),
  member_id       INTEGER NOT NULL,
  topic           TEXT NOT NULL CHECK (topic <> ''),
  details         TEXT NOT NULL,
  source_locale   TEXT NOT NULL,
  route           TEXT NOT NULL CHECK (route IN ('dm', 'thread')),
  reopens         INTEGER REFERENCES request (id),
  created_at      INTEGER NOT NULL,
  revision        INTEGER NOT NULL CHECK (revision >= 0),
  state           TEXT NOT NULL,
  attempts        INTEGER CHECK (attempts >= 0),
  last_problem    TEXT,
  owner_id        INTEGER CHECK (owner_id <> member_id),
  lease_until     INTEGER,
  delivery_key    TEXT UNIQUE,
  reason          TEXT,
  conversation_id TEXT,
  resolution      TEXT,
  dropped_by      INTEGER,
  CHECK (CASE state
    WHEN 'queued' THEN attempts IS NOT NULL AND owner_id IS NULL AND lease_until IS NULL
      AND delivery_key IS NULL AND reason IS NULL AND conversation_id IS NULL
      AND resolution IS NULL AND dropped_by IS NULL
    WHEN 'claimed' THEN attempts IS NOT NULL AND last_problem IS NULL AND owner_id IS NOT NULL
      AND lease_until IS NOT NULL AND delivery_key IS NULL AND reason IS NULL
      AND conversation_id IS NULL AND resolution IS NULL AND dropped_by IS NULL
    WHEN 'opening' THEN attempts IS NOT NULL AND attempts >= 1 AND last_problem IS NULL
      AND owner_id IS NOT NULL AND lease_until IS NOT NULL AND delivery_key IS NOT NULL AND reason IS NULL
      AND conversation_id IS NULL AND resolution IS NULL AND dropped_by IS NULL
    WHEN 'needs_reconcile' THEN attempts IS NOT NULL AND attempts >= 1 AND last_problem IS NULL
      AND owner_id IS NOT NULL AND lease_until IS NULL AND delivery_key IS NOT NULL AND reason IS NOT NULL
      AND conversation_id IS NULL AND resolution IS NULL AND dropped_by IS NULL
    WHEN 'active' THEN attempts IS NOT NULL AND attempts >= 1 AND last_problem IS NULL
      AND lease_until IS NULL AND delivery_key IS NULL AND reason IS NULL AND conversation_id IS NOT NULL
      AND resolution IS NULL AND dropped_by IS NULL
    WHEN 'resolved' THEN attempts IS NULL AND last_problem IS NULL AND lease_until IS NULL
      AND delivery_key IS NULL AND reason IS NULL AND conversation_id IS NOT NULL
      AND resolution IS NOT NULL AND dropped_by IS NULL
    WHEN 'withdrawn' THEN attempts IS NOT NULL AND last_problem IS NULL AND owner_id IS NULL
      AND lease_until IS NULL AND delivery_key IS NULL AND reason IS NULL
      AND conversation_id IS NULL AND resolution IS NULL AND dropped_by IS NULL
    WHEN 'dropped' THEN attempts IS NOT NULL AND last_problem IS NULL AND owner_id IS NULL
      AND lease_until IS NULL AND delivery_key IS NULL AND reason IS NOT NULL
      AND conversation_id IS NULL AND resolution IS NULL AND dropped_by IS NOT NULL
    ELSE 0 END)
) STRICT;

CREATE INDEX request_queue ON request (guild_id, id) WHERE state = 'queued';
CREATE INDEX request_leases ON request (lease_until) WHERE state IN ('claimed', 'opening');
CREATE INDEX request_to_open ON request (id) WHERE state = 'claimed';
CREATE INDEX request_uncertain ON request (guild_id, id) WHERE state = 'needs_reconcile';
CREATE INDEX request_owned ON request (guild_id, owner_id)
  WHERE state IN ('claimed', 'opening', 'needs_reconcile', 'active');
CREATE INDEX request_open ON request (guild_id, member_id)
  WHERE state IN ('queued', 'claimed', 'opening', 'needs_reconcile', 'active');
CREATE INDEX request_of_member ON request (member_id, id);

CREATE TABLE request_event (
  request_id INTEGER NOT NULL REFERENCES request (id),
  revision   INTEGER NOT NULL,
  event      TEXT NOT NULL,
  state      TEXT NOT NULL,
  actor_id   INTEGER,
  at         INTEGER NOT NULL,
  note       TEXT,
  PRIMARY KEY (request_id, revision)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER request_event_is_append_only BEFORE UPDATE ON request_event
BEGIN SELECT RAISE(ABORT, 'the history is append-only'); END;

-- How many requests are in each state, kept in the transaction that changes it.
CREATE TABLE request_count (
  guild_id INTEGER NOT NULL,
  state    TEXT NOT NULL,
  number   INTEGER NOT NULL CHECK (number >= 0),
  PRIMARY KEY (guild_id, state)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER request_counted_in AFTER INSERT ON request BEGIN
  INSERT INTO request_count VALUES (NEW.guild_id, NEW.state, 1)
    ON CONFLICT (guild_id, state) DO UPDATE SET number = number + 1;
END;
CREATE TRIGGER request_counted_on AFTER UPDATE OF state ON request WHEN OLD.state <> NEW.state BEGIN
  UPDATE request_count SET number = number - 1 WHERE guild_id = OLD.guild_id AND state = OLD.state;
  INSERT INTO request_count VALUES (NEW.guild_id, NEW.state, 1)
    ON CONFLICT (guild_id, state) DO UPDATE SET number = number + 1;
END;

-- One row for each try to send a request's first message. A row with no first_try_at has never
-- been near the wire; one with in_flight set was being sent by that process.
CREATE TABLE delivery (
  delivery_key    TEXT PRIMARY KEY CHECK (length(delivery_key) BETWEEN 16 AND 25),
  request_id      INTEGER NOT NULL REFERENCES request (id),
  conversation_id TEXT NOT NULL,
  status          TEXT NOT NULL CHECK (status IN ('attempted', 'sent', 'absent', 'rejected')),
  channel_id      INTEGER,
  message_id      INTEGER UNIQUE,
  fence           INTEGER,
  tries           INTEGER NOT NULL DEFAULT 0 CHECK (tries >= 0),
  unreadable      INTEGER NOT NULL DEFAULT 0 CHECK (unreadable >= 0),
  uncertain       INTEGER NOT NULL DEFAULT 0 CHECK (uncertain IN (0, 1)),
  in_flight       TEXT,
  first_try_at    INTEGER,
  last_end_at     INTEGER,
  next_at         INTEGER NOT NULL,
  problem         TEXT,
  updated_at      INTEGER NOT NULL,
  CHECK ((first_try_at IS NULL) = (tries = 0)),
  CHECK (first_try_at IS NULL OR (channel_id IS NOT NULL AND fence IS NOT NULL)),
  CHECK (status = 'attempted' OR (uncertain = 0 AND in_flight IS NULL)),
  CHECK (status <> 'sent' OR first_try_at IS NOT NULL)
) STRICT, WITHOUT ROWID;

CREATE INDEX delivery_of_request ON delivery (request_id);
CREATE INDEX delivery_live ON delivery (next_at) WHERE status = 'attempted';
CREATE INDEX delivery_in_flight ON delivery (in_flight) WHERE in_flight IS NOT NULL;

CREATE TABLE conversation (
  id         TEXT PRIMARY KEY,
  request_id INTEGER NOT NULL UNIQUE REFERENCES request (id),
  guild_id   INTEGER NOT NULL,
  member_id  INTEGER NOT NULL,
  channel_id INTEGER NOT NULL,
  thread_id  INTEGER UNIQUE,
  opened_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The DM channel of each member we have met: Discord gives the same one every time.
CREATE TABLE dm_channel (
  member_id  INTEGER PRIMARY KEY,
  channel_id INTEGER NOT NULL UNIQUE,
  opened_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX dm_channel_opened ON dm_channel (opened_at);

-- The newest message known in a channel: the fence of the next send there. A search for a send whose
-- outcome is unknown starts behind it.
CREATE TABLE channel_fence (
  channel_id INTEGER PRIMARY KEY,
  newest_id  INTEGER NOT NULL
) STRICT;

-- What people in a guild were called when they last did something here.
CREATE TABLE person (
  guild_id  INTEGER NOT NULL,
  member_id INTEGER NOT NULL,
  name      TEXT NOT NULL CHECK (name <> ''),
  PRIMARY KEY (guild_id, member_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE outbox_part (
  id           INTEGER PRIMARY KEY,
  event        TEXT NOT NULL,
  ordinal      INTEGER NOT NULL CHECK (ordinal >= 0),
  guild_id     INTEGER NOT NULL,
  destination  INTEGER NOT NULL,
  kind         TEXT NOT NULL,
  payload      TEXT,
  revision     INTEGER NOT NULL DEFAULT 0,
  state        TEXT NOT NULL CHECK (state IN ('pending', 'sent', 'dropped')),
  delivery_key TEXT NOT NULL UNIQUE CHECK (length(delivery_key) BETWEEN 16 AND 25),
  message_id   INTEGER UNIQUE,
  attempts     INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  unreadable   INTEGER NOT NULL DEFAULT 0 CHECK (unreadable >= 0),
  uncertain    INTEGER NOT NULL DEFAULT 0 CHECK (uncertain IN (0, 1)),
  in_flight    TEXT,
  parked       INTEGER NOT NULL DEFAULT 0 CHECK (parked IN (0, 1)),
  fence        INTEGER,
  first_try_at INTEGER,
  last_end_at  INTEGER,
  next_at      INTEGER NOT NULL,
  problem      TEXT,
  created_at   INTEGER NOT NULL,
  UNIQUE (event, ordinal),
  CHECK ((first_try_at IS NULL) = (attempts = 0)),
  CHECK (first_try_at IS NULL OR fence IS NOT NULL),
  CHECK (state = 'pending' OR (uncertain = 0 AND in_flight IS NULL)),
  CHECK (state <> 'dropped' OR problem IS NOT NULL),
  CHECK (state <> 'pending' OR payload IS NOT NULL)
) STRICT;

CREATE INDEX outbox_due ON outbox_part (destination, id) WHERE state = 'pending';
CREATE INDEX outbox_in_flight ON outbox_part (in_flight) WHERE in_flight IS NOT NULL;

-- Keys of parts whose message was proved absent: one that shows up all the same is one too many.
CREATE TABLE retired_key (
  delivery_key TEXT PRIMARY KEY,
  retired_at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- How many parts are in each state.
CREATE TABLE part_count (
  state  TEXT PRIMARY KEY,
  number INTEGER NOT NULL CHECK (number >= 0)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER part_counted_in AFTER INSERT ON outbox_part BEGIN
  INSERT INTO part_count VALUES (NEW.state, 1)
    ON CONFLICT (state) DO UPDATE SET number = number + 1;
END;
CREATE TRIGGER part_counted_on AFTER UPDATE OF state ON outbox_part WHEN OLD.state <> NEW.state BEGIN
  UPDATE part_count SET number = number - 1 WHERE state = OLD.state;
  INSERT INTO part_count VALUES (NEW.state, 1)
    ON CONFLICT (state) DO UPDATE SET number = number + 1;
END;

-- A request's card at the desk: one message, edited in place. `stale` says that the ledger has moved
-- on since it was drawn; `posts` numbers the postings, so that each has an outbox event of its own.
CREATE TABLE card (
  request_id INTEGER PRIMARY KEY REFERENCES request (id),
  guild_id   INTEGER NOT NULL,
  channel_id INTEGER,
  message_id INTEGER UNIQUE,
  digest     TEXT,
  stale      INTEGER NOT NULL CHECK (stale IN (0, 1)),
  posts      INTEGER NOT NULL DEFAULT 0 CHECK (posts >= 0),
  thread     TEXT NOT NULL DEFAULT 'none' CHECK (thread IN ('none', 'wanted', 'made', 'refused')),
  tries      INTEGER NOT NULL DEFAULT 0 CHECK (tries >= 0),
  next_at    INTEGER NOT NULL,
  problem    TEXT
) STRICT;

CREATE INDEX card_due ON card (next_at) WHERE stale = 1;

-- Second messages for one key, and late ones for a key given up: to be deleted, and counted.
CREATE TABLE extra_message (
  message_id   INTEGER PRIMARY KEY,
  channel_id   INTEGER NOT NULL,
  delivery_key TEXT NOT NULL,
  seen_at      INTEGER NOT NULL,
  deleted_at   INTEGER,
  tries        INTEGER NOT NULL DEFAULT 0,
  next_at      INTEGER NOT NULL,
  problem      TEXT
) STRICT;

CREATE INDEX extra_due ON extra_message (next_at) WHERE deleted_at IS NULL;

-- One process delivers at a time: the owner, until lease_until.
CREATE TABLE runtime_lease (
  application_id INTEGER PRIMARY KEY,
  owner          TEXT NOT NULL,
  lease_until    INTEGER NOT NULL,
  connected      INTEGER NOT NULL CHECK (connected IN (0, 1)),
  problem        TEXT,
  retry_at       INTEGER
) STRICT;

-- New DM channels are opened only after `until`: Discord has asked us to stop (40003).
CREATE TABLE dm_pause (
  one     INTEGER PRIMARY KEY CHECK (one = 1),
  until   INTEGER NOT NULL,
  tries   INTEGER NOT NULL,
  problem TEXT NOT NULL
) STRICT;

-- The private thread of a request that is not opened by DM. Starting one is not idempotent: while
-- `uncertain`, one may exist that `thread_id` does not name; it is found by its name's end.
CREATE TABLE private_thread (
  request_id  INTEGER PRIMARY KEY REFERENCES request (id),
  parent_id   INTEGER NOT NULL,
  thread_id   INTEGER UNIQUE,
  uncertain   INTEGER NOT NULL CHECK (uncertain IN (0, 1)),
  last_end_at INTEGER,
  CHECK (thread_id IS NULL OR uncertain = 0)
) STRICT;

-- What was last told to Discord about our commands, so that it is told only when it changes.
CREATE TABLE command_sync (
  application_id INTEGER PRIMARY KEY,
  payload_hash   TEXT NOT NULL,
  synced_at      INTEGER NOT NULL
) STRICT;
