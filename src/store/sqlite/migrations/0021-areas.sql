-- Polygons, routes and circles that accounts have saved under names. `shape` has the members of a
-- canonical filter.
CREATE TABLE areas (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  shape TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX areas_name ON areas (account_id, name);
CREATE INDEX areas_account ON areas (account_id, id);

-- The watches whose filters contain the shape of an area.
CREATE TABLE watch_areas (
  watch_id TEXT PRIMARY KEY NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
  area_id TEXT NOT NULL REFERENCES areas (id)
) STRICT, WITHOUT ROWID;
CREATE INDEX watch_areas_area ON watch_areas (area_id, watch_id);
