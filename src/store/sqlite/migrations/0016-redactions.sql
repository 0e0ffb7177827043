-- What is kept of a redaction: that it was, not what it took out. `found`:
-- how often each word was found. `settled`: nothing that began before it can still add content.
CREATE TABLE redactions (
  id TEXT PRIMARY KEY NOT NULL,
  incident_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  key_id TEXT NOT NULL,
  account_id TEXT,
  actor TEXT NOT NULL,
  fields TEXT NOT NULL,
  found TEXT NOT NULL,
  reason TEXT NOT NULL,
  erased_at INTEGER,
  settled INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX redactions_unsettled ON redactions (at) WHERE settled = 0;
CREATE TABLE redacted_incidents (
  incident_id TEXT NOT NULL,
  redaction_id TEXT NOT NULL REFERENCES redactions (id),
  PRIMARY KEY (incident_id, redaction_id)
) STRICT, WITHOUT ROWID;

-- Tells copies to forget the earlier versions.
ALTER TABLE events ADD COLUMN redacted INTEGER NOT NULL DEFAULT 0;

-- The ids of the incidents in an answer, which is encrypted; null in answers from before.
ALTER TABLE idempotency ADD COLUMN mentions TEXT;
-- The answer was emptied by a redaction.
ALTER TABLE idempotency ADD COLUMN redacted INTEGER NOT NULL DEFAULT 0;

-- A test message repeats some incident: its answers are forgotten with every redaction.
CREATE INDEX deliveries_test ON deliveries (created_at) WHERE test = 1;
