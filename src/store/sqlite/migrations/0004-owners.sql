-- The processes that hold leases. Whose beats stand still has died.
CREATE TABLE owners (
  owner TEXT PRIMARY KEY NOT NULL,
  beats INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
