-- Accounts and what is added to them. Everything of one account lies together: children are clustered by account.

CREATE TABLE accounts (
  id INTEGER PRIMARY KEY,              -- = import process
  supplier_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  period_from TEXT NOT NULL,           -- first day of the open statement period, YYYY-MM-DD
  cycle_months INTEGER NOT NULL,       -- billing cycle: length in months and where it is counted from
  cycle_start_month INTEGER NOT NULL,
  cycle_start_day INTEGER NOT NULL
) STRICT;

CREATE TABLE customers (
  account_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  given_name TEXT,
  family_name TEXT,
  email TEXT,
  mobile TEXT,
  mobile_e164 TEXT,
  landline TEXT,
  landline_e164 TEXT,
  alternative_phone_numbers TEXT,      -- JSON [{phone_number, e164}]
  date_of_birth TEXT,
  details TEXT,                        -- JSON: the documented fields without a column
  PRIMARY KEY (account_id, position)
) STRICT, WITHOUT ROWID;

-- §2.3. note_key is a digest of the trimmed body or, without one, of the set of document paths: with the instant it makes a note unique.
CREATE TABLE notes (
  account_id INTEGER NOT NULL,
  note_key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  body TEXT,
  documents TEXT,                      -- JSON [{document_path, key}]
  is_pinned INTEGER NOT NULL,
  unpin_at INTEGER,
  source INTEGER NOT NULL,             -- 0 account payload · 1 posted · 2 written by the service
  PRIMARY KEY (account_id, note_key, created_at)
) STRICT, WITHOUT ROWID;

-- §2.4, as imported (JSON) and as posted (columns). `addition` is 0 unless the importer asked not to check for an earlier one:
-- then it is a number minted for that request, so that our own retry of the write cannot double it.
CREATE TABLE transactions (
  account_id INTEGER NOT NULL,
  transaction_id TEXT NOT NULL,
  addition INTEGER NOT NULL,
  source INTEGER NOT NULL,             -- 0 historical list of the payload · 1 current list of the payload · 2 posted
  ledger INTEGER,                      -- position in the payload's `ledgers`
  transaction_date TEXT NOT NULL,
  amount_minor INTEGER NOT NULL,
  type TEXT NOT NULL,
  note TEXT,
  imported TEXT NOT NULL,              -- JSON: the documented fields as they were sent
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, transaction_id, addition)
) STRICT, WITHOUT ROWID;

-- §2.5
CREATE TABLE statements (
  account_id INTEGER NOT NULL,
  statement_id TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  content TEXT NOT NULL,               -- JSON: the documented fields as they were sent
  document_key TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, statement_id)
) STRICT, WITHOUT ROWID;

-- §2.6. Position 0 is the one active instruction of its type; the account payload's own count from 1 and are never active.
CREATE TABLE payment_instructions (
  account_id INTEGER NOT NULL,
  type TEXT NOT NULL,
  position INTEGER NOT NULL,
  vendor TEXT NOT NULL,
  reference TEXT,
  details TEXT NOT NULL,               -- JSON: scheme, last four, expiry, holder; never a full number
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, type, position)
) STRICT, WITHOUT ROWID;
