-- News sources that are polled. `polling`: JSON, the state of the last polls.
CREATE TABLE sources (
  id text COLLATE "C" PRIMARY KEY,
  kind text NOT NULL,
  url text NOT NULL,
  -- A digest of the canonical address; so in source_items.
  url_key text COLLATE "C" NOT NULL UNIQUE,
  publisher text COLLATE "C" NOT NULL,
  every_minutes integer NOT NULL,
  paused boolean NOT NULL,
  created_at bigint NOT NULL,
  due_at bigint NOT NULL,
  polling text NOT NULL,
  items bigint NOT NULL DEFAULT 0,
  queued bigint NOT NULL DEFAULT 0,
  proposed bigint NOT NULL DEFAULT 0
);
CREATE INDEX sources_due ON sources (due_at) WHERE NOT paused;

-- The process that polls.
CREATE TABLE source_poller (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  owner text COLLATE "C",
  lease_until bigint NOT NULL
);
INSERT INTO source_poller VALUES (true, NULL, 0);

-- Items that were dealt with, so that none is dealt with twice.
CREATE TABLE source_items (
  id text COLLATE "C" PRIMARY KEY,
  source_id text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  title text NOT NULL,
  url text,
  url_key text COLLATE "C",
  published_at bigint,
  first_seen_at bigint NOT NULL,
  last_seen_at bigint NOT NULL,
  fingerprint text,
  gist text NOT NULL,
  duplicate_of text
);
CREATE INDEX source_items_url ON source_items (url_key) WHERE url_key IS NOT NULL;
CREATE INDEX source_items_source ON source_items (source_id, first_seen_at, id);
CREATE INDEX source_items_last_seen ON source_items (last_seen_at);

CREATE TABLE source_item_bands (
  band bigint NOT NULL,
  item_id text COLLATE "C" NOT NULL REFERENCES source_items (id) ON DELETE CASCADE,
  PRIMARY KEY (band, item_id)
);
CREATE INDEX source_item_bands_item ON source_item_bands (item_id);

-- `role`: report, or proposal.
CREATE TABLE source_item_incidents (
  incident_id text COLLATE "C" NOT NULL,
  item_id text COLLATE "C" NOT NULL REFERENCES source_items (id) ON DELETE CASCADE,
  role text COLLATE "C" NOT NULL,
  PRIMARY KEY (item_id, incident_id, role)
);
CREATE INDEX source_item_incidents_incident ON source_item_incidents (incident_id);

-- Further sources of incidents that are known; an editor decides. `content`: JSON, the report that
-- the story would be by itself, and why it seems to be the same event.
CREATE TABLE proposed_sources (
  id text COLLATE "C" PRIMARY KEY,
  incident_id text COLLATE "C" NOT NULL,
  item_id text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  proposed_at bigint NOT NULL,
  decided_at bigint,
  score double precision NOT NULL,
  content text NOT NULL
);
CREATE INDEX proposed_sources_incident ON proposed_sources (incident_id, proposed_at);
CREATE INDEX proposed_sources_open ON proposed_sources (proposed_at, id) WHERE state = 'open';
CREATE INDEX proposed_sources_item ON proposed_sources (item_id);
