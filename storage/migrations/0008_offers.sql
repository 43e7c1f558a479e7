-- What is written in a direct message that nobody listens to: kept for minutes, so that it can become
-- the details of what its author asks for. One offer a channel. `told` is what they were told last;
-- `next_at` is set until they are. `last_id` outlives the texts, so that a repeated event tells
-- nobody anything twice.
CREATE TABLE dm_offer (
  channel_id INTEGER PRIMARY KEY,
  member_id  INTEGER NOT NULL,
  first_id   INTEGER NOT NULL,
  last_id    INTEGER NOT NULL CHECK (last_id >= first_id),
  expires_at INTEGER NOT NULL,
  holds_text INTEGER NOT NULL CHECK (holds_text IN (0, 1)),
  told       TEXT CHECK (told IN ('offer', 'waiting')),
  tries      INTEGER NOT NULL DEFAULT 0 CHECK (tries >= 0),
  next_at    INTEGER
) STRICT;

CREATE INDEX dm_offer_due ON dm_offer (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX dm_offer_to_erase ON dm_offer (expires_at) WHERE holds_text = 1;

CREATE TABLE dm_offer_text (
  message_id INTEGER PRIMARY KEY,
  channel_id INTEGER NOT NULL REFERENCES dm_offer (channel_id),
  text       TEXT NOT NULL
) STRICT;

CREATE INDEX dm_offer_text_in ON dm_offer_text (channel_id, message_id);
