-- The keys that sign notifications for browsers; all nodes share them. The private one is encrypted.
CREATE TABLE push_keys (
  single INTEGER PRIMARY KEY CHECK (single = 1),
  public_key TEXT NOT NULL,
  private_key TEXT NOT NULL
) STRICT;

-- When the browser of a watch was last seen; null until the first time.
ALTER TABLE watch_progress ADD COLUMN seen_at INTEGER;

-- Browsers are found by what is shown of their address.
CREATE INDEX watches_webpush ON watches (url) WHERE channel = 'webpush';
