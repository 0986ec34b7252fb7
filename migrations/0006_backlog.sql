-- What the sweep needs to share itself out: how far it has come with each supplier, which windows close next, what a process costs
-- to look up, and who died of it. Existing rows are as if nothing of this had happened to them; code that knows none of it writes on.

-- The id after which the sweep looks on at the supplier's PENDING processes, so that a run reads a bounded part of a backlog and the
-- next one goes on there. 0: from the beginning.
ALTER TABLE suppliers ADD COLUMN sweep_cursor INTEGER NOT NULL DEFAULT 0;

-- How many documents the payload names: lets the consumer bound a claim by the look-ups it costs.
ALTER TABLE import_processes ADD COLUMN documents INTEGER NOT NULL DEFAULT 0;

-- JSON array of the claims whose lease ran out since the process was scheduled; NULL if there are none. A holder that lives after all
-- takes its own claim out again, so that only what killed its consumers is given up.
ALTER TABLE import_processes ADD COLUMN expired_claims TEXT;

-- PENDING processes by the end of their window: what closes next is sent first, and what has closed is found without a walk. Only a
-- process with such an end has an entry.
CREATE INDEX import_processes_windows ON import_processes (supplier_id, window_end) WHERE status = 0 AND window_end IS NOT NULL;
