-- The last change to any watch. One row, locked by every change until it has committed: what gives revisions the order of
-- commits and keeps them free of gaps.
CREATE TABLE watch_head (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  revision bigint NOT NULL
);
INSERT INTO watch_head (revision) VALUES (0);

CREATE TABLE watches (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  name text COLLATE "C" NOT NULL,
  url text NOT NULL,
  host text COLLATE "C" NOT NULL,
  description text,
  events text NOT NULL,
  status text NOT NULL,
  disabled_reason text,
  secret text NOT NULL,
  previous_secret text,
  previous_secret_expires_at bigint,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  created_seq bigint NOT NULL,
  revision bigint NOT NULL UNIQUE,
  canonical_filter text NOT NULL,
  filter text NOT NULL,
  UNIQUE (account_id, name)
);
CREATE INDEX watches_account ON watches (account_id, id);

-- What changes with deliveries, apart from what its owner wrote: a row of a few bytes is quickly written again, and with
-- room on its page no index is touched.
CREATE TABLE watch_progress (
  watch_id text COLLATE "C" PRIMARY KEY REFERENCES watches (id) ON DELETE CASCADE,
  sequence bigint NOT NULL,
  failing_since bigint
) WITH (fillfactor = 50);

-- Tells those who follow the revisions. `emptied` once its deliveries are gone as well.
CREATE TABLE removed_watches (
  id text COLLATE "C" PRIMARY KEY,
  revision bigint NOT NULL UNIQUE,
  emptied boolean NOT NULL
);
CREATE INDEX removed_watches_full ON removed_watches (id) WHERE NOT emptied;

-- Begins at the log's end: before there were watches, none was owed anything.
CREATE TABLE fan_out (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  seq bigint NOT NULL,
  after_watch_id text COLLATE "C",
  owner text COLLATE "C",
  lease_until bigint NOT NULL
);
INSERT INTO fan_out (seq, lease_until) SELECT seq, 0 FROM log_head;

-- While one is leased, due_at is the end of its lease. The table is vacuumed early: a queue's dead rows are what makes it slow.
CREATE TABLE deliveries (
  id text COLLATE "C" PRIMARY KEY,
  watch_id text COLLATE "C" NOT NULL,
  event_seq bigint NOT NULL,
  sequence bigint NOT NULL,
  kind text NOT NULL,
  watch_name text NOT NULL,
  host text COLLATE "C" NOT NULL,
  critical boolean NOT NULL,
  status text COLLATE "C" NOT NULL,
  attempts integer NOT NULL,
  tries integer NOT NULL,
  due_at bigint,
  lease_owner text COLLATE "C",
  created_at bigint NOT NULL,
  finished_at bigint,
  CHECK ((status = 'pending') = (due_at IS NOT NULL) AND (status = 'pending') = (finished_at IS NULL)),
  CHECK (status = 'pending' OR lease_owner IS NULL)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
-- In this order, because events come one after the other: new entries go to the index's end.
CREATE UNIQUE INDEX deliveries_event ON deliveries (event_seq, watch_id);
CREATE INDEX deliveries_watch ON deliveries (watch_id, status, event_seq);
-- Most deliveries are leased to the fan-out's own process as soon as they are made, and delivered: of these three they are
-- in the cheapest only.
CREATE INDEX deliveries_leased ON deliveries (due_at) WHERE lease_owner IS NOT NULL;
CREATE INDEX deliveries_due ON deliveries (critical, due_at, host, id) WHERE status = 'pending' AND lease_owner IS NULL;
CREATE INDEX deliveries_host ON deliveries (critical, host, due_at, id) WHERE status = 'pending' AND lease_owner IS NULL;
CREATE INDEX deliveries_finished ON deliveries (finished_at) WHERE finished_at IS NOT NULL;

-- Whoever records attempts holds the delivery, and whoever deletes it deletes them: a reference, checked row by row, would
-- take as long as all the rest of recording.
CREATE TABLE attempts (
  delivery_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  at bigint NOT NULL,
  duration integer NOT NULL,
  outcome text NOT NULL,
  status_code integer,
  answer text,
  error text,
  PRIMARY KEY (delivery_id, number)
);

-- Who was told of an incident's last version must hear of the next, though it no longer matches. Imports are told to nobody.
CREATE INDEX events_incident ON events (incident_id, seq) WHERE document IS NOT NULL;
