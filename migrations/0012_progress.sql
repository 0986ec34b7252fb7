-- How far a migration is, as its importer reads it.

-- Since when a supplier is Paused, in Unix milliseconds; null for one that was paused before this was noted.
ALTER TABLE suppliers ADD COLUMN paused_at INTEGER;
