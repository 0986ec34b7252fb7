-- Imported accounts are read: by operators, with who did what to them, and by platform systems, in the order in which they were committed.

-- Who did what to one account, or to its import, is looked up by the subject. Audit entries are few.
CREATE INDEX audit_entries_subject ON audit_entries (subject, id);

-- When the active instruction of a type was ended. It then has a position below 0, so that another can be the active one; those of
-- the account payload count from 1, as before.
ALTER TABLE payment_instructions ADD COLUMN ended_at INTEGER;

-- Accounts in commit order: a row for each slice that created some, in the batch that creates them. Ids of accounts are no such
-- order: they are given when a process is staged, and its account may be created long after later ones.
CREATE TABLE account_commits (
  id INTEGER PRIMARY KEY,              -- grows with each commit: Unix milliseconds, or one more than the last. After a restore it grows on past what was read before
  supplier_id INTEGER NOT NULL,
  account_ids TEXT NOT NULL            -- JSON array, in order
) STRICT;

-- 1: the account is in a row of account_commits. Code that knows nothing of them leaves 0; what it created is listed by the minute's work,
-- and so are the accounts that are here already. Only what is not listed yet has an entry.
ALTER TABLE accounts ADD COLUMN is_listed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX accounts_unlisted ON accounts (id) WHERE is_listed = 0;
