-- A first message that nobody but a person can settle: since when it has needed one.
ALTER TABLE delivery ADD COLUMN person_at INTEGER
  CHECK (person_at IS NULL OR (status = 'attempted' AND uncertain = 1 AND in_flight IS NULL));
