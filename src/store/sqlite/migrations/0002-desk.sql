-- What the desk knows of an incident beside its document; and when an open report says it happened, for near-duplicates.
ALTER TABLE incidents ADD COLUMN dossier TEXT;
ALTER TABLE incidents ADD COLUMN occurred_at INTEGER;
CREATE INDEX incidents_open ON incidents (occurred_at) WHERE status = 'reported';

-- The desk's queues. Confirmed incidents are listed from memory, and a million of them would double this index's cost.
DROP INDEX incidents_retracted;
CREATE INDEX incidents_queue ON incidents (status, id) WHERE status <> 'confirmed';

CREATE TABLE steps (
  id INTEGER PRIMARY KEY,
  incident_id TEXT NOT NULL,
  step TEXT NOT NULL,
  version INTEGER NOT NULL,
  at INTEGER NOT NULL,
  key_id TEXT NOT NULL,
  actor TEXT NOT NULL,
  note TEXT,
  fields TEXT NOT NULL
) STRICT;
CREATE INDEX steps_incident ON steps (incident_id, id);

CREATE TABLE publishers (
  key TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE imports (
  id TEXT PRIMARY KEY NOT NULL,
  checkpoint TEXT NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
