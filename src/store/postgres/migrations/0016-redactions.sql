-- What is kept of a redaction: that it was, not what it took out. `found`:
-- how often each word was found. `settled`: nothing that began before it can still add content.
CREATE TABLE redactions (
  id text PRIMARY KEY,
  incident_id text NOT NULL,
  at bigint NOT NULL,
  key_id text NOT NULL,
  account_id text,
  actor text NOT NULL,
  fields text NOT NULL,
  found text NOT NULL,
  reason text NOT NULL,
  erased_at bigint,
  settled boolean NOT NULL DEFAULT false
);
CREATE INDEX redactions_unsettled ON redactions (at) WHERE NOT settled;
CREATE TABLE redacted_incidents (
  incident_id text NOT NULL,
  redaction_id text NOT NULL REFERENCES redactions (id),
  PRIMARY KEY (incident_id, redaction_id)
);

-- Tells copies to forget the earlier versions.
ALTER TABLE events ADD COLUMN redacted boolean NOT NULL DEFAULT false;

-- The ids of the incidents in an answer, which is encrypted; null in answers from before.
ALTER TABLE idempotency ADD COLUMN mentions text;
-- The answer was emptied by a redaction.
ALTER TABLE idempotency ADD COLUMN redacted boolean NOT NULL DEFAULT false;

-- A test message repeats some incident: its answers are forgotten with every redaction.
CREATE INDEX deliveries_test ON deliveries (created_at) WHERE test;
