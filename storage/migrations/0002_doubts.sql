-- A part that nobody but a person can settle: since when it has needed one, and who decided.
ALTER TABLE outbox_part ADD COLUMN person_at INTEGER
  CHECK (person_at IS NULL OR (state = 'pending' AND uncertain = 1 AND in_flight IS NULL));
ALTER TABLE outbox_part ADD COLUMN decided_by INTEGER;

CREATE INDEX outbox_person ON outbox_part (guild_id, person_at) WHERE person_at IS NOT NULL;

-- A message may be behind the fence that no receipt will ever name: a person has decided about it.
ALTER TABLE channel_fence ADD COLUMN unsure INTEGER NOT NULL DEFAULT 0 CHECK (unsure IN (0, 1));
