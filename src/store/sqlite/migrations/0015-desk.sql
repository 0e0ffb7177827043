-- The desk's queue: one narrow row for each incident that the desk handles, so that filters, orders and searches read no
-- documents. Incidents that were imported as confirmed have none until an editor touches them.
CREATE TABLE desk_entries (
  id TEXT PRIMARY KEY NOT NULL,
  -- In commit order: who follows the desk asks for what changed after a revision.
  revision INTEGER NOT NULL UNIQUE,
  status TEXT NOT NULL,
  version INTEGER NOT NULL,
  origin TEXT NOT NULL,
  state TEXT NOT NULL,
  lga TEXT,
  type TEXT NOT NULL,
  severity INTEGER NOT NULL,
  confidence REAL NOT NULL,
  reported_at INTEGER NOT NULL,
  occurred_at INTEGER NOT NULL,
  lat REAL NOT NULL,
  lng REAL NOT NULL,
  claimed_by TEXT,
  claim_name TEXT,
  claimed_until INTEGER,
  search TEXT NOT NULL
) STRICT;
CREATE INDEX desk_entries_time ON desk_entries (status, reported_at, id);
CREATE INDEX desk_entries_severity ON desk_entries (status, severity, reported_at, id);
CREATE INDEX desk_entries_confidence ON desk_entries (status, confidence, reported_at, id);
CREATE INDEX desk_entries_claims ON desk_entries (claimed_until) WHERE claimed_by IS NOT NULL;

CREATE TABLE desk_head (
  single INTEGER PRIMARY KEY CHECK (single = 1),
  revision INTEGER NOT NULL
) STRICT;
INSERT INTO desk_head VALUES (1, 0);

-- Kept by triggers: counting a queue of a million would take a second.
CREATE TABLE desk_counts (
  status TEXT NOT NULL,
  origin TEXT NOT NULL,
  severity INTEGER NOT NULL,
  entries INTEGER NOT NULL,
  PRIMARY KEY (status, origin, severity)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER desk_entries_added AFTER INSERT ON desk_entries BEGIN
  INSERT INTO desk_counts VALUES (new.status, new.origin, new.severity, 1)
  ON CONFLICT DO UPDATE SET entries = entries + 1;
END;
CREATE TRIGGER desk_entries_changed AFTER UPDATE OF status, origin, severity ON desk_entries
WHEN old.status <> new.status OR old.origin <> new.origin OR old.severity <> new.severity BEGIN
  UPDATE desk_counts SET entries = entries - 1
  WHERE status = old.status AND origin = old.origin AND severity = old.severity;
  INSERT INTO desk_counts VALUES (new.status, new.origin, new.severity, 1)
  ON CONFLICT DO UPDATE SET entries = entries + 1;
END;

-- The history with old and new values, by step.
ALTER TABLE steps ADD COLUMN step_id TEXT;
ALTER TABLE steps ADD COLUMN changes TEXT;
ALTER TABLE steps ADD COLUMN other TEXT;
CREATE INDEX steps_time ON steps (at, id);
CREATE INDEX steps_account ON steps (account_id, at, id);

-- What people did beside the steps of incidents.
CREATE TABLE audit (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  account_id TEXT,
  key_id TEXT,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  note TEXT,
  old TEXT NOT NULL,
  new TEXT NOT NULL
) STRICT;
CREATE INDEX audit_time ON audit (at, id);
CREATE INDEX audit_account ON audit (account_id, at, id);

-- The name of the editor who set a confidence was published with it.
UPDATE incidents SET document = json_set(document,
  '$.confidence_reasons[' || (
    SELECT key FROM json_each(document, '$.confidence_reasons')
    WHERE json_extract(value, '$.reason') = 'operator_override'
  ) || '].value', 'the desk')
WHERE document LIKE '%{"reason":"operator_override","value":"%';
UPDATE events SET document = json_set(document,
  '$.confidence_reasons[' || (
    SELECT key FROM json_each(document, '$.confidence_reasons')
    WHERE json_extract(value, '$.reason') = 'operator_override'
  ) || '].value', 'the desk')
WHERE document LIKE '%{"reason":"operator_override","value":"%';
