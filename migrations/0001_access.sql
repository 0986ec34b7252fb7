-- Who may call: organisations, their API keys, and the refresh tokens those keys obtained (§5).
-- Secrets are stored as SHA-256 digests (lower-case hex) only. Datetimes are Unix milliseconds in every table.

CREATE TABLE organisations (
  id TEXT PRIMARY KEY,                 -- org_… random: ids tell nothing of how many there are
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,                 -- key_… random; named in every token, so that a revoked key stops its tokens
  organisation_id TEXT NOT NULL,
  label TEXT NOT NULL,
  hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX api_keys_hash ON api_keys (hash);                      -- obtaining a token looks the key up by digest
CREATE INDEX api_keys_organisation ON api_keys (organisation_id, created_at);

CREATE TABLE refresh_tokens (
  hash TEXT PRIMARY KEY,
  api_key_id TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  spent_at INTEGER                     -- a refresh token is spent at its use
) STRICT, WITHOUT ROWID;
CREATE INDEX refresh_tokens_expiry ON refresh_tokens (expires_at);         -- the sweep deletes what has expired

-- Keys the service makes for itself, once. `account_number` keys the permutation that turns a process id into an account
-- number: it must never change, so it lives with the data and not with the secrets.
CREATE TABLE service_keys (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO service_keys (name, value) VALUES ('account_number', lower(hex(randomblob(16))));
