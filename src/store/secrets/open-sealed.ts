import { randomBytes } from 'node:crypto'
import { isPostgres, openStore, type StoreOptions, sqlitePathOf } from '../open.ts'
import { type Store, StoreUnusable } from '../store.ts'
import { encryptStored, keysInUse } from './encrypt-stored.ts'
import { createKeyFile, keyFileOf } from './key-file.ts'
import { knownKeys, MEMORY_PATH } from './known-keys.ts'
import { renewPushKeys } from './sealed-push-keys.ts'
import { sealedStore } from './sealed-store.ts'
import { Sealer } from './sealer.ts'
import { SecretKeys } from './secret-keys.ts'

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
