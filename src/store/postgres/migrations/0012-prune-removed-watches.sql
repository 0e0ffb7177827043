-- Removed watches are forgotten a while after their last delivery is gone. `pruned_revision` is the last one forgotten: who
-- follows the revisions and has read less than that must read all watches again.
ALTER TABLE removed_watches ADD COLUMN emptied_at bigint;
ALTER TABLE watch_head ADD COLUMN pruned_revision bigint NOT NULL DEFAULT 0;
