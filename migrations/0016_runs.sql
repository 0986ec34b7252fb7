-- Runs: one delivery of accounts under one supplier, held, released, counted and taken back as a whole.

CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  supplier_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  held_reason TEXT,                    -- importer | errors | cancelled | undone; NULL while the run is not held
  released_to INTEGER NOT NULL,        -- processes of the run up to this id may start: a hold, a canary and a pace are this one number
  released_at INTEGER NOT NULL,        -- what was sent before this moment is sent again
  pace_per_minute INTEGER,             -- processes released each minute; NULL: all at once
  paced_minute INTEGER NOT NULL,       -- Unix minute of the last step of the pace
  stop_after_errors INTEGER,           -- ERRORED since the last release that hold the run; NULL: never
  errors INTEGER NOT NULL,             -- ERRORED since the last release: one write for each slice that has some
  expected TEXT,                       -- JSON: totals that the importer declared
  first_id INTEGER,                    -- no process of the run has a lower id; NULL while it has none
  last_id INTEGER,                     -- nor a higher one. It grows in steps, so that an account costs no write here
  version INTEGER NOT NULL,            -- moves with what is held or released; a change names the version it was decided by
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX runs_name ON runs (supplier_id, name);
-- What the minute's work has to look at.
CREATE INDEX runs_paced ON runs (id) WHERE pace_per_minute IS NOT NULL AND held_reason IS NULL;

-- The run of a process; NULL for most. No index: a run is read along the key of its supplier, between its first and its last id.
ALTER TABLE import_processes ADD COLUMN run_id INTEGER;
-- What the payload of a process in a run brings: JSON [customers, notes, transactions, their amounts, statements, payment instructions,
-- balance], money in minor units. Written with the row, so that the totals of a run need no payload.
ALTER TABLE import_processes ADD COLUMN totals TEXT;
-- When the account of the process was taken back; NULL again once it is created again.
ALTER TABLE import_processes ADD COLUMN undone_at INTEGER;

-- The balance that came with the account, in minor units as decimal digits: a sum of many ledgers is exact, too.
ALTER TABLE accounts ADD COLUMN balance_minor TEXT;
