-- The conversation: who listens where, what came in, what was carried.

-- A channel follows a conversation: the thread at the desk, or the member's DM. A DM that several
-- conversations share follows the one that its member chose last. Revoked, never deleted.
CREATE TABLE room (
  id              INTEGER PRIMARY KEY,
  channel_id      INTEGER NOT NULL,
  side            TEXT NOT NULL CHECK (side IN ('member', 'desk')),
  conversation_id TEXT NOT NULL REFERENCES conversation (id),
  since           INTEGER NOT NULL,
  revoked_at      INTEGER
) STRICT;

CREATE UNIQUE INDEX room_live ON room (channel_id) WHERE revoked_at IS NULL;
CREATE UNIQUE INDEX room_at_desk ON room (conversation_id) WHERE side = 'desk' AND revoked_at IS NULL;
CREATE INDEX room_of_conversation ON room (conversation_id);
CREATE INDEX room_of_channel ON room (channel_id);

-- How far a channel has been read: every message up to `cursor` is in the inbox. `behind` counts the
-- reasons to read on from there (a start, a reconnect): while it isn't 0 the cursor moves by reading
-- alone. `closing`: its last conversation has ended, and it is forgotten once it is read. `blind`: its
-- history is refused to us; what comes in is worked all the same, until a permission is given.
CREATE TABLE inbound (
  channel_id INTEGER PRIMARY KEY,
  guild_id   INTEGER NOT NULL,
  side       TEXT NOT NULL CHECK (side IN ('member', 'desk')),
  cursor     INTEGER NOT NULL CHECK (cursor >= 0),
  behind     INTEGER NOT NULL CHECK (behind >= 0),
  closing    INTEGER NOT NULL DEFAULT 0 CHECK (closing IN (0, 1)),
  blind      INTEGER NOT NULL DEFAULT 0 CHECK (blind IN (0, 1)),
  tries      INTEGER NOT NULL DEFAULT 0 CHECK (tries >= 0),
  next_at    INTEGER NOT NULL,
  problem    TEXT
) STRICT;

CREATE INDEX inbound_behind ON inbound (next_at) WHERE behind > 0;

CREATE TRIGGER cursor_moves_forward BEFORE UPDATE OF cursor ON inbound
WHEN NEW.cursor < OLD.cursor
BEGIN SELECT RAISE(ABORT, 'a cursor only moves forward'); END;

-- What came in, once each. Worked in order a channel: by message, and for one message itself, its
-- edits, its deletion (`rank`). What is finished or dropped holds no content. What can't be read is
-- `set_aside` for a person, and holds up nothing.
CREATE TABLE inbox_event (
  seq             INTEGER PRIMARY KEY,
  id              TEXT NOT NULL UNIQUE,
  channel_id      INTEGER NOT NULL,
  position        INTEGER NOT NULL,
  rank            INTEGER NOT NULL,
  kind            TEXT NOT NULL CHECK (kind IN ('message', 'edit', 'delete')),
  author_id       INTEGER,
  conversation_id TEXT REFERENCES conversation (id),
  payload         TEXT,
  state           TEXT NOT NULL CHECK (state IN ('queued', 'done', 'dropped')),
  at              INTEGER NOT NULL,
  tries           INTEGER NOT NULL DEFAULT 0 CHECK (tries >= 0),
  next_at         INTEGER NOT NULL,
  problem         TEXT,
  set_aside       INTEGER NOT NULL DEFAULT 0 CHECK (set_aside IN (0, 1)),
  CHECK (rank = CASE kind WHEN 'message' THEN 0 WHEN 'edit' THEN 1 ELSE 2 END),
  CHECK (CASE state
    WHEN 'queued' THEN payload IS NOT NULL
    WHEN 'done' THEN payload IS NULL AND problem IS NULL
    ELSE payload IS NULL AND problem IS NOT NULL END)
) STRICT;

CREATE INDEX inbox_queue ON inbox_event (channel_id, position, rank, seq)
  WHERE state = 'queued' AND set_aside = 0;
CREATE INDEX inbox_aside ON inbox_event (seq) WHERE set_aside = 1;
CREATE INDEX inbox_of_conversation ON inbox_event (conversation_id)
  WHERE conversation_id IS NOT NULL;

-- The original of every carried message, and of every note that stayed at the desk. A translation
-- never changes it. Its copies are the outbox parts of the event `m:<id>`. `by_command`: written with
-- /reply, so that no message in the channel is the original; the id is the interaction's.
CREATE TABLE relayed_message (
  id              INTEGER PRIMARY KEY,
  conversation_id TEXT NOT NULL REFERENCES conversation (id),
  channel_id      INTEGER NOT NULL,
  side            TEXT NOT NULL CHECK (side IN ('member', 'desk', 'note')),
  author_id       INTEGER NOT NULL,
  author_name     TEXT NOT NULL,
  locale          TEXT NOT NULL,
  text            TEXT NOT NULL,
  extras          TEXT NOT NULL,
  reply_to        INTEGER,
  at              INTEGER NOT NULL,
  edited_at       INTEGER,
  deleted_at      INTEGER,
  by_command      INTEGER NOT NULL CHECK (by_command IN (0, 1))
) STRICT;

CREATE INDEX relayed_in_conversation ON relayed_message (conversation_id, id);
CREATE INDEX relayed_in_channel ON relayed_message (channel_id, id);

-- What a carried message said before each of its edits.
CREATE TABLE relayed_version (
  message_id INTEGER NOT NULL REFERENCES relayed_message (id),
  until      INTEGER NOT NULL,
  text       TEXT NOT NULL,
  PRIMARY KEY (message_id, until)
) STRICT, WITHOUT ROWID;

CREATE INDEX conversation_in_channel ON conversation (channel_id);

-- An edit or deletion of what another part has sent; the message is known once that part is.
ALTER TABLE outbox_part ADD COLUMN target_part INTEGER REFERENCES outbox_part (id);
CREATE INDEX outbox_target ON outbox_part (target_part) WHERE target_part IS NOT NULL;

-- Conversations that began before messages were carried are read from their beginning.
INSERT INTO room (channel_id, side, conversation_id, since)
  SELECT conversation.thread_id, 'desk', conversation.id, conversation.opened_at
  FROM conversation JOIN request ON request.id = conversation.request_id
  WHERE request.state = 'active' AND conversation.thread_id IS NOT NULL;
INSERT INTO inbound (channel_id, guild_id, side, cursor, behind, next_at)
  SELECT conversation.thread_id, conversation.guild_id, 'desk', conversation.thread_id, 1, 0
  FROM conversation JOIN request ON request.id = conversation.request_id
  WHERE request.state = 'active' AND conversation.thread_id IS NOT NULL;
INSERT INTO room (channel_id, side, conversation_id, since)
  SELECT conversation.channel_id, 'member', min(conversation.id), min(conversation.opened_at)
  FROM conversation JOIN request ON request.id = conversation.request_id
  WHERE request.state = 'active' GROUP BY conversation.channel_id HAVING count(*) = 1;
INSERT INTO inbound (channel_id, guild_id, side, cursor, behind, next_at)
  SELECT conversation.channel_id, min(conversation.guild_id), 'member',
    coalesce(max(delivery.message_id), max(channel_fence.newest_id), 0), 1, 0
  FROM conversation JOIN request ON request.id = conversation.request_id
  LEFT JOIN delivery ON delivery.request_id = request.id AND delivery.status = 'sent'
  LEFT JOIN channel_fence ON channel_fence.channel_id = conversation.channel_id
  WHERE request.state = 'active' GROUP BY conversation.channel_id;
