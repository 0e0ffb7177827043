-- Limits that nodes share have no table here: SQLite has one node, which counts them in memory.

-- The node asks each second for keys that were revoked within the last minute.
CREATE INDEX keys_revoked ON keys (revoked_at) WHERE revoked_at IS NOT NULL;
