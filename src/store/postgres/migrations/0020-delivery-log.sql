-- The event whose version of the incident an attempt carried: its body can be rebuilt from the log. Null if it is not known.
-- In SQLite the only attempt of most deliveries is in their own row; here none is (0005).
ALTER TABLE attempts ADD COLUMN content_seq bigint;

-- A test message belongs to no event: this is the incident that it shows.
ALTER TABLE deliveries ADD COLUMN test_incident_id text COLLATE "C";

-- Most deliveries are of new incidents, so the others are found without reading those, and those cost nothing here.
CREATE INDEX deliveries_kind ON deliveries (watch_id, kind, status, event_seq) WHERE kind <> 'incident.created';

-- Numbers what was sent at the owner's request (tests, redeliveries), in commit order, for those who listen to a watch.
ALTER TABLE watch_head ADD COLUMN resent bigint NOT NULL DEFAULT 0;
ALTER TABLE deliveries ADD COLUMN resent bigint;
CREATE INDEX deliveries_resent ON deliveries (watch_id, resent) WHERE resent IS NOT NULL;

-- The owner's own headers, as JSON, encrypted like the secrets.
ALTER TABLE watches ADD COLUMN headers text;
