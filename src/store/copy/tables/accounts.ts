import { type CopiedTable, table } from './table.ts'

/** Accounts, and what belongs to one. */
export const ACCOUNTS_TABLES: readonly CopiedTable[] = [
  table(
    'accounts',
    'id',
    `id text, email text, name text, created_at integer, role text, status text, blocked_at integer,
     email_verified_at integer, limits text, email_key text`,
  ),
  table(
    'keys',
    'id',
    `id text, account_id text, kind text, name text, hash text, hint text, scopes text, origins text,
     rate_per_minute integer, created_at integer, expires_at integer, revoked_at integer,
     from_environment boolean`,
  ),
  table(
    'sessions',
    'id',
    `id text, account_id text, method text, key_id text, passkey_id text, hash text, user_agent text,
     created_at integer, seen_at integer, expires_at integer, ended_at integer`,
  ),
  table(
    'sign_in_links',
    'token_hash',
    `token_hash text, account_id text, mailed integer, created_at integer, expires_at integer,
     used_at integer`,
  ),
  table(
    'passkeys',
    'id',
    `id text, account_id text, credential_id text, public_key text, counter integer, transports text,
     name text, backed_up integer, created_at integer, last_used_at integer`,
  ),
  table('challenges', 'hash', `hash text, account_id text, expires_at integer`),
  table(
    'signups',
    'token_hash',
    `token_hash text, email text, name text, created_at integer, expires_at integer, purpose text`,
  ),
  table('mails', 'day, subject', `day text, subject text, mails integer`),
  table('usage', 'key_id, day', `key_id text, day text, requests integer, last_at integer`),
  table(
    'idempotency',
    'id',
    `id text, fingerprint text, claimed_at integer, answer bytes, subject text, rights text,
     token text, counts text, bytes integer, mentions text, redacted boolean`,
  ),
  table(
    'site_lists',
    'id',
    `id text, account_id text, name text, size integer, version integer, created_at integer,
     updated_at integer, positions bytes`,
  ),
  table('sites', 'list_id, number', `list_id text, number integer, name text, reference text`),
  table('areas', 'id', `id text, account_id text, name text, shape text, created_at integer, updated_at integer`),
]
