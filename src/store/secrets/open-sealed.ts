import { randomBytes } from '../../lib/runtime.ts'
import { MEMORY } from '../files.ts'
import { isPostgres, openStore, type StoreOptions, sqlitePathOf } from '../open.ts'
import { type Store, StoreUnusable } from '../store.ts'
import { createKeyFile, keyFileOf, knownKeys } from './keys.ts'
import { renewPushKeys, sealedStore } from './sealed-store.ts'
import { Sealer } from './sealer.ts'
import { encryptStored, keysInUse } from './stored-secrets.ts'

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
    const sealer = new Sealer(keysFor(databaseUrl, secretKeys, ids, onWarning))
    const unknown = [...ids].filter((id) => !sealer.hasKey(id))
    if (unknown.length > 0) throw missingKey(databaseUrl, unknown)
    const hasOlder = [...ids].some((id) => id !== sealer.currentId)
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
): Uint8Array[] {
  const known = knownKeys(databaseUrl, given, onWarning)
  if (known.length > 0) return known
  const path = sqlitePathOf(databaseUrl)
  if (path === MEMORY) return [randomBytes(32)]
  // A new key would be as wrong as none, and would hide that the right one is missing.
  if (used.size > 0) throw missingKey(databaseUrl, [...used])
  return [createKeyFile(keyFileOf(path), onWarning)]
}

function missingKey(databaseUrl: string, ids: readonly string[]): StoreUnusable {
  const places = isPostgres(databaseUrl)
    ? 'in SECRETS_KEY'
    : `in SECRETS_KEY, or put back the file ${keyFileOf(sqlitePathOf(databaseUrl))}`
  return new StoreUnusable(
    `The secrets of watches are encrypted with a key that was not given (${ids.join(', ')}), so messages would be signed wrongly: give it ${places}. A new key goes before it, with a comma between`,
  )
}
