-- What creates that named a run were refused for, so that a run shows what never came into it, too.

-- Creates refused, ever; an account that was sent twice counts twice.
ALTER TABLE runs ADD COLUMN refused INTEGER NOT NULL DEFAULT 0;

-- By code and place, without the indexes of lists. A row is forgotten when nothing was refused for it in 30 days.
CREATE TABLE run_refusals (
  supplier_id INTEGER NOT NULL,
  run_id INTEGER NOT NULL,
  code TEXT NOT NULL,
  attr TEXT NOT NULL,
  accounts INTEGER NOT NULL,           -- refused for this
  minute INTEGER NOT NULL,             -- Unix minute of the latest
  PRIMARY KEY (supplier_id, run_id, code, attr)
) STRICT, WITHOUT ROWID;
