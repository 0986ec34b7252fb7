-- Import suppliers (§1, §3.1) and the operator's audit trail.

CREATE TABLE suppliers (
  id INTEGER PRIMARY KEY,
  organisation_id TEXT NOT NULL,
  code TEXT NOT NULL,
  name TEXT NOT NULL,
  status TEXT NOT NULL,                -- Ongoing | Paused | Complete
  configuration TEXT NOT NULL,         -- JSON object
  version INTEGER NOT NULL,            -- moves at each change; writes repeat it, so that nothing is stored on an old judgement
  resumed_at INTEGER NOT NULL,         -- what was sent before this moment is sent again by the sweep
  retention_cursor INTEGER NOT NULL DEFAULT 0,   -- how far the walk that reduces old payloads has come, as a process id
  retention_next_at INTEGER NOT NULL DEFAULT 0,  -- when the walk goes on
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX suppliers_code ON suppliers (code);

CREATE TABLE audit_entries (
  id INTEGER PRIMARY KEY,
  occurred_at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  before TEXT,                         -- JSON, never a secret
  after TEXT
) STRICT;
