-- How messages of a watch reach their receiver; null for webhooks. The address of another channel is the watch's secret.
ALTER TABLE watches ADD COLUMN channel text;
