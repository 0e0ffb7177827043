-- What the desk knows of an incident beside its document; and when an open report says it happened, for near-duplicates.
ALTER TABLE incidents ADD COLUMN dossier text;
ALTER TABLE incidents ADD COLUMN occurred_at bigint;
CREATE INDEX incidents_open ON incidents (occurred_at) WHERE status = 'reported';

-- The desk's queues. Confirmed incidents are listed from memory, and a million of them would double this index's cost.
DROP INDEX incidents_retracted;
CREATE INDEX incidents_queue ON incidents (status, id) WHERE status <> 'confirmed';

CREATE TABLE steps (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  incident_id text COLLATE "C" NOT NULL,
  step text NOT NULL,
  version integer NOT NULL,
  at bigint NOT NULL,
  key_id text NOT NULL,
  actor text NOT NULL,
  note text,
  fields text NOT NULL
);
CREATE INDEX steps_incident ON steps (incident_id, id);

CREATE TABLE publishers (
  key text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  kind text NOT NULL,
  updated_at bigint NOT NULL
);

CREATE TABLE imports (
  id text COLLATE "C" PRIMARY KEY,
  checkpoint text NOT NULL,
  updated_at bigint NOT NULL
);
