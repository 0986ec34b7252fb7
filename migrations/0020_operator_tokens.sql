-- Operators by name: each person and each program has a token of its own, with a role, so that the audit trail says who it was and one
-- of them is shut out without the others. OPERATOR_TOKEN of the environment remains the way in for the first.

CREATE TABLE operator_tokens (
  id TEXT PRIMARY KEY,                 -- opt_… random; a session of the console names it, so that a revoked token ends its sessions
  name TEXT NOT NULL,                  -- the audit trail names it, so a name is given once, for ever
  role TEXT NOT NULL,                  -- read | operate | administer: each may do what the one before may
  hash TEXT NOT NULL,                  -- SHA-256, lower-case hex
  last_four TEXT NOT NULL,             -- of the token itself: which one it is, when several lie around
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX operator_tokens_hash ON operator_tokens (hash);
CREATE UNIQUE INDEX operator_tokens_name ON operator_tokens (name);

-- The code of the supplier that something was done to, where it was done to one. Entries of before are given theirs, where their subject
-- tells it; old code leaves it NULL.
ALTER TABLE audit_entries ADD COLUMN supplier TEXT;
UPDATE audit_entries SET supplier = substr(subject, 10) WHERE substr(subject, 1, 9) = 'supplier ';
UPDATE audit_entries SET supplier = after ->> 'supplier' WHERE substr(subject, 1, 12) = 'dead letter ';
-- A code may hold spaces: of two that fit, the longer one is meant.
UPDATE audit_entries SET supplier = (
  SELECT code FROM suppliers WHERE substr(audit_entries.subject, 1, length(code) + 16) = 'import process ' || code || ' ' ORDER BY length(code) DESC LIMIT 1
) WHERE substr(subject, 1, 15) = 'import process ';

-- Who did something, what was done, and to whose migration: the audit trail is looked up by each, newest first.
CREATE INDEX audit_entries_supplier ON audit_entries (supplier, id);
CREATE INDEX audit_entries_actor ON audit_entries (actor, id);
CREATE INDEX audit_entries_action ON audit_entries (action, id);
