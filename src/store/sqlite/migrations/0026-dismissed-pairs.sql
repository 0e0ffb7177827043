-- Pairs of incidents that an editor has called different events. one_id < other_id. `evidence`: what
-- spoke for one event then, in powers of two.
CREATE TABLE dismissed_pairs (
  one_id TEXT NOT NULL,
  other_id TEXT NOT NULL,
  one_version INTEGER NOT NULL,
  other_version INTEGER NOT NULL,
  evidence REAL NOT NULL,
  dismissed_at INTEGER NOT NULL,
  PRIMARY KEY (one_id, other_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX dismissed_pairs_other ON dismissed_pairs (other_id);
CREATE INDEX dismissed_pairs_time ON dismissed_pairs (dismissed_at, one_id, other_id);

-- The desk lists pairs by import, the likeliest first.
DROP INDEX duplicate_pairs_import;
CREATE INDEX duplicate_pairs_import ON duplicate_pairs (import_id, score, incident_id, other_id);
