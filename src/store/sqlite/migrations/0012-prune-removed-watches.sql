-- Removed watches are forgotten a while after their last delivery is gone. `pruned_revision` is the last one forgotten: who
-- follows the revisions and has read less than that must read all watches again.
ALTER TABLE removed_watches ADD COLUMN emptied_at INTEGER;
ALTER TABLE watch_head ADD COLUMN pruned_revision INTEGER NOT NULL DEFAULT 0;
