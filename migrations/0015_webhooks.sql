-- Webhooks: events pushed to importers, each webhook and supplier in order. How far each came is one row; a delivery has none of its own.

CREATE TABLE webhooks (
  id TEXT PRIMARY KEY,                 -- whk_… random
  organisation_id TEXT NOT NULL,
  url TEXT NOT NULL,
  supplier_codes TEXT,                 -- JSON array; NULL: every supplier of the organisation, also one to come
  types TEXT,                          -- JSON array of types of events; NULL: all
  start_id INTEGER NOT NULL,           -- the event behind which a supplier without a cursor begins
  is_enabled INTEGER NOT NULL,
  disabled_reason TEXT,                -- importer | failing | gone
  generation INTEGER NOT NULL,         -- of its secret, which is derived and stored nowhere
  rotated_at INTEGER,                  -- since when the secret before this one is on its way out
  created_at INTEGER NOT NULL,
  delivered_at INTEGER,                -- the latest that was taken
  failed_at INTEGER,                   -- the latest that was not; NULL again once one was taken
  failure TEXT                         -- what it answered then: status_503, time_out
) STRICT, WITHOUT ROWID;
CREATE INDEX webhooks_organisation ON webhooks (organisation_id);

-- How far a webhook came with a supplier.
CREATE TABLE webhook_cursors (
  supplier_id INTEGER NOT NULL,
  webhook_id TEXT NOT NULL,
  after_id INTEGER NOT NULL,           -- the last event that was taken or passed
  newest_id INTEGER NOT NULL,          -- up to here events of the supplier may be; behind after_id there is nothing to send
  waiting_since INTEGER,               -- when the oldest event that waits happened, where one does
  attempts INTEGER NOT NULL,           -- of the event that waits
  failing_since INTEGER,
  next_at INTEGER NOT NULL,            -- no try before this
  claim INTEGER NOT NULL,              -- whoever sends right now: one at a time keeps the order
  claimed_until INTEGER NOT NULL,
  PRIMARY KEY (supplier_id, webhook_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_cursors_webhook ON webhook_cursors (webhook_id);

-- The event up to which cursors have been told of what is new.
CREATE TABLE webhook_walk (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  after_id INTEGER NOT NULL
) STRICT;
INSERT INTO webhook_walk (id, after_id) VALUES (1, 0);
