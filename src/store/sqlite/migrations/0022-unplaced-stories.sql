-- Stories that report an incident without a certain place, until an editor has closed them.
CREATE TABLE unplaced_stories (
  item_id TEXT PRIMARY KEY NOT NULL REFERENCES source_items (id) ON DELETE CASCADE,
  publisher TEXT NOT NULL,
  text TEXT NOT NULL,
  found_at INTEGER NOT NULL
) STRICT;
CREATE INDEX unplaced_stories_found ON unplaced_stories (found_at, item_id);
