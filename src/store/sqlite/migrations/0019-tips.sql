-- The person behind a tip: how to reach them, and the hash of the reference number with which they
-- add to it. Rows are deleted after some days; the report stays.
CREATE TABLE tips (
  reference_hash TEXT PRIMARY KEY NOT NULL,
  incident_id TEXT NOT NULL UNIQUE,
  received_at INTEGER NOT NULL,
  -- Encrypted by the service.
  contact TEXT,
  additions INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX tips_time ON tips (received_at);

-- The challenges that were used, until they would have expired.
CREATE TABLE tip_submissions (
  challenge_hash TEXT PRIMARY KEY NOT NULL,
  fingerprint TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX tip_submissions_time ON tip_submissions (at);

-- Signs challenges; all nodes share it.
CREATE TABLE tip_secret (
  single INTEGER PRIMARY KEY CHECK (single = 1),
  secret TEXT NOT NULL
) STRICT;
