import { randomBytes } from 'node:crypto'
import { type Account, roleFor } from '../../domain/accounts.ts'
import { newIdentifier } from '../../domain/identifier.ts'
import { generateKey, type Key, type KeyKind, type Scope } from '../../domain/keys.ts'
import type { KeyCap, KeyRefusal, Store } from '../../store/store.ts'
import { hashSecret } from './hash-secret.ts'

/** A new key with its text, which is shown only once. */
export interface IssuedKey {
  readonly key: Key
  readonly text: string
}

export interface KeyRequest {
  readonly kind?: KeyKind
  readonly name?: string | null
  readonly scopes?: readonly Scope[]
  readonly origins?: readonly string[]
  readonly ratePerMinute?: number | null
  readonly expiresAt?: number | null
}

/** Scopes that anyone gets without approval. */
export const SELF_SERVICE_SCOPES: Readonly<Record<KeyKind, readonly Scope[]>> = {
  live: ['read', 'watch'],
  publishable: ['read'],
}

/** Keys an account may create within 24 hours, with those it revoked. */
const KEYS_PER_DAY = 100

/** The cap on the valid keys of an account. */
export function keyCap(max: number): KeyCap {
  return { valid: max, perDay: KEYS_PER_DAY }
}

/** Both keys of a rotation are valid for a day, and a lost key still counts: room for these. */
export function replacementCap(max: number): KeyCap {
  return { valid: 2 * max, perDay: KEYS_PER_DAY }
}

export function makeKey(
  accountId: string,
  request: KeyRequest,
  now: number,
  text = generateKey(request.kind ?? 'live', randomBytes),
): IssuedKey {
  const kind = request.kind ?? 'live'
  const key: Key = {
    id: newIdentifier('key', now, randomBytes),
    accountId,
    kind,
    name: request.name ?? null,
    hash: hashSecret(text),
    hint: text.slice(-4),
    scopes: request.scopes ?? SELF_SERVICE_SCOPES[kind],
    origins: request.origins ?? [],
    // The limit of a live key is its account's.
    ratePerMinute: kind === 'publishable' ? (request.ratePerMinute ?? null) : null,
    createdAt: now,
    expiresAt: request.expiresAt ?? null,
    revokedAt: null,
    fromEnvironment: false,
  }
  return { key, text }
}

export interface Owner {
  readonly email: string | null
  readonly name: string | null
  /** Null or absent if nobody has proved the address. */
  readonly emailVerifiedAt?: number | null
}

/** An account with the lowest role that its first key needs. */
export function makeAccount(owner: Owner, { kind, scopes = [], ratePerMinute }: KeyRequest, now: number): Account {
  return {
    id: newIdentifier('account', now, randomBytes),
    email: owner.email,
    emailVerifiedAt: owner.emailVerifiedAt ?? null,
    name: owner.name,
    role: roleFor(scopes),
    status: 'active',
    limits: ratePerMinute && kind !== 'publishable' ? { requests_per_minute: ratePerMinute } : {},
    createdAt: now,
  }
}

/**
 * Opens an account with its first key. An address may have several accounts: knowing an address
 * grants no access to its existing accounts.
 */
export function openAccount(
  store: Store,
  owner: Owner,
  request: KeyRequest,
  now: number,
  text?: string,
): Promise<IssuedKey> {
  return openAccountIn(() => store, owner, request, now, text)
}

/** `storeFor` may store an answer with the new key. */
export async function openAccountIn(
  storeFor: (issued: IssuedKey) => Pick<Store, 'accounts'>,
  owner: Owner,
  request: KeyRequest,
  now: number,
  text?: string,
): Promise<IssuedKey> {
  const account = makeAccount(owner, request, now)
  const issued = makeKey(account.id, request, now, text)
  await storeFor(issued).accounts.open(account, issued.key)
  return issued
}

/** `storeFor` may store an answer with the new key. */
export async function addKey(
  storeFor: (issued: IssuedKey) => Pick<Store, 'keys'>,
  accountId: string,
  request: KeyRequest,
  cap: KeyCap,
  now: number,
): Promise<IssuedKey | KeyRefusal> {
  const issued = makeKey(accountId, request, now)
  const outcome = await storeFor(issued).keys.add(issued.key, cap)
  return outcome === true ? issued : outcome
}

const ROTATION_OVERLAP_MS = 24 * 3_600_000

/** Issues a key with the same rights and expiry; the old one stays valid for a day at most. */
export async function rotateKey(
  storeFor: (issued: IssuedKey) => Pick<Store, 'keys'>,
  old: Key,
  expiresAt: number | null,
  cap: KeyCap,
  now: number,
): Promise<IssuedKey | KeyRefusal | 'not_valid'> {
  const issued = makeKey(
    old.accountId,
    { ...old, kind: old.kind === 'publishable' ? 'publishable' : 'live', expiresAt },
    now,
  )
  const outcome = await storeFor(issued).keys.rotate(old.accountId, old.id, issued.key, now + ROTATION_OVERLAP_MS, cap)
  return outcome === true ? issued : outcome
}

/** The earlier of two expiries, where null means never. */
export function earlierExpiry(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other
  return Math.min(one, other)
}
