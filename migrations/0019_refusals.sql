-- What creates were refused for, so that accounts that never became an import process are seen, too.

-- Accounts refused in that minute, each counted once, however many errors it had.
ALTER TABLE imports_per_minute ADD COLUMN refused INTEGER NOT NULL DEFAULT 0;
-- Minutes with refusals are few among all: the overview looks at these only.
CREATE INDEX imports_per_minute_refused ON imports_per_minute (supplier_id, minute, refused) WHERE refused > 0;

-- By code and place, without the indexes of lists: `customers.*.email`. Rows are forgotten after 30 days.
CREATE TABLE refusals (
  supplier_id INTEGER NOT NULL,
  minute INTEGER NOT NULL,             -- Unix minutes
  code TEXT NOT NULL,
  attr TEXT NOT NULL,
  accounts INTEGER NOT NULL,           -- refused for this
  examples TEXT NOT NULL,              -- JSON [[external account number or null, attr with its indexes, Unix milliseconds]], the newest first, at most 20
  PRIMARY KEY (supplier_id, minute, code, attr)
) STRICT, WITHOUT ROWID;
