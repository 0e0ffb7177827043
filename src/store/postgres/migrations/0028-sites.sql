-- Lists of sites that accounts have saved under names. `positions` has latitude, longitude and radius
-- of each site in 12 bytes, so that matching reads a list as one value.
CREATE TABLE site_lists (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  name text COLLATE "C" NOT NULL,
  size bigint NOT NULL,
  version bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  positions bytea NOT NULL
);
CREATE UNIQUE INDEX site_lists_name ON site_lists (account_id, name);
CREATE INDEX site_lists_account ON site_lists (account_id, id);

-- What the sites are called, in the order of the positions.
CREATE TABLE sites (
  list_id text COLLATE "C" NOT NULL REFERENCES site_lists (id) ON DELETE CASCADE,
  number bigint NOT NULL,
  name text NOT NULL,
  reference text,
  PRIMARY KEY (list_id, number)
);

-- The watches whose filters name a list.
CREATE TABLE watch_site_lists (
  watch_id text COLLATE "C" PRIMARY KEY REFERENCES watches (id) ON DELETE CASCADE,
  list_id text COLLATE "C" NOT NULL REFERENCES site_lists (id)
);
CREATE INDEX watch_site_lists_list ON watch_site_lists (list_id, watch_id);
