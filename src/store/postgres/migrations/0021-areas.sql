-- Polygons, routes and circles that accounts have saved under names. `shape` has the members of a
-- canonical filter.
CREATE TABLE areas (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  name text COLLATE "C" NOT NULL,
  shape text NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL
);
CREATE UNIQUE INDEX areas_name ON areas (account_id, name);
CREATE INDEX areas_account ON areas (account_id, id);

-- The watches whose filters contain the shape of an area.
CREATE TABLE watch_areas (
  watch_id text COLLATE "C" PRIMARY KEY REFERENCES watches (id) ON DELETE CASCADE,
  area_id text COLLATE "C" NOT NULL REFERENCES areas (id)
);
CREATE INDEX watch_areas_area ON watch_areas (area_id, watch_id);
