import { randomBytes } from 'node:crypto'
import { newIdentifier } from '../../domain/identifier.ts'
import { type Account, generateKey, type Key, type KeyKind, type Scope } from '../../domain/key.ts'
import type { Store } from '../../store/store.ts'
import { hashSecret } from './hash-secret.ts'

/** A key as its owner sees it, once. */
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

/** What anyone may have by asking. */
const SELF_SERVE: Readonly<Record<KeyKind, readonly Scope[]>> = { live: ['read', 'watch'], publishable: ['read'] }

export function makeKey(
  accountId: string,
  wish: KeyRequest,
  now: number,
  text = generateKey(wish.kind ?? 'live', randomBytes),
): IssuedKey {
  const kind = wish.kind ?? 'live'
  const key: Key = {
    id: newIdentifier('key', now, randomBytes),
    accountId,
    kind,
    name: wish.name ?? null,
    hash: hashSecret(text),
    hint: text.slice(-4),
    scopes: wish.scopes ?? SELF_SERVE[kind],
    origins: wish.origins ?? [],
    ratePerMinute: wish.ratePerMinute ?? null,
    createdAt: now,
    expiresAt: wish.expiresAt ?? null,
    revokedAt: null,
  }
  return { key, text }
}

/** A new account with its first key. An address may have several accounts: nobody can claim another's by naming it. */
export async function openAccount(
  store: Store,
  who: Pick<Account, 'email' | 'name'>,
  wish: KeyRequest,
  now: number,
  text?: string,
): Promise<IssuedKey> {
  const account: Account = {
    id: newIdentifier('account', now, randomBytes),
    email: who.email,
    name: who.name,
    createdAt: now,
  }
  const issued = makeKey(account.id, wish, now, text)
  await store.accounts.open(account, issued.key)
  return issued
}

export async function addKey(store: Store, accountId: string, wish: KeyRequest, now: number): Promise<IssuedKey> {
  const issued = makeKey(accountId, wish, now)
  await store.keys.add(issued.key)
  return issued
}

const OVERLAP = 24 * 3_600_000

/** A key that may do the same; the old one works for another day. Null where there is no such key that still works. */
export async function rotateKey(store: Store, old: Key, now: number): Promise<IssuedKey | null> {
  const issued = makeKey(old.accountId, old, now)
  const rotated = await store.keys.rotate(old.accountId, old.id, issued.key, now + OVERLAP, now)
  return rotated ? issued : null
}

/** Makes the operator's own key known, where it is not yet. Several nodes may do so at once. */
export async function ensureOperatorKey(store: Store, text: string, now: number): Promise<void> {
  if (await store.keys.findByHash(hashSecret(text))) return
  const wish: KeyRequest = { name: 'OPERATOR_KEY', scopes: ['read', 'watch', 'operate'] }
  try {
    await openAccount(store, { email: null, name: 'Operator' }, wish, now, text)
  } catch (error) {
    // Another node was quicker: then the key is there, and all is well.
    if ((await store.keys.findByHash(hashSecret(text))) === null) throw error
  }
}
