import { randomBytes } from 'node:crypto'
import { isPostgres, openStore, type StoreOptions, sqlitePathOf } from '../open.ts'
import { type Store, StoreUnusable } from '../store.ts'
import { encryptStored, keysInUse } from './encrypt-stored.ts'
import { createKeyFile, keyFileOf, readKeyFile } from './key-file.ts'
import { sealedStore } from './sealed-store.ts'
import { Sealer } from './sealer.ts'
import { SecretKeys } from './secret-keys.ts'

const MEMORY_PATH = ':memory:'

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
    const { ids, hasPlain } = await keysInUse(store.watches)
    const keys = keysFor(databaseUrl, secretKeys, ids, onWarning)
    const unknown = [...ids].filter((id) => keys.find(id) === undefined)
    if (unknown.length > 0) throw missingKey(databaseUrl, unknown)
    const sealer = new Sealer(keys)
    const hasOlder = [...ids].some((id) => id !== keys.current.id)
    if (hasPlain || hasOlder) await encryptStored(store.watches, sealer)
    return sealedStore(store, sealer)
  } catch (error) {
    await store[Symbol.asyncDispose]()
    throw error
  }
}

/** A file's key still decrypts after SECRETS_KEY has been set. */
function keysFor(
  databaseUrl: string,
  given: readonly Uint8Array[] | null,
  used: ReadonlySet<string>,
  onWarning: (message: string) => void,
): SecretKeys {
  if (isPostgres(databaseUrl)) return new SecretKeys(given!)
  const path = sqlitePathOf(databaseUrl)
  if (path === MEMORY_PATH) return new SecretKeys(given ?? [randomBytes(32)])
  const file = keyFileOf(path)
  const inFile = readKeyFile(file, onWarning)
  if (given !== null) return new SecretKeys(inFile === null ? given : [...given, inFile])
  // A new key would be as wrong as none, and would hide that the right one is missing.
  if (inFile === null && used.size > 0) throw missingKey(databaseUrl, [...used])
  return new SecretKeys([inFile ?? createKeyFile(file, onWarning)])
}

function missingKey(databaseUrl: string, ids: readonly string[]): StoreUnusable {
  const places = isPostgres(databaseUrl)
    ? 'in SECRETS_KEY'
    : `in SECRETS_KEY, or put back the file ${keyFileOf(sqlitePathOf(databaseUrl))}`
  return new StoreUnusable(
    `The secrets of watches are encrypted with a key that was not given (${ids.join(', ')}), so messages would be signed wrongly: give it ${places}. A new key goes before it, with a comma between`,
  )
}
