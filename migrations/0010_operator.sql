-- What operators do: end a session of the console, put a dead letter away, look errors up by their code.

-- A session that was signed out of cannot be used again, even by who kept its cookie. Gone once the cookie would have expired.
CREATE TABLE ended_sessions (
  id TEXT PRIMARY KEY,                 -- as the cookie names it
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A letter that says nothing can only be put away.
ALTER TABLE dead_letters ADD COLUMN dismissed_at INTEGER;

-- Counting and retrying by code reads what has that code, however many others there are. Rows are here only while they are ERRORED.
CREATE INDEX import_processes_errored ON import_processes (supplier_id, error ->> 'code', id) WHERE status = 3;
