import { isPostgres, sqlitePathOf } from '../open.ts'
import { type KeyFileOptions, keyFileOf, readKeyFile } from './key-file.ts'

export const MEMORY_PATH = ':memory:'

/** SECRETS_KEY and then the key file, which still decrypts after the setting was made. */
export function knownKeys(
  databaseUrl: string,
  given: readonly Uint8Array[] | null,
  onWarning: (message: string) => void,
  options: KeyFileOptions = {},
): Uint8Array[] {
  const keys = [...(given ?? [])]
  const path = isPostgres(databaseUrl) ? MEMORY_PATH : sqlitePathOf(databaseUrl)
  const inFile = path === MEMORY_PATH ? null : readKeyFile(keyFileOf(path), onWarning, options)
  return inFile === null ? keys : [...keys, inFile]
}
