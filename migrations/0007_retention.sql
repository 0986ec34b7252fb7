-- When payloads end that nothing has finished with, and which accounts hold all that was sent with them.

-- Since when the supplier is Complete; NULL while it is not. What ended without an account is emptied so many days after it.
ALTER TABLE suppliers ADD COLUMN completed_at INTEGER;
UPDATE suppliers SET completed_at = modified_at WHERE status = 'Complete';

-- 1: the rows of the account hold every field of its payload's customers, notes, transactions, statements and instructions. Accounts of
-- releases that stored the documented fields only keep those lists in their document.
ALTER TABLE accounts ADD COLUMN has_all_fields INTEGER NOT NULL DEFAULT 0;
