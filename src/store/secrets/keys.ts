import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { randomBytes, randomName } from '../../lib/runtime.ts'
import { MEMORY, OWNER_ONLY, tightenMode } from '../files.ts'
import { isPostgres, sqlitePathOf } from '../open.ts'
import { isDiskFull, toStoreError } from '../sqlite/errors.ts'
import { StoreUnusable } from '../store.ts'

type OnWarning = (message: string) => void

/**
 * SECRETS_KEY and then the key file, which still decrypts after the setting was made. Without
 * `onWarning`, a file that others can read is left as it is: for looking only.
 */
export function knownKeys(
  databaseUrl: string,
  given: readonly Uint8Array[] | null,
  onWarning: OnWarning | null,
): Uint8Array[] {
  const keys = [...(given ?? [])]
  const path = isPostgres(databaseUrl) ? MEMORY : sqlitePathOf(databaseUrl)
  const inFile = path === MEMORY ? null : readKeyFile(keyFileOf(path), onWarning)
  return inFile === null ? keys : [...keys, inFile]
}

const KEY_BYTES = 32

/** Beside the database, and not in it: a copy of the database alone reveals no secret. */
export function keyFileOf(databasePath: string): string {
  return `${databasePath}.secrets-key`
}

/** Returns null if there is no such file. */
function readKeyFile(file: string, onWarning: OnWarning | null): Uint8Array | null {
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new StoreUnusable(`The key of the webhook secrets cannot be read: ${(error as Error).message}`, {
      cause: error,
    })
  }
  const key = Buffer.from(text, 'base64')
  if (key.length !== KEY_BYTES || key.toString('base64') !== text)
    throw new StoreUnusable(`${file} must have 32 bytes in base64: put back the file that the service wrote`)
  if (onWarning !== null) tightenMode(file, onWarning)
  return key
}

/** Creates the file at once with its content, readable by its owner only. */
export function createKeyFile(file: string, onWarning: OnWarning): Uint8Array {
  const temporary = `${file}.${randomName()}.new`
  let handle: number | null = null
  try {
    handle = openSync(temporary, 'wx', OWNER_ONLY)
    writeSync(handle, `${randomBytes(KEY_BYTES).toString('base64')}\n`)
    fsyncSync(handle)
    linkSync(temporary, file)
    syncFolder(dirname(file))
  } catch (error) {
    // EEXIST: another process has created it first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw isDiskFull(error) ? toStoreError(error) : new StoreUnusable(`${file} cannot be written: ${String(error)}`)
  } finally {
    if (handle !== null) closeSync(handle)
    rmSync(temporary, { force: true })
  }
  return readKeyFile(file, onWarning)!
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
