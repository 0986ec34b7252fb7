-- Account import processes (§2.7, §3.2). This table is the outbox, the work list and the lists of §4.9-4.11, so it is narrow
-- and clustered by supplier and id. Ids are handed out in commit order, across all suppliers: 1 + the largest id of `payloads`,
-- inside the batch that stores the process. Payload rows are emptied, never deleted, so an id is never given twice.
--
-- status: 0 PENDING · 1 IN_PROGRESS · 2 PROCESSED · 3 ERRORED · 4 CANCELLED · 5 DRY_RUN_SUCCEEDED · 6 DRY_RUN_ERRORED

CREATE TABLE import_processes (
  supplier_id INTEGER NOT NULL,
  id INTEGER NOT NULL,                 -- also the id of its payload and, later, of its account
  external_account_number TEXT NOT NULL,
  status INTEGER NOT NULL,
  payload_hash TEXT NOT NULL,          -- of the payload's text; equal hashes are the same payload
  payload_bytes INTEGER NOT NULL,      -- lets the consumer bound a slice before it reads bodies
  is_dry_run INTEGER NOT NULL,
  window_start INTEGER,
  window_end INTEGER,
  created_at INTEGER NOT NULL,         -- first create; never changes
  scheduled_at INTEGER NOT NULL,       -- latest CREATED event
  sent_at INTEGER NOT NULL,            -- latest queue message; 0 = none yet
  started_at INTEGER,
  finished_at INTEGER,
  modified_at INTEGER NOT NULL,
  claim INTEGER,                       -- who holds the lease; writes of the holder repeat it
  lease_until INTEGER,
  attempts INTEGER NOT NULL,           -- claims since it was scheduled
  account_number TEXT,                 -- platform account number, unique by construction
  error TEXT,                          -- JSON {code, detail, errors?} of the latest error
  PRIMARY KEY (supplier_id, id)
) STRICT, WITHOUT ROWID;
-- One process for a pair: the rule that makes a retried create harmless.
CREATE UNIQUE INDEX import_processes_pair ON import_processes (supplier_id, external_account_number);
-- What has no account yet: pending list, sweep, claims, operator's views by status. Rows leave it when PROCESSED.
CREATE INDEX import_processes_open ON import_processes (supplier_id, status, id) WHERE status <> 2;

-- The payload as it was staged. Once PROCESSED it is the account's document, until retention cuts it down to the account's own fields.
CREATE TABLE payloads (
  id INTEGER PRIMARY KEY,
  body TEXT NOT NULL,                  -- '' once retention has emptied it
  reduced_at INTEGER
) STRICT;

-- Events beyond the happy path (§6): created, started and processed are columns of the process.
CREATE TABLE import_process_events (
  process_id INTEGER NOT NULL,
  occurred_at INTEGER NOT NULL,
  event TEXT NOT NULL,
  data TEXT,                           -- JSON {code, detail} of the error, if any
  PRIMARY KEY (process_id, occurred_at, event)
) STRICT, WITHOUT ROWID;

-- Counted in the batch that finishes the processes: progress and rates without counting rows.
CREATE TABLE imports_per_minute (
  supplier_id INTEGER NOT NULL,
  minute INTEGER NOT NULL,             -- Unix minutes
  processed INTEGER NOT NULL,
  errored INTEGER NOT NULL,
  PRIMARY KEY (supplier_id, minute)
) STRICT, WITHOUT ROWID;

CREATE TABLE dead_letters (
  message_id TEXT PRIMARY KEY,
  queue TEXT NOT NULL,
  message TEXT NOT NULL,               -- JSON; ids only
  failed_at INTEGER NOT NULL,
  redriven_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX dead_letters_time ON dead_letters (failed_at);
