-- The log's last event. One row, locked by every writer until it has committed: what gives seq the order of commits and
-- keeps it free of gaps. A sequence would do neither.
CREATE TABLE log_head (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  seq bigint NOT NULL,
  at bigint NOT NULL
);
INSERT INTO log_head (seq, at) VALUES (0, 0);

-- Documents are text, not jsonb: their bytes are the response's bytes. Ids sort bytewise, whatever the server's language.
CREATE TABLE incidents (
  id text COLLATE "C" PRIMARY KEY,
  version integer NOT NULL,
  status text NOT NULL,
  published_at bigint,
  document text NOT NULL
);
CREATE INDEX incidents_published ON incidents (published_at, id)
  WHERE status = 'confirmed' AND published_at IS NOT NULL;
CREATE INDEX incidents_retracted ON incidents (id) WHERE status = 'retracted';

-- An import's event has no document of its own: it is the incident's, as it stands.
CREATE TABLE events (
  seq bigint PRIMARY KEY,
  kind text NOT NULL,
  at bigint NOT NULL,
  incident_id text COLLATE "C" NOT NULL,
  document text,
  CHECK ((document IS NULL) = (kind = 'incident.imported'))
);

CREATE TABLE accounts (
  id text COLLATE "C" PRIMARY KEY,
  email text,
  name text,
  created_at bigint NOT NULL
);

CREATE TABLE keys (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  kind text NOT NULL,
  name text,
  hash text COLLATE "C" NOT NULL UNIQUE,
  hint text NOT NULL,
  scopes text NOT NULL,
  origins text NOT NULL,
  rate_per_minute integer,
  created_at bigint NOT NULL,
  expires_at bigint,
  revoked_at bigint
);
CREATE INDEX keys_account ON keys (account_id, created_at);

CREATE TABLE signups (
  token_hash text COLLATE "C" PRIMARY KEY,
  email text NOT NULL,
  name text,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL
);
CREATE INDEX signups_expiry ON signups (expires_at);

CREATE TABLE usage (
  key_id text COLLATE "C" NOT NULL,
  day text COLLATE "C" NOT NULL,
  requests bigint NOT NULL,
  PRIMARY KEY (key_id, day)
);

CREATE TABLE idempotency (
  id text COLLATE "C" PRIMARY KEY,
  fingerprint text NOT NULL,
  claimed_at bigint NOT NULL,
  answer bytea
);
CREATE INDEX idempotency_age ON idempotency (claimed_at);
