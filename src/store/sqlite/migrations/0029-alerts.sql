-- An alert is a watch without an account of its own. `recipient_hash` counts those of one receiver; the address
-- itself is the watch's secret. Both go with the watch.
CREATE TABLE alerts (
  watch_id TEXT PRIMARY KEY NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
  recipient_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  confirmed_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX alerts_recipient ON alerts (recipient_hash, watch_id);
CREATE INDEX alerts_unconfirmed ON alerts (created_at) WHERE confirmed_at IS NULL;

-- Receivers that were asked to confirm an alert and have not answered: they are not asked again for a while.
CREATE TABLE alert_requests (
  recipient_hash TEXT PRIMARY KEY NOT NULL,
  asked_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX alert_requests_asked ON alert_requests (asked_at);
