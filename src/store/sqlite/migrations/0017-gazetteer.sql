-- Places that the operator has imported or the desk has added. Removed ones stay, so that other nodes learn of it and the
-- next import does not bring them back.
CREATE TABLE gazetteer (
  id TEXT PRIMARY KEY NOT NULL,
  source TEXT NOT NULL,
  source_id TEXT,
  name TEXT NOT NULL,
  key TEXT NOT NULL,
  aliases TEXT NOT NULL,
  kind TEXT NOT NULL,
  lat REAL NOT NULL,
  lng REAL NOT NULL,
  population INTEGER NOT NULL,
  radius_km REAL,
  removed INTEGER NOT NULL DEFAULT 0,
  -- In commit order; shared by the places of one import.
  revision INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX gazetteer_revision ON gazetteer (revision, id);
CREATE INDEX gazetteer_name ON gazetteer (key, id) WHERE removed = 0;

CREATE TABLE gazetteer_head (
  single INTEGER PRIMARY KEY CHECK (single = 1),
  revision INTEGER NOT NULL
) STRICT;
INSERT INTO gazetteer_head VALUES (1, 0);

-- An import is written here first, in parts, and becomes visible in one transaction.
CREATE TABLE staged_places (
  import_id TEXT NOT NULL,
  id TEXT NOT NULL,
  source TEXT NOT NULL,
  source_id TEXT,
  name TEXT NOT NULL,
  key TEXT NOT NULL,
  aliases TEXT NOT NULL,
  kind TEXT NOT NULL,
  lat REAL NOT NULL,
  lng REAL NOT NULL,
  population INTEGER NOT NULL,
  radius_km REAL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (import_id, id)
) STRICT, WITHOUT ROWID;
