-- The events up to this one were told to caches in front of the service; null if none was ever.
ALTER TABLE fan_out ADD COLUMN purged_seq INTEGER;
