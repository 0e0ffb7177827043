-- The end of the log when the filter was last changed, or the area or sites that it names; 0 if never. Who was told
-- by the filter before is told of corrections all the same.
ALTER TABLE watches ADD COLUMN filter_seq INTEGER NOT NULL DEFAULT 0;
