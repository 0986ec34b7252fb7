-- What an API key is for, and until when. Keys that are here already go on as they are: they never expire and may write.

ALTER TABLE api_keys ADD COLUMN last_four TEXT;                            -- of the key itself; NULL for one that was made before
ALTER TABLE api_keys ADD COLUMN expires_at INTEGER;                        -- from then on it is as good as revoked; NULL: never
ALTER TABLE api_keys ADD COLUMN is_read_only INTEGER NOT NULL DEFAULT 0;   -- 1: it validates and reads, and changes nothing

-- 1: an organisation for tests. Its keys begin with sk_test_, so that nobody takes one of them for a real one.
ALTER TABLE organisations ADD COLUMN is_test INTEGER NOT NULL DEFAULT 0;
