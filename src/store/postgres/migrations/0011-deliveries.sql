-- Failed attempts of the last five days that count (JSON list of times), and the warnings sent since the first.
ALTER TABLE watch_progress ADD COLUMN failures text;
ALTER TABLE watch_progress ADD COLUMN warnings integer NOT NULL DEFAULT 0;

-- Set when a paused or disabled watch is resumed, until all of its parked deliveries are due.
ALTER TABLE watch_progress ADD COLUMN resumed_at bigint;
CREATE INDEX watch_progress_resumed ON watch_progress (resumed_at) WHERE resumed_at IS NOT NULL;

-- A test message belongs to no event: it names the log's last one, as other deliveries may.
ALTER TABLE deliveries ADD COLUMN test boolean NOT NULL DEFAULT false;
DROP INDEX deliveries_event;
CREATE UNIQUE INDEX deliveries_event ON deliveries (event_seq, watch_id) WHERE NOT test;
