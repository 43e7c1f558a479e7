-- What authors and reviewers are still to be told, each of their own: an entry's author of what was
-- decided, its reviewer that a lease runs out.
DROP TABLE author_word;

CREATE TABLE showcase_word (
  id        INTEGER PRIMARY KEY,
  entry_id  INTEGER NOT NULL REFERENCES entry (id),
  revision  INTEGER NOT NULL,
  person_id INTEGER NOT NULL,
  tries     INTEGER NOT NULL DEFAULT 0 CHECK (tries >= 0),
  next_at   INTEGER NOT NULL,
  UNIQUE (entry_id, revision, person_id)
) STRICT;

CREATE INDEX showcase_word_due ON showcase_word (next_at, id);
CREATE INDEX showcase_word_to ON showcase_word (person_id, id);
