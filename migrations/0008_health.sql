-- What the service tells of itself, what a restore leaves behind, and what a dead letter has to know.

-- When something last came to its end: `sweep` for the age of the last one, `readiness` for the write that /readyz tries.
CREATE TABLE heartbeats (
  name TEXT PRIMARY KEY,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A restore takes the database back to an earlier moment, and with it `max(id)` of `payloads`, from which ids and so account numbers
-- are given. Each restore has an epoch, which the Worker asks for (DATABASE_EPOCH): until the row of that epoch is here, no account
-- is staged. The row comes together with an empty row in `payloads` past every id that may have been given before.
CREATE TABLE restores (
  epoch INTEGER PRIMARY KEY,
  restored_to INTEGER NOT NULL,        -- the moment the database was taken back to
  finished_at INTEGER NOT NULL,
  last_id INTEGER NOT NULL             -- ids are given past this one
) STRICT;

-- When a consumer last gave the process back because its account could not be decided or stored, though the database took writes.
-- A message that ran out of tries ends only processes that failed like that: what nobody could try has not failed.
ALTER TABLE import_processes ADD COLUMN failed_at INTEGER;
