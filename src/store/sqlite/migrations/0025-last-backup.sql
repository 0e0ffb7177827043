-- When the last backup was taken, as `incident-feed backup` notes it: for the metric of its age.
CREATE TABLE last_backup (
  single INTEGER PRIMARY KEY CHECK (single = 1),
  taken_at INTEGER NOT NULL
) STRICT;
