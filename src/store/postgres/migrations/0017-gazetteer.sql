-- Places that the operator has imported or the desk has added. Removed ones stay, so that other nodes learn of it and the
-- next import does not bring them back.
CREATE TABLE gazetteer (
  id text COLLATE "C" PRIMARY KEY,
  source text COLLATE "C" NOT NULL,
  source_id text,
  name text NOT NULL,
  key text COLLATE "C" NOT NULL,
  aliases text NOT NULL,
  kind text COLLATE "C" NOT NULL,
  lat double precision NOT NULL,
  lng double precision NOT NULL,
  population bigint NOT NULL,
  radius_km double precision,
  removed boolean NOT NULL DEFAULT false,
  -- In commit order; shared by the places of one import.
  revision bigint NOT NULL,
  updated_at bigint NOT NULL
);
CREATE INDEX gazetteer_revision ON gazetteer (revision, id);
CREATE INDEX gazetteer_name ON gazetteer (key, id) WHERE NOT removed;

-- Locked by every writer until it has committed: revisions become visible in their order.
CREATE TABLE gazetteer_head (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  revision bigint NOT NULL
);
INSERT INTO gazetteer_head (revision) VALUES (0);

-- An import is written here first, in parts, and becomes visible in one transaction.
CREATE TABLE staged_places (
  import_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  source text NOT NULL,
  source_id text,
  name text NOT NULL,
  key text COLLATE "C" NOT NULL,
  aliases text NOT NULL,
  kind text NOT NULL,
  lat double precision NOT NULL,
  lng double precision NOT NULL,
  population bigint NOT NULL,
  radius_km double precision,
  updated_at bigint NOT NULL,
  PRIMARY KEY (import_id, id)
);
