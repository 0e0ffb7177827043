-- The person behind a tip: how to reach them, and the hash of the reference number with which they
-- add to it. Rows are deleted after some days; the report stays.
CREATE TABLE tips (
  reference_hash text COLLATE "C" PRIMARY KEY,
  incident_id text COLLATE "C" NOT NULL UNIQUE,
  received_at bigint NOT NULL,
  -- Encrypted by the service.
  contact text,
  additions integer NOT NULL DEFAULT 0
);
CREATE INDEX tips_time ON tips (received_at);

-- The challenges that were used, until they would have expired.
CREATE TABLE tip_submissions (
  challenge_hash text COLLATE "C" PRIMARY KEY,
  fingerprint text NOT NULL,
  at bigint NOT NULL
);
CREATE INDEX tip_submissions_time ON tip_submissions (at);

-- Signs challenges; all nodes share it.
CREATE TABLE tip_secret (
  single integer PRIMARY KEY CHECK (single = 1),
  secret text NOT NULL
);
