-- An address belongs to one account at most: the first that proved it, or that an operator opened for it. In others it is
-- a claim, which proves nothing and gets nothing.
ALTER TABLE accounts ADD COLUMN email_owned INTEGER NOT NULL DEFAULT 0;
-- Addresses are stored as they are compared: in small letters.
UPDATE accounts SET email = email_key WHERE email <> email_key;
-- Of several accounts that had proved an address, the one with the highest role owns it, then the one that proved it first.
-- Forms that are no longer taken (in quotes, IP addresses) stay claims.
UPDATE accounts SET email_owned = 1 WHERE id IN (
  SELECT id FROM (
    SELECT id, row_number() OVER (
      PARTITION BY email_key
      ORDER BY CASE role WHEN 'admin' THEN 0 WHEN 'editor' THEN 1 WHEN 'reporter' THEN 2 ELSE 3 END,
        coalesce(email_verified_at, 9e15), id
    ) AS place
    FROM accounts
    WHERE email_key NOT LIKE '%"%' AND email_key NOT LIKE '%[%'
      AND (email_verified_at IS NOT NULL OR id IN (SELECT subject FROM audit WHERE action = 'account.create'))
  ) AS owners WHERE place = 1
);
UPDATE accounts SET email_verified_at = NULL WHERE email_owned = 0;
CREATE UNIQUE INDEX accounts_owners ON accounts (email_key) WHERE email_owned = 1;

-- A mailed link is for an address: it signs in to the account that owns the address when it is used.
CREATE TABLE new_sign_in_links (
  token_hash TEXT PRIMARY KEY NOT NULL,
  account_id TEXT REFERENCES accounts (id),
  email TEXT,
  mailed INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER,
  CHECK ((account_id IS NULL) <> (email IS NULL))
) STRICT;
INSERT INTO new_sign_in_links SELECT token_hash, account_id, NULL, mailed, created_at, expires_at, used_at FROM sign_in_links;
DROP TABLE sign_in_links;
ALTER TABLE new_sign_in_links RENAME TO sign_in_links;
CREATE INDEX sign_in_links_expiry ON sign_in_links (expires_at);
CREATE INDEX sign_in_links_account ON sign_in_links (account_id);
CREATE INDEX sign_in_links_email ON sign_in_links (email) WHERE email IS NOT NULL;
