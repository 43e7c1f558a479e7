-- The reaction under a message that somebody wrote: what it says of how the message fares. A row is
-- what is still to be said, or to be followed: `shown` is what is or may be there now, `next_at` when
-- to bring it to `wanted` (NULL: it is). Where nothing can follow any more there is no row.
CREATE TABLE mark (
  message_id INTEGER PRIMARY KEY,
  channel_id INTEGER NOT NULL,
  guild_id   INTEGER NOT NULL,
  wanted     TEXT NOT NULL CHECK (wanted IN ('taken', 'delivered', 'problem', 'none')),
  shown      TEXT CHECK (shown IN ('taken', 'delivered', 'problem')),
  tries      INTEGER NOT NULL DEFAULT 0 CHECK (tries >= 0),
  next_at    INTEGER,
  CHECK (next_at IS NOT NULL OR shown IS wanted)
) STRICT;

CREATE INDEX mark_due ON mark (channel_id, next_at, message_id) WHERE next_at IS NOT NULL;

-- Channels in which Steward lacks the permission to react: no mark is tried there.
CREATE TABLE unmarkable (
  channel_id INTEGER PRIMARY KEY,
  guild_id   INTEGER NOT NULL
) STRICT;
