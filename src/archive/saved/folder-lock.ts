import { chmodSync, closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { OWNER_ONLY } from './files.ts'

export const LOCK_NAME = 'lock'

/**
 * Keeps other processes out of the folder; null if one is in. SQLite's lock, because Node has none:
 * the system ends it with the process, however that ends.
 */
export function lockFolder(folder: string): Disposable | null {
  const path = join(folder, LOCK_NAME)
  closeSync(openSync(path, 'a', OWNER_ONLY))
  chmodSync(path, OWNER_ONLY)
  const connection = new DatabaseSync(path, { timeout: 0 })
  try {
    connection.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    connection.close()
    const isTaken = error instanceof Error && 'errcode' in error && error.errcode === 5
    if (isTaken) return null
    throw error
  }
  return { [Symbol.dispose]: () => connection.close() }
}
