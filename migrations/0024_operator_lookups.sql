-- Webhooks that are disabled, by when they failed last: every minute it is looked whether an operator is to know of one, and most are enabled.
CREATE INDEX webhooks_disabled ON webhooks (failed_at) WHERE is_enabled = 0;
-- The console's search finds keys by their last four characters, which is all of a key that an importer may tell.
CREATE INDEX api_keys_last_four ON api_keys (last_four, created_at);
