import { type Account, type AccountLimits, type AccountStatus, emailKey, type Role } from '../../../domain/accounts.ts'
import { type Key, type KeyKind, normaliseOrigin, type Scope } from '../../../domain/keys.ts'
import type { Signup } from '../../store.ts'

// Both dialects have the same column names.

export interface AccountRow {
  id: string
  email: string | null
  email_verified_at: number | null
  name: string | null
  role: string
  status: string
  limits: string
  created_at: number
}

export function accountOf(row: AccountRow): Account {
  return {
    id: row.id,
    email: row.email,
    emailVerifiedAt: row.email_verified_at,
    name: row.name,
    role: row.role as Role,
    status: row.status as AccountStatus,
    limits: JSON.parse(row.limits) as AccountLimits,
    createdAt: row.created_at,
  }
}

/** In the order id, email, email_key, email_verified_at, name, role, status, limits, created_at. */
export function accountValues(account: Account) {
  return [
    account.id,
    account.email,
    account.email === null ? null : emailKey(account.email),
    account.emailVerifiedAt,
    account.name,
    account.role,
    account.status,
    JSON.stringify(account.limits),
    account.createdAt,
  ] as const
}

export interface KeyRow {
  id: string
  account_id: string
  kind: string
  name: string | null
  hash: string
  hint: string
  scopes: string
  origins: string
  rate_per_minute: number | null
  created_at: number
  expires_at: number | null
  revoked_at: number | null
  from_environment: number | boolean
}

export function keyOf(row: KeyRow): Key {
  return {
    id: row.id,
    accountId: row.account_id,
    kind: row.kind as KeyKind,
    name: row.name,
    hash: row.hash,
    hint: row.hint,
    scopes: JSON.parse(row.scopes) as Scope[],
    // Older rows hold origins as they were typed, which no browser sends.
    origins: (JSON.parse(row.origins) as string[]).map((origin) => normaliseOrigin(origin) ?? origin),
    ratePerMinute: row.rate_per_minute,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    fromEnvironment: Boolean(row.from_environment),
  }
}

/** In the order of the table's columns, but for `from_environment`. */
export function keyValues(key: Key) {
  return [
    key.id,
    key.accountId,
    key.kind,
    key.name,
    key.hash,
    key.hint,
    JSON.stringify(key.scopes),
    JSON.stringify(key.origins),
    key.ratePerMinute,
    key.createdAt,
    key.expiresAt,
    key.revokedAt,
  ] as const
}

/** The columns of an account beside those of a row that belongs to it. */
export interface AccountColumns {
  account_email: string | null
  account_email_verified_at: number | null
  account_name: string | null
  account_role: string
  account_status: string
  account_limits: string
  account_created_at: number
}

export function ownerOf(row: AccountColumns & { account_id: string }): Account {
  return accountOf({
    id: row.account_id,
    email: row.account_email,
    email_verified_at: row.account_email_verified_at,
    name: row.account_name,
    role: row.account_role,
    status: row.account_status,
    limits: row.account_limits,
    created_at: row.account_created_at,
  })
}

export type KeyWithAccountRow = KeyRow & AccountColumns

export function keyWithAccountOf(row: KeyWithAccountRow): { key: Key; account: Account } {
  return { key: keyOf(row), account: ownerOf(row) }
}

export interface SignupRow {
  token_hash: string
  purpose: string
  email: string
  name: string | null
  created_at: number
  expires_at: number
}

export function signupOf(row: SignupRow): Signup {
  return {
    tokenHash: row.token_hash,
    purpose: row.purpose as Signup['purpose'],
    email: row.email,
    name: row.name,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}
