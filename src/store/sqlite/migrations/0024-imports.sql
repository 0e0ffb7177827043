-- The runs of the import command. `report`: JSON, who, which file, settings and counts.
CREATE TABLE import_runs (
  id TEXT PRIMARY KEY NOT NULL,
  started_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  state TEXT NOT NULL,
  report TEXT NOT NULL
) STRICT;
CREATE INDEX import_runs_time ON import_runs (started_at, id);

-- What each run made of each incident, with the text that was stored before, so that it can be undone.
CREATE TABLE import_changes (
  import_id TEXT NOT NULL,
  incident_id TEXT NOT NULL,
  outcome TEXT NOT NULL,
  version INTEGER NOT NULL,
  poorer_fields TEXT NOT NULL,
  before_document TEXT,
  before_dossier TEXT,
  undone_at INTEGER,
  PRIMARY KEY (import_id, incident_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX import_changes_incident ON import_changes (incident_id, version);

-- Incidents of different data sets that seem to be one event, as offered to the desk: each pair once.
CREATE TABLE duplicate_pairs (
  incident_id TEXT NOT NULL,
  other_id TEXT NOT NULL,
  import_id TEXT NOT NULL,
  score REAL NOT NULL,
  proposed_at INTEGER NOT NULL,
  PRIMARY KEY (incident_id, other_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX duplicate_pairs_import ON duplicate_pairs (import_id);
