-- The account is the tenant: it has a role, can be blocked, and has its own limits.
ALTER TABLE accounts ADD COLUMN role text NOT NULL DEFAULT 'client';
ALTER TABLE accounts ADD COLUMN status text NOT NULL DEFAULT 'active';
ALTER TABLE accounts ADD COLUMN blocked_at bigint;
ALTER TABLE accounts ADD COLUMN email_verified_at bigint;
ALTER TABLE accounts ADD COLUMN limits text NOT NULL DEFAULT '{}';
-- The address in lower case. Written by the service: databases fold letters differently.
ALTER TABLE accounts ADD COLUMN email_key text COLLATE "C";
UPDATE accounts SET email_key = lower(email);
CREATE INDEX accounts_email ON accounts (email_key, id) WHERE email_key IS NOT NULL;
-- Every node asks each second for accounts that were blocked within the last minute.
CREATE INDEX accounts_blocked ON accounts (blocked_at) WHERE blocked_at IS NOT NULL;
CREATE INDEX accounts_role ON accounts (role, id) WHERE role <> 'client';

-- Keys with the scope "operate" keep working: their accounts become admins.
UPDATE accounts SET role = 'admin' WHERE id IN (SELECT account_id FROM keys WHERE scopes LIKE '%"operate"%');

-- A live key's limit becomes its account's: limits count over all keys of an account.
UPDATE accounts SET limits = json_build_object('requests_per_minute', rates.most)::text
FROM (SELECT account_id, max(rate_per_minute) AS most FROM keys
      WHERE kind = 'live' AND rate_per_minute IS NOT NULL GROUP BY account_id) AS rates
WHERE accounts.id = rates.account_id;
UPDATE keys SET rate_per_minute = NULL WHERE kind = 'live';

-- Keys that came from the setting OPERATOR_KEY: only the service makes accounts without an address.
ALTER TABLE keys ADD COLUMN from_environment boolean NOT NULL DEFAULT false;
UPDATE keys SET from_environment = true
WHERE name = 'OPERATOR_KEY' AND account_id IN (SELECT id FROM accounts WHERE name = 'Operator' AND email IS NULL);
CREATE INDEX keys_environment ON keys (created_at) WHERE from_environment;
DROP INDEX keys_account;
CREATE INDEX keys_account ON keys (account_id, id);

ALTER TABLE usage ADD COLUMN last_at bigint;
ALTER TABLE signups ADD COLUMN purpose text NOT NULL DEFAULT 'sign_up';

-- The day comes first: old days are deleted together.
CREATE TABLE mails (
  day text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  mails bigint NOT NULL,
  PRIMARY KEY (day, subject)
);

-- A reporter lists the reports made with any key of its account.
CREATE INDEX steps_reports ON steps (key_id, incident_id) WHERE step = 'report';
