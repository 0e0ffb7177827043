-- The first attempt, where it succeeded: most do, and a row of its own for each would be a third of the work of recording.
ALTER TABLE deliveries ADD COLUMN first_at INTEGER;
ALTER TABLE deliveries ADD COLUMN first_duration INTEGER;
ALTER TABLE deliveries ADD COLUMN first_status_code INTEGER;
ALTER TABLE deliveries ADD COLUMN first_answer TEXT;

-- Scattered over the watches, this index is the dearest to write. Without those that are leased, which are few and are found by
-- the other, a delivery that succeeds at once is written into it once.
DROP INDEX deliveries_watch;
CREATE INDEX deliveries_watch ON deliveries (watch_id, status, event_seq) WHERE lease_owner IS NULL;
DROP INDEX deliveries_leased;
CREATE INDEX deliveries_leased ON deliveries (due_at, watch_id) WHERE lease_owner IS NOT NULL;
