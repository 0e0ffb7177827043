-- The processes that hold leases. Whose beats stand still has died.
CREATE TABLE owners (
  owner text PRIMARY KEY,
  beats bigint NOT NULL
);
