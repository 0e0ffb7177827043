import { randomBytes } from 'node:crypto'
import type { WatchSecret } from '../../domain/watch.ts'
import type { WatchHeader } from '../../domain/watch-headers.ts'
import type { StoredSecrets, Watches } from '../interface/watches.ts'
import { isPostgres, openStore, type StoreOptions, sqlitePathOf } from '../open.ts'
import { headersOf } from '../queries/watches.ts'
import { type Store, StoreUnusable } from '../store.ts'
import { createKeyFile, keyFileOf, knownKeys, MEMORY_PATH } from './keys.ts'
import { openHeaders, renewPushKeys, sealedStore, sealHeaders } from './sealed-store.ts'
import { keyIdOf, Sealer, SecretKeys } from './sealer.ts'

export interface SealedStoreOptions extends StoreOptions {
  /** SECRETS_KEY: the first encrypts, all decrypt. Null: the key in a file beside the database. */
  readonly secretKeys: readonly Uint8Array[] | null
}

/** Opens the store of a service, in which the secrets of watches are encrypted. */
export async function openSealedStore(databaseUrl: string, options: SealedStoreOptions): Promise<Store> {
  const { secretKeys, onWarning = () => {} } = options
  if (secretKeys === null && isPostgres(databaseUrl)) {
    throw new StoreUnusable(
      'SECRETS_KEY is missing. With PostgreSQL all nodes need the same key, which encrypts the secrets of watches: generate one with openssl rand -base64 32, and set it on every node',
    )
  }
  const store = await openStore(databaseUrl, options)
  try {
    const { ids, hasPlain } = await keysInUse(store)
    const keys = keysFor(databaseUrl, secretKeys, ids, onWarning)
    const unknown = [...ids].filter((id) => keys.find(id) === undefined)
    if (unknown.length > 0) throw missingKey(databaseUrl, unknown)
    const sealer = new Sealer(keys)
    const hasOlder = [...ids].some((id) => id !== keys.current.id)
    if (hasPlain || hasOlder) await encryptStored(store.watches, sealer)
    await renewPushKeys(store.push, sealer)
    return sealedStore(store, sealer)
  } catch (error) {
    await store[Symbol.asyncDispose]()
    throw error
  }
}

function keysFor(
  databaseUrl: string,
  given: readonly Uint8Array[] | null,
  used: ReadonlySet<string>,
  onWarning: (message: string) => void,
): SecretKeys {
  const known = knownKeys(databaseUrl, given, onWarning)
  if (known.length > 0) return new SecretKeys(known)
  const path = sqlitePathOf(databaseUrl)
  if (path === MEMORY_PATH) return new SecretKeys([randomBytes(32)])
  // A new key would be as wrong as none, and would hide that the right one is missing.
  if (used.size > 0) throw missingKey(databaseUrl, [...used])
  return new SecretKeys([createKeyFile(keyFileOf(path), onWarning)])
}

function missingKey(databaseUrl: string, ids: readonly string[]): StoreUnusable {
  const places = isPostgres(databaseUrl)
    ? 'in SECRETS_KEY'
    : `in SECRETS_KEY, or put back the file ${keyFileOf(sqlitePathOf(databaseUrl))}`
  return new StoreUnusable(
    `The secrets of watches are encrypted with a key that was not given (${ids.join(', ')}), so messages would be signed wrongly: give it ${places}. A new key goes before it, with a comma between`,
  )
}

const BATCH = 1000

export interface KeysInUse {
  /** Ids of the keys that stored secrets are encrypted with. */
  readonly ids: ReadonlySet<string>
  /** True if some secret is not encrypted. */
  readonly hasPlain: boolean
}

export async function keysInUse({ watches, push }: Pick<Store, 'watches' | 'push'>): Promise<KeysInUse> {
  const ids = new Set<string | null>()
  let hasBrowsers = false
  for await (const batch of batchesOf(watches)) {
    for (const text of batch.flatMap(encryptedTexts)) ids.add(keyIdOf(text))
    hasBrowsers ||= batch.some(({ channel }) => channel === 'webpush')
  }
  // Without a browser that has subscribed with them, others are as good.
  const pushKeys = hasBrowsers ? await push.storedKeys() : null
  if (pushKeys !== null) ids.add(keyIdOf(pushKeys.privateKey))
  return { ids: new Set([...ids].filter((id) => id !== null)), hasPlain: ids.has(null) }
}

/**
 * Encrypts, with the current key, the secrets and headers that are not. Several nodes may do so at
 * once.
 */
export async function encryptStored(watches: Watches, sealer: Sealer): Promise<void> {
  const isCurrent = (text: string) => keyIdOf(text) === sealer.keys.current.id
  for await (const batch of batchesOf(watches)) {
    const outdated = batch.filter((stored) => !encryptedTexts(stored).every(isCurrent))
    const changes = outdated.map((stored) => ({
      ...stored,
      secrets: sealedAgain(stored, sealer),
      headers: headersSealedAgain(stored, sealer),
    }))
    if (changes.length > 0) await watches.replaceSecrets(changes)
  }
}

function sealedAgain(stored: StoredSecrets, sealer: Sealer): WatchSecret[] {
  const { watchId } = stored
  return secretsOf(stored).map(({ secret, expiresAt }) => ({
    secret: sealer.seal(sealer.open(secret, watchId), watchId),
    expiresAt,
  }))
}

function headersSealedAgain(stored: StoredSecrets, sealer: Sealer): WatchHeader[] {
  const { watchId } = stored
  return sealHeaders(openHeaders(storedHeaders(stored), watchId, sealer), watchId, sealer)
}

/** All texts of a watch that are to be encrypted. */
function encryptedTexts(stored: StoredSecrets): string[] {
  return [...secretsOf(stored).map(({ secret }) => secret), ...storedHeaders(stored).map(({ value }) => value)]
}

export function storedHeaders({ headersText }: StoredSecrets): readonly WatchHeader[] {
  return headersOf(headersText)
}

export function secretsOf({ text }: StoredSecrets): WatchSecret[] {
  return JSON.parse(text) as WatchSecret[]
}

/** Every watch's secrets as they are stored, some at a time. */
export async function* batchesOf(watches: Watches): AsyncGenerator<StoredSecrets[]> {
  let after = ''
  for (;;) {
    const batch = await watches.storedSecrets(after, BATCH)
    if (batch.length > 0) yield batch
    if (batch.length < BATCH) return
    after = batch.at(-1)!.watchId
  }
}
