-- What happened, for those who follow it: a row for each slice of an import and for each single change, in the batch of its effect.

CREATE TABLE events (
  id INTEGER PRIMARY KEY,              -- grows with each commit: Unix milliseconds, or one more than the last. After a restore it grows on past what was read before
  supplier_id INTEGER NOT NULL,
  occurred_at INTEGER NOT NULL,
  type TEXT NOT NULL,
  data TEXT NOT NULL                   -- JSON: numbers, statuses, codes and counts; nothing personal
) STRICT;
-- There is no index of suppliers: it would cost a second row for each slice. Whoever reads one supplier's walks the newest rows.

-- The oldest row says from where on the table is whole: cursors before it have expired. What is deleted leaves its last row, so the
-- table is never empty. This one is of no supplier.
INSERT INTO events (id, supplier_id, occurred_at, type, data) VALUES (1, 0, 0, 'feed.began', '{}');

-- Hides ids in cursors and in the ids of events: they would tell how much other suppliers do. It must never change: readers keep cursors.
INSERT INTO service_keys (name, value) VALUES ('event_cursor', lower(hex(randomblob(16))));
