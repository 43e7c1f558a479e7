-- Which messages a room is for, by Discord's own ids: those from `since_id` on, and once something
-- else has taken its place, those before `until_id`. What is read late goes where it was written.
ALTER TABLE room ADD COLUMN since_id INTEGER NOT NULL DEFAULT 0;
ALTER TABLE room ADD COLUMN until_id INTEGER;
