-- Overwrites the secrets where they were.
PRAGMA secure_delete = ON;
-- Every secret that still signs messages, as a JSON list, the current one first. The service encrypts each when it starts.
ALTER TABLE watches RENAME COLUMN secret TO secrets;
UPDATE watches SET secrets = CASE
  WHEN previous_secret IS NULL THEN json_array(json_object('secret', secrets, 'expiresAt', NULL))
  ELSE json_array(
    json_object('secret', secrets, 'expiresAt', NULL),
    json_object('secret', previous_secret, 'expiresAt', previous_secret_expires_at))
END;
ALTER TABLE watches DROP COLUMN previous_secret;
ALTER TABLE watches DROP COLUMN previous_secret_expires_at;
PRAGMA secure_delete = OFF;
