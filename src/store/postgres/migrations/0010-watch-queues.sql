-- Due deliveries are read in the order of their time, and watch by watch: a watch, not a host, has a queue of its own.
DROP INDEX deliveries_host;
DROP INDEX deliveries_due;
CREATE INDEX deliveries_due ON deliveries (critical, due_at, watch_id, id) WHERE status = 'pending' AND lease_owner IS NULL;
CREATE INDEX deliveries_queue ON deliveries (critical, watch_id, due_at, id) WHERE status = 'pending' AND lease_owner IS NULL;
