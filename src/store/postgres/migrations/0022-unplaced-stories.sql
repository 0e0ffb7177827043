-- Stories that report an incident without a certain place, until an editor has closed them.
CREATE TABLE unplaced_stories (
  item_id text COLLATE "C" PRIMARY KEY REFERENCES source_items (id) ON DELETE CASCADE,
  publisher text NOT NULL,
  text text NOT NULL,
  found_at bigint NOT NULL
);
CREATE INDEX unplaced_stories_found ON unplaced_stories (found_at, item_id);
