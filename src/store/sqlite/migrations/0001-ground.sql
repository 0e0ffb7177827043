-- The log's last event. One row, written with every event: what gives seq its order and keeps it free of gaps.
CREATE TABLE log_head (
  single INTEGER PRIMARY KEY CHECK (single = 1),
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;
INSERT INTO log_head VALUES (1, 0, 0);

CREATE TABLE incidents (
  id TEXT PRIMARY KEY NOT NULL,
  version INTEGER NOT NULL,
  status TEXT NOT NULL,
  published_at INTEGER,
  document TEXT NOT NULL
) STRICT;
CREATE INDEX incidents_published ON incidents (published_at, id)
  WHERE status = 'confirmed' AND published_at IS NOT NULL;
CREATE INDEX incidents_retracted ON incidents (id) WHERE status = 'retracted';

-- An import's event has no document of its own: it is the incident's, as it stands.
CREATE TABLE events (
  seq INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  incident_id TEXT NOT NULL,
  document TEXT,
  CHECK ((document IS NULL) = (kind = 'incident.imported'))
) STRICT;

CREATE TABLE accounts (
  id TEXT PRIMARY KEY NOT NULL,
  email TEXT,
  name TEXT,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE keys (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL,
  name TEXT,
  hash TEXT NOT NULL UNIQUE,
  hint TEXT NOT NULL,
  scopes TEXT NOT NULL,
  origins TEXT NOT NULL,
  rate_per_minute INTEGER,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER
) STRICT;
CREATE INDEX keys_account ON keys (account_id, created_at);

CREATE TABLE signups (
  token_hash TEXT PRIMARY KEY NOT NULL,
  email TEXT NOT NULL,
  name TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX signups_expiry ON signups (expires_at);

CREATE TABLE usage (
  key_id TEXT NOT NULL,
  day TEXT NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (key_id, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency (
  id TEXT PRIMARY KEY NOT NULL,
  fingerprint TEXT NOT NULL,
  claimed_at INTEGER NOT NULL,
  answer BLOB
) STRICT;
CREATE INDEX idempotency_age ON idempotency (claimed_at);
