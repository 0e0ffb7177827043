-- When the last backup was taken, as `incident-feed backup` notes it: for the metric of its age.
CREATE TABLE last_backup (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  taken_at bigint NOT NULL
);
