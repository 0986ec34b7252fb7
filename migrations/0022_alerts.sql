-- What operators are to know of without looking, and who is told. Both tables of alerts are small: one row an alert, forgotten a while
-- after it ended, and one for each address that has not heard of it yet.

CREATE TABLE alerts (
  id TEXT PRIMARY KEY,                 -- alr_… random
  rule TEXT NOT NULL,
  supplier TEXT NOT NULL,              -- the code of the supplier it is about; '': the whole service
  since INTEGER NOT NULL,
  ended_at INTEGER,                    -- NULL while it fires
  details TEXT NOT NULL                -- JSON: numbers and codes, as of when it fired last
) STRICT, WITHOUT ROWID;
-- One alert of a rule and supplier fires at a time, whoever finds it first.
CREATE UNIQUE INDEX alerts_firing ON alerts (rule, supplier) WHERE ended_at IS NULL;

-- Where alerts go. The secret that signs is derived from WEBHOOK_SIGNING_KEY and the id, never stored.
CREATE TABLE alert_addresses (
  id TEXT PRIMARY KEY,                 -- ala_… random
  url TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  delivered_at INTEGER,                -- the latest that was taken
  failed_at INTEGER,                   -- the latest that was not; NULL again once one was taken
  failure TEXT                         -- what it answered then: status_503, time_out
) STRICT, WITHOUT ROWID;

-- An address that is to hear of an alert, as the alert then is. The row goes when it was taken.
CREATE TABLE alert_deliveries (
  alert_id TEXT NOT NULL,
  address_id TEXT NOT NULL,
  event TEXT NOT NULL,                 -- alert.firing | alert.ended: an end takes the place of a beginning that nobody took
  created_at INTEGER NOT NULL,
  next_at INTEGER NOT NULL,            -- the next try
  attempts INTEGER NOT NULL,
  PRIMARY KEY (alert_id, address_id)
) STRICT, WITHOUT ROWID;
