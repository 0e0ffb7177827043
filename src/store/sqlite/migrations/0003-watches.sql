-- The last change to any watch. One row, written with every change: what gives revisions their order and keeps them free of
-- gaps.
CREATE TABLE watch_head (
  single INTEGER PRIMARY KEY CHECK (single = 1),
  revision INTEGER NOT NULL
) STRICT;
INSERT INTO watch_head VALUES (1, 0);

-- The filters come last: they may be long, and what stands before them is read without them.
CREATE TABLE watches (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  host TEXT NOT NULL,
  description TEXT,
  events TEXT NOT NULL,
  status TEXT NOT NULL,
  disabled_reason TEXT,
  secret TEXT NOT NULL,
  previous_secret TEXT,
  previous_secret_expires_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  created_seq INTEGER NOT NULL,
  revision INTEGER NOT NULL UNIQUE,
  canonical_filter TEXT NOT NULL,
  filter TEXT NOT NULL,
  UNIQUE (account_id, name)
) STRICT;
CREATE INDEX watches_account ON watches (account_id, id);

-- What changes with deliveries, apart from what its owner wrote: a row of a few bytes is quickly written again.
CREATE TABLE watch_progress (
  watch_id TEXT PRIMARY KEY NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
  sequence INTEGER NOT NULL,
  failing_since INTEGER
) STRICT, WITHOUT ROWID;

-- Tells those who follow the revisions. `emptied` once its deliveries are gone as well.
CREATE TABLE removed_watches (
  id TEXT PRIMARY KEY NOT NULL,
  revision INTEGER NOT NULL UNIQUE,
  emptied INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX removed_watches_full ON removed_watches (id) WHERE emptied = 0;

-- Begins at the log's end: before there were watches, none was owed anything. `made_due` counts how often deliveries were
-- made due at once, for other processes to look at.
CREATE TABLE fan_out (
  single INTEGER PRIMARY KEY CHECK (single = 1),
  seq INTEGER NOT NULL,
  after_watch_id TEXT,
  owner TEXT,
  lease_until INTEGER NOT NULL,
  made_due INTEGER NOT NULL
) STRICT;
INSERT INTO fan_out SELECT 1, seq, NULL, NULL, 0, 0 FROM log_head;

-- While one is leased, due_at is the end of its lease.
CREATE TABLE deliveries (
  id TEXT PRIMARY KEY NOT NULL,
  watch_id TEXT NOT NULL,
  event_seq INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  kind TEXT NOT NULL,
  watch_name TEXT NOT NULL,
  host TEXT NOT NULL,
  critical INTEGER NOT NULL,
  status TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  due_at INTEGER,
  lease_owner TEXT,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  CHECK ((status = 'pending') = (due_at IS NOT NULL) AND (status = 'pending') = (finished_at IS NULL)),
  CHECK (status = 'pending' OR lease_owner IS NULL)
) STRICT, WITHOUT ROWID;
-- In this order, because events come one after the other: new entries go to the index's end.
CREATE UNIQUE INDEX deliveries_event ON deliveries (event_seq, watch_id);
CREATE INDEX deliveries_watch ON deliveries (watch_id, status, event_seq);
-- Most deliveries are leased to the fan-out's own process as soon as they are made, and delivered: of these three they are
-- in the cheapest only.
CREATE INDEX deliveries_leased ON deliveries (due_at) WHERE lease_owner IS NOT NULL;
CREATE INDEX deliveries_due ON deliveries (critical, due_at, host) WHERE status = 'pending' AND lease_owner IS NULL;
CREATE INDEX deliveries_host ON deliveries (critical, host, due_at) WHERE status = 'pending' AND lease_owner IS NULL;
CREATE INDEX deliveries_finished ON deliveries (finished_at) WHERE finished_at IS NOT NULL;

CREATE TABLE attempts (
  delivery_id TEXT NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  duration INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  status_code INTEGER,
  answer TEXT,
  error TEXT,
  PRIMARY KEY (delivery_id, number)
) STRICT, WITHOUT ROWID;

-- Who was told of an incident's last version must hear of the next, though it no longer matches. Imports are told to nobody.
CREATE INDEX events_incident ON events (incident_id, seq) WHERE document IS NOT NULL;
