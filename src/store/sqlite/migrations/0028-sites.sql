-- Lists of sites that accounts have saved under names. `positions` has latitude, longitude and radius
-- of each site in 12 bytes, so that matching reads a list as one value.
CREATE TABLE site_lists (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  size INTEGER NOT NULL,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  positions BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX site_lists_name ON site_lists (account_id, name);
CREATE INDEX site_lists_account ON site_lists (account_id, id);

-- What the sites are called, in the order of the positions.
CREATE TABLE sites (
  list_id TEXT NOT NULL REFERENCES site_lists (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  name TEXT NOT NULL,
  reference TEXT,
  PRIMARY KEY (list_id, number)
) STRICT, WITHOUT ROWID;

-- The watches whose filters name a list.
CREATE TABLE watch_site_lists (
  watch_id TEXT PRIMARY KEY NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
  list_id TEXT NOT NULL REFERENCES site_lists (id)
) STRICT, WITHOUT ROWID;
CREATE INDEX watch_site_lists_list ON watch_site_lists (list_id, watch_id);
