-- The runs of the import command. `report`: JSON, who, which file, settings and counts.
CREATE TABLE import_runs (
  id text COLLATE "C" PRIMARY KEY,
  started_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  state text COLLATE "C" NOT NULL,
  report text NOT NULL
);
CREATE INDEX import_runs_time ON import_runs (started_at, id);

-- What each run made of each incident, with the text that was stored before, so that it can be undone.
CREATE TABLE import_changes (
  import_id text COLLATE "C" NOT NULL,
  incident_id text COLLATE "C" NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  poorer_fields text NOT NULL,
  before_document text,
  before_dossier text,
  undone_at bigint,
  PRIMARY KEY (import_id, incident_id)
);
CREATE INDEX import_changes_incident ON import_changes (incident_id, version);

-- Incidents of different data sets that seem to be one event, as offered to the desk: each pair once.
CREATE TABLE duplicate_pairs (
  incident_id text COLLATE "C" NOT NULL,
  other_id text COLLATE "C" NOT NULL,
  import_id text COLLATE "C" NOT NULL,
  score double precision NOT NULL,
  proposed_at bigint NOT NULL,
  PRIMARY KEY (incident_id, other_id)
);
CREATE INDEX duplicate_pairs_import ON duplicate_pairs (import_id);
