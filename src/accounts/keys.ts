import { hash } from 'node:crypto'
import { type Account, hasScope, roleFor } from '../domain/accounts.ts'
import { canonicalAddress } from '../domain/email-address.ts'
import { derivedIdentifier, newIdentifier } from '../domain/identifier.ts'
import { generateKey, type Key, type KeyKind, keyState, type Scope } from '../domain/keys.ts'
import { randomBytes } from '../lib/runtime.ts'
import type { KeyCap, KeyRefusal, Store } from '../store/store.ts'

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

interface Owner {
  readonly email: string | null
  readonly name: string | null
  /** Null or absent if nobody has proved the address. */
  readonly emailVerifiedAt?: number | null
  /** True for an address that an operator gives. Absent: true if the address is proved. */
  readonly ownsEmail?: boolean
}

/** An account with the lowest role that its first key needs. */
export function makeAccount(owner: Owner, { kind, scopes = [], ratePerMinute }: KeyRequest, now: number): Account {
  return {
    id: newIdentifier('account', now, randomBytes),
    email: owner.email === null ? null : canonicalAddress(owner.email),
    ownsEmail: owner.email !== null && (owner.ownsEmail ?? (owner.emailVerifiedAt ?? null) !== null),
    emailVerifiedAt: owner.emailVerifiedAt ?? null,
    name: owner.name,
    role: roleFor(scopes),
    status: 'active',
    limits: ratePerMinute && kind !== 'publishable' ? { requests_per_minute: ratePerMinute } : {},
    createdAt: now,
  }
}

/**
 * Opens an account with its first key. Many accounts may claim an address: knowing one grants
 * nothing. Throws if the account is to own an address that another owns.
 */
export async function openAccount(
  store: Store,
  owner: Owner,
  request: KeyRequest,
  now: number,
  text?: string,
): Promise<IssuedKey> {
  const issued = await openAccountIn(() => store, owner, request, now, text)
  if (issued === 'address_taken') throw new Error(`Another account has the address ${owner.email}`)
  return issued
}

/** `storeFor` may store an answer with the new key. */
export async function openAccountIn(
  storeFor: (issued: IssuedKey) => Pick<Store, 'accounts'>,
  owner: Owner,
  request: KeyRequest,
  now: number,
  text?: string,
): Promise<IssuedKey | 'address_taken'> {
  const account = makeAccount(owner, request, now)
  const issued = makeKey(account.id, request, now, text)
  const outcome = await storeFor(issued).accounts.open(account, issued.key)
  return outcome === true ? issued : outcome
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

const DAY_MS = 86_400_000
const VALID_MS = 7 * DAY_MS
/** An open page keeps the key it was loaded with, so the key must stay valid for days. */
const RENEW_BELOW_MS = 4 * DAY_MS
/** One account for the map of all nodes. */
export const MAP_ACCOUNT_ID = derivedIdentifier('account', hash('sha256', 'the public map', 'buffer'))
/** Only the service itself adds keys here: one for each start of a node. */
const NO_CAP = { valid: Number.MAX_SAFE_INTEGER, perDay: Number.MAX_SAFE_INTEGER }
/** The service's own page: each visitor is limited by address, all of them together are not. */
const LIMITS = { publishable_requests_per_minute: 100_000_000 }

/**
 * The public map's key. The database holds only hashes, so every process issues its own key, and
 * the next one long before that expires.
 */
export class MapKey {
  #text: string | null = null
  #expiresAt = 0

  /** Null until the first key is issued. */
  get text(): string | null {
    return this.#text
  }

  /** Issues a key if there is none, or the current one expires soon. */
  async renew(store: Store, now: number): Promise<void> {
    if (this.#expiresAt - now > RENEW_BELOW_MS) return
    const expiresAt = now + VALID_MS
    const account = makeAccount({ email: null, name: 'Map' }, {}, now)
    await store.accounts.ensure({ ...account, id: MAP_ACCOUNT_ID, limits: LIMITS })
    const { key, text } = makeKey(MAP_ACCOUNT_ID, { kind: 'publishable', name: 'Map', expiresAt }, now)
    await store.keys.add(key, NO_CAP)
    this.#text = text
    this.#expiresAt = expiresAt
  }
}

/** The setting OPERATOR_KEY cannot be used; the message says what to do. */
export class OperatorKeyRefused extends Error {
  override readonly name = 'OperatorKeyRefused'
}

const REQUEST: KeyRequest = { name: 'OPERATOR_KEY', scopes: ['read', 'watch', 'operate'] }
const GENERATE = 'generate another with: incident-feed keys generate'

/**
 * Makes the setting OPERATOR_KEY the only valid key from the environment: its predecessor is
 * revoked. Several nodes may do so at once.
 */
export async function setOperatorKey(store: Store, text: string, now: number): Promise<void> {
  const holder = await store.keys.findByHash(hashSecret(text))
  if (holder !== null) {
    const state = keyState(holder.key, now)
    if (state === 'revoked')
      throw new OperatorKeyRefused(
        `OPERATOR_KEY is the key ending in ${holder.key.hint}, which was revoked; ${GENERATE}`,
      )
    if (state === 'expired')
      throw new OperatorKeyRefused(`OPERATOR_KEY is the key ending in ${holder.key.hint}, which expired; ${GENERATE}`)
    if (holder.account.status === 'blocked')
      throw new OperatorKeyRefused(
        `OPERATOR_KEY belongs to the blocked account ${holder.account.id}; incident-feed accounts unblock ends that`,
      )
    if (!hasScope(holder.key, holder.account.role, 'operate'))
      throw new OperatorKeyRefused(
        `OPERATOR_KEY is the key ending in ${holder.key.hint}, which lacks the scope operate; ${GENERATE}`,
      )
  }
  const account = makeAccount({ email: null, name: 'Operator' }, REQUEST, now)
  const { key } = makeKey(account.id, REQUEST, now, text)
  await store.keys.setEnvironmentKey(account, { ...key, fromEnvironment: true }, now)
}

/** The stored form of a secret. Secrets are long and random, so plain SHA-256 is safe. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}
