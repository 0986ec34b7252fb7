-- Fields of a note without a column are stored with it, as those of customers, transactions and statements are with theirs.
ALTER TABLE notes ADD COLUMN details TEXT;   -- JSON: undocumented fields, those of its document paths under document_paths; NULL where there are none
