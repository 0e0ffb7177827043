-- Browsers in which people have signed in. No foreign key to keys: dead keys are deleted.
CREATE TABLE sessions (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  method text NOT NULL,
  key_id text COLLATE "C",
  passkey_id text COLLATE "C",
  hash text COLLATE "C" NOT NULL UNIQUE,
  user_agent text,
  created_at bigint NOT NULL,
  seen_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  ended_at bigint
);
CREATE INDEX sessions_account ON sessions (account_id, seen_at);
CREATE INDEX sessions_key ON sessions (key_id) WHERE key_id IS NOT NULL;
CREATE INDEX sessions_expiry ON sessions (expires_at);
-- Every node asks each second for sessions that ended within the last minute.
CREATE INDEX sessions_ended ON sessions (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE sign_in_links (
  token_hash text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  mailed integer NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  used_at bigint
);
CREATE INDEX sign_in_links_expiry ON sign_in_links (expires_at);

CREATE TABLE passkeys (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  credential_id text COLLATE "C" NOT NULL UNIQUE,
  public_key text NOT NULL,
  counter bigint NOT NULL,
  transports text NOT NULL,
  name text NOT NULL,
  backed_up integer NOT NULL,
  created_at bigint NOT NULL,
  last_used_at bigint
);
CREATE INDEX passkeys_account ON passkeys (account_id, id);

CREATE TABLE challenges (
  hash text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C",
  expires_at bigint NOT NULL
);
CREATE INDEX challenges_expiry ON challenges (expires_at);

-- The account that acted: a session may have no key.
ALTER TABLE steps ADD COLUMN account_id text COLLATE "C";
UPDATE steps SET account_id = (SELECT account_id FROM keys WHERE keys.id = steps.key_id);
CREATE INDEX steps_reporter ON steps (account_id, incident_id) WHERE step = 'report';
