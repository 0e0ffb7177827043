-- When the messages of a watch go out, as JSON; null if at once.
ALTER TABLE watches ADD COLUMN schedule TEXT;
-- The severity that decides what its watch's schedule does with a delivery; null if the watch had none.
ALTER TABLE deliveries ADD COLUMN severity TEXT;
