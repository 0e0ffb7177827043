import { randomBytes } from 'node:crypto'
import { newIdentifier } from '../../domain/identifier.ts'
import { type Account, generateKey, type Key, type KeyKind, type Scope } from '../../domain/key.ts'
import type { Store } from '../../store/store.ts'
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
const SELF_SERVICE_SCOPES: Readonly<Record<KeyKind, readonly Scope[]>> = {
  live: ['read', 'watch'],
  publishable: ['read'],
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
    ratePerMinute: request.ratePerMinute ?? null,
    createdAt: now,
    expiresAt: request.expiresAt ?? null,
    revokedAt: null,
  }
  return { key, text }
}

/**
 * Opens an account with its first key. An address may have several accounts: knowing an address
 * grants no access to its existing accounts.
 */
export function openAccount(
  store: Store,
  owner: Pick<Account, 'email' | 'name'>,
  request: KeyRequest,
  now: number,
  text?: string,
): Promise<IssuedKey> {
  return openAccountIn(() => store, owner, request, now, text)
}

/** `storeFor` may store an answer with the new key. */
export async function openAccountIn(
  storeFor: (issued: IssuedKey) => Pick<Store, 'accounts'>,
  owner: Pick<Account, 'email' | 'name'>,
  request: KeyRequest,
  now: number,
  text?: string,
): Promise<IssuedKey> {
  const account: Account = {
    id: newIdentifier('account', now, randomBytes),
    email: owner.email,
    name: owner.name,
    createdAt: now,
  }
  const issued = makeKey(account.id, request, now, text)
  await storeFor(issued).accounts.open(account, issued.key)
  return issued
}

export async function addKey(
  storeFor: (issued: IssuedKey) => Pick<Store, 'keys'>,
  accountId: string,
  request: KeyRequest,
  now: number,
): Promise<IssuedKey> {
  const issued = makeKey(accountId, request, now)
  await storeFor(issued).keys.add(issued.key)
  return issued
}

const ROTATION_OVERLAP_MS = 24 * 3_600_000

/** Issues a key with the same rights; the old one stays valid for a day. Null if it is invalid. */
export async function rotateKey(
  storeFor: (issued: IssuedKey) => Pick<Store, 'keys'>,
  old: Key,
  now: number,
): Promise<IssuedKey | null> {
  const issued = makeKey(old.accountId, old, now)
  const rotated = await storeFor(issued).keys.rotate(old.accountId, old.id, issued.key, now + ROTATION_OVERLAP_MS, now)
  return rotated ? issued : null
}

/** Stores the operator's key if it is missing. Several nodes may do so at once. */
export async function ensureOperatorKey(store: Store, text: string, now: number): Promise<void> {
  if (await store.keys.findByHash(hashSecret(text))) return
  const request: KeyRequest = { name: 'OPERATOR_KEY', scopes: ['read', 'watch', 'operate'] }
  try {
    await openAccount(store, { email: null, name: 'Operator' }, request, now, text)
  } catch (error) {
    if ((await store.keys.findByHash(hashSecret(text))) === null) throw error
  }
}
