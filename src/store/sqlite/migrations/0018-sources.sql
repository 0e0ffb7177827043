-- News sources that are polled. `polling`: JSON, the state of the last polls.
CREATE TABLE sources (
  id TEXT PRIMARY KEY NOT NULL,
  kind TEXT NOT NULL,
  url TEXT NOT NULL,
  -- A digest of the canonical address; so in source_items.
  url_key TEXT NOT NULL UNIQUE,
  publisher TEXT NOT NULL,
  every_minutes INTEGER NOT NULL,
  paused INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  polling TEXT NOT NULL,
  items INTEGER NOT NULL DEFAULT 0,
  queued INTEGER NOT NULL DEFAULT 0,
  proposed INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX sources_due ON sources (due_at) WHERE paused = 0;

-- The process that polls.
CREATE TABLE source_poller (
  single INTEGER PRIMARY KEY CHECK (single = 1),
  owner TEXT,
  lease_until INTEGER NOT NULL
) STRICT;
INSERT INTO source_poller VALUES (1, NULL, 0);

-- Items that were dealt with, so that none is dealt with twice.
CREATE TABLE source_items (
  id TEXT PRIMARY KEY NOT NULL,
  source_id TEXT NOT NULL,
  state TEXT NOT NULL,
  title TEXT NOT NULL,
  url TEXT,
  url_key TEXT,
  published_at INTEGER,
  first_seen_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  fingerprint TEXT,
  gist TEXT NOT NULL,
  duplicate_of TEXT
) STRICT;
CREATE INDEX source_items_url ON source_items (url_key) WHERE url_key IS NOT NULL;
CREATE INDEX source_items_source ON source_items (source_id, first_seen_at, id);
CREATE INDEX source_items_last_seen ON source_items (last_seen_at);

CREATE TABLE source_item_bands (
  band INTEGER NOT NULL,
  item_id TEXT NOT NULL REFERENCES source_items (id) ON DELETE CASCADE,
  PRIMARY KEY (band, item_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX source_item_bands_item ON source_item_bands (item_id);

-- `role`: report, or proposal.
CREATE TABLE source_item_incidents (
  incident_id TEXT NOT NULL,
  item_id TEXT NOT NULL REFERENCES source_items (id) ON DELETE CASCADE,
  role TEXT NOT NULL,
  PRIMARY KEY (item_id, incident_id, role)
) STRICT, WITHOUT ROWID;
CREATE INDEX source_item_incidents_incident ON source_item_incidents (incident_id);

-- Further sources of incidents that are known; an editor decides. `content`: JSON, the report that
-- the story would be by itself, and why it seems to be the same event.
CREATE TABLE proposed_sources (
  id TEXT PRIMARY KEY NOT NULL,
  incident_id TEXT NOT NULL,
  item_id TEXT NOT NULL,
  state TEXT NOT NULL,
  proposed_at INTEGER NOT NULL,
  decided_at INTEGER,
  score REAL NOT NULL,
  content TEXT NOT NULL
) STRICT;
CREATE INDEX proposed_sources_incident ON proposed_sources (incident_id, proposed_at);
CREATE INDEX proposed_sources_open ON proposed_sources (proposed_at, id) WHERE state = 'open';
CREATE INDEX proposed_sources_item ON proposed_sources (item_id);
