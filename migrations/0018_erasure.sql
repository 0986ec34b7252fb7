-- Erasure: personal data of an account, or of what was never imported, is overwritten; numbers, dates and amounts stay.

-- When it was erased, in Unix milliseconds; NULL: it was not. An account that was erased takes no additions, so nothing of it comes
-- back by a late retry. What was never imported may be created again, from a new payload: then it is NULL again.
ALTER TABLE import_processes ADD COLUMN erased_at INTEGER;
