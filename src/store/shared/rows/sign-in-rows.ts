import type { Passkey, Session, SignInMethod } from '../../../domain/accounts.ts'
import type { LinkRefusal, StoredSession } from '../../store.ts'
import { type AccountColumns, keyOf, ownerOf } from './account-rows.ts'

// Both dialects have the same column names.

export interface SessionRow {
  id: string
  account_id: string
  method: string
  key_id: string | null
  passkey_id: string | null
  hash: string
  user_agent: string | null
  created_at: number
  seen_at: number
  expires_at: number
  ended_at: number | null
}

export function sessionOf(row: SessionRow): Session {
  return {
    id: row.id,
    accountId: row.account_id,
    method: row.method as SignInMethod,
    keyId: row.key_id,
    passkeyId: row.passkey_id,
    hash: row.hash,
    userAgent: row.user_agent,
    createdAt: row.created_at,
    seenAt: row.seen_at,
    expiresAt: row.expires_at,
    endedAt: row.ended_at,
  }
}

/** In the order of the table's columns. */
export function sessionValues(session: Session) {
  return [
    session.id,
    session.accountId,
    session.method,
    session.keyId,
    session.passkeyId,
    session.hash,
    session.userAgent,
    session.createdAt,
    session.seenAt,
    session.expiresAt,
    session.endedAt,
  ] as const
}

/** A session with its account, and with its key if it has one. */
export type StoredSessionRow = SessionRow &
  AccountColumns & {
    found_key_id: string | null
    key_name: string | null
    key_scopes: string
    key_created_at: number
    key_expires_at: number | null
    key_revoked_at: number | null
  }

export function storedSessionOf(row: StoredSessionRow): StoredSession {
  return { session: sessionOf(row), account: ownerOf(row), key: row.found_key_id === null ? null : keyFrom(row) }
}

/** What a session needs of its key; the rest of a live key says nothing about it. */
function keyFrom(row: StoredSessionRow) {
  return keyOf({
    id: row.found_key_id!,
    account_id: row.account_id,
    kind: 'live',
    name: row.key_name,
    hash: '',
    hint: '',
    scopes: row.key_scopes,
    origins: '[]',
    rate_per_minute: null,
    created_at: row.key_created_at,
    expires_at: row.key_expires_at,
    revoked_at: row.key_revoked_at,
    from_environment: 0,
  })
}

export interface PasskeyRow {
  id: string
  account_id: string
  credential_id: string
  public_key: string
  counter: number
  transports: string
  name: string
  backed_up: number
  created_at: number
  last_used_at: number | null
}

export type PasskeyWithAccountRow = PasskeyRow & AccountColumns

export function passkeyOf(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    accountId: row.account_id,
    credentialId: row.credential_id,
    publicKey: row.public_key,
    counter: row.counter,
    transports: JSON.parse(row.transports) as string[],
    name: row.name,
    backedUp: row.backed_up === 1,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }
}

/** In the order of the table's columns. */
export function passkeyValues(passkey: Passkey) {
  return [
    passkey.id,
    passkey.accountId,
    passkey.credentialId,
    passkey.publicKey,
    passkey.counter,
    JSON.stringify(passkey.transports),
    passkey.name,
    passkey.backedUp ? 1 : 0,
    passkey.createdAt,
    passkey.lastUsedAt,
  ] as const
}

export interface LinkRow {
  account_id: string
  mailed: number
  expires_at: number
  used_at: number | null
  status: string
}

/** Why the link cannot be used; null if it can. */
export function linkRefusal(row: LinkRow | undefined, now: number): LinkRefusal | null {
  if (row === undefined) return 'unknown'
  if (row.used_at !== null) return 'used'
  if (row.expires_at <= now) return 'expired'
  return row.status === 'active' ? null : 'blocked'
}
