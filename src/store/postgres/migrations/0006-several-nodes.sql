-- What nodes have drawn of limits that they share. Written with every few requests and worth nothing after a minute, so it is
-- kept out of the write-ahead log: nobody waits for a disk, and after a crash all windows begin anew.
CREATE UNLOGGED TABLE budgets (
  caller text COLLATE "C" PRIMARY KEY,
  ends_at bigint NOT NULL,
  most bigint NOT NULL,
  drawn bigint NOT NULL,
  -- Before the last draw, which is how that one learns what it got.
  drawn_before bigint NOT NULL
) WITH (fillfactor = 50);

-- Every node asks each second for keys that were revoked within the last minute.
CREATE INDEX keys_revoked ON keys (revoked_at) WHERE revoked_at IS NOT NULL;
