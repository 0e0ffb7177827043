-- Browsers in which people have signed in. No foreign key to keys: dead keys are deleted.
CREATE TABLE sessions (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  method TEXT NOT NULL,
  key_id TEXT,
  passkey_id TEXT,
  hash TEXT NOT NULL UNIQUE,
  user_agent TEXT,
  created_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
CREATE INDEX sessions_account ON sessions (account_id, seen_at);
CREATE INDEX sessions_key ON sessions (key_id) WHERE key_id IS NOT NULL;
CREATE INDEX sessions_expiry ON sessions (expires_at);
-- Every node asks each second for sessions that ended within the last minute.
CREATE INDEX sessions_ended ON sessions (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE sign_in_links (
  token_hash TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  mailed INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;
CREATE INDEX sign_in_links_expiry ON sign_in_links (expires_at);

CREATE TABLE passkeys (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  credential_id TEXT NOT NULL UNIQUE,
  public_key TEXT NOT NULL,
  counter INTEGER NOT NULL,
  transports TEXT NOT NULL,
  name TEXT NOT NULL,
  backed_up INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;
CREATE INDEX passkeys_account ON passkeys (account_id, id);

CREATE TABLE challenges (
  hash TEXT PRIMARY KEY NOT NULL,
  account_id TEXT,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX challenges_expiry ON challenges (expires_at);

-- The account that acted: a session may have no key.
ALTER TABLE steps ADD COLUMN account_id TEXT;
UPDATE steps SET account_id = (SELECT account_id FROM keys WHERE keys.id = steps.key_id);
CREATE INDEX steps_reporter ON steps (account_id, incident_id) WHERE step = 'report';
