-- How much of what a member writes was carried in a minute that began then. `told`: they know that the
-- rest waits; it holds as long as one full minute follows another.
CREATE TABLE dm_pace (
  member_id INTEGER PRIMARY KEY,
  began_at  INTEGER NOT NULL,
  number    INTEGER NOT NULL CHECK (number >= 1),
  told      INTEGER NOT NULL CHECK (told IN (0, 1))
) STRICT;
