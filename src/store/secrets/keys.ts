import { randomBytes, randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { OWNER_ONLY, tightenMode } from '../files.ts'
import { isPostgres, sqlitePathOf } from '../open.ts'
import { StoreUnusable } from '../store.ts'

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

const KEY_BYTES = 32

export interface KeyFileOptions {
  /** Leaves a file that others can read as it is: for looking only. */
  readonly leaveMode?: boolean
}

/** Beside the database, and not in it: a copy of the database alone reveals no secret. */
export function keyFileOf(databasePath: string): string {
  return `${databasePath}.secrets-key`
}

/** Returns null if there is no such file. */
export function readKeyFile(
  file: string,
  onWarning: (message: string) => void,
  { leaveMode = false }: KeyFileOptions = {},
): Uint8Array | null {
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
  if (!leaveMode) tightenMode(file, onWarning)
  return key
}

/** Creates the file at once with its content, readable by its owner only. */
export function createKeyFile(file: string, onWarning: (message: string) => void): Uint8Array {
  const temporary = `${file}.${randomUUID()}.new`
  const handle = openSync(temporary, 'wx', OWNER_ONLY)
  try {
    writeSync(handle, `${randomBytes(KEY_BYTES).toString('base64')}\n`)
    fsyncSync(handle)
    linkSync(temporary, file)
    syncFolder(dirname(file))
  } catch (error) {
    // EEXIST: another process has created it first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    closeSync(handle)
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
