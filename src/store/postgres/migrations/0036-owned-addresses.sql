-- An address belongs to one account at most: the first that proved it, or that an operator opened for it. In others it is
-- a claim, which proves nothing and gets nothing.
ALTER TABLE accounts ADD COLUMN email_owned integer NOT NULL DEFAULT 0;
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
-- Nodes of an earlier build that run for a while beside newer ones must not prove a claim.
ALTER TABLE accounts ADD CONSTRAINT accounts_proved CHECK (email_verified_at IS NULL OR email_owned = 1);

-- A mailed link is for an address: it signs in to the account that owns the address when it is used.
ALTER TABLE sign_in_links ALTER COLUMN account_id DROP NOT NULL;
ALTER TABLE sign_in_links ADD COLUMN email text COLLATE "C";
ALTER TABLE sign_in_links ADD CHECK ((account_id IS NULL) <> (email IS NULL));
CREATE INDEX sign_in_links_email ON sign_in_links (email) WHERE email IS NOT NULL;
