-- When a run came to its end, for its event: nothing of it is PENDING or IN_PROGRESS any more. NULL again once an account joins it.
ALTER TABLE runs ADD COLUMN finished_at INTEGER;
-- What the minute's work has to look at: a run that no account ever joined has nothing to finish.
CREATE INDEX runs_unfinished ON runs (id) WHERE finished_at IS NULL AND first_id IS NOT NULL;
