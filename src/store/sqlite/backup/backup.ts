import { existsSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'
import { type BackupContents, BackupRefused, NOT_BACKED_UP } from '../../backup/contents.ts'
import { writeAtomically } from '../../shared/atomic-write.ts'
import { MEMORY } from '../connection/database.ts'
import { isDiskFull, toStoreError } from '../connection/errors.ts'
import { checkStoreFile } from './contents.ts'

/** 8 MB; the process can be interrupted between steps. */
const PAGES_PER_STEP = 2048
const BUSY_TIMEOUT_MS = 10_000

/**
 * Copies the store as of one moment while a service writes to it. Unlike `VACUUM INTO` it does not
 * rebuild the database, does not block a thread throughout, and can be interrupted.
 */
export async function backUpSqlite(path: string, to: string): Promise<BackupContents> {
  if (path === MEMORY)
    throw new BackupRefused('A database in memory ends with its process: there is nothing to back up')
  if (!existsSync(path)) throw new BackupRefused(`There is no database at ${path}; DATABASE_URL says where it is`)
  try {
    return await writeAtomically(to, async (part) => {
      await copyPages(path, part)
      finishCopy(part)
      return checkStoreFile(part, path)
    })
  } catch (error) {
    if (isDiskFull(error)) throw new BackupRefused(`There is no room for the copy at ${to}`, { cause: error })
    throw toStoreError(error)
  }
}

async function copyPages(path: string, part: string): Promise<void> {
  using source = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
  // The first read fixes the state to copy. Without a transaction, every write restarts the copy.
  source.exec('BEGIN')
  source.prepare('SELECT count(*) FROM sqlite_schema').get()
  await backup(source, part, { rate: PAGES_PER_STEP })
}

/**
 * Makes the copy a single file, which can be moved, and read without write permission. It has no
 * sessions: restoring it must not sign anybody in again who has signed out.
 */
function finishCopy(part: string): void {
  using copy = new DatabaseSync(part)
  // secure_delete: the bytes go too, not only the rows.
  copy.exec('PRAGMA journal_mode = DELETE; PRAGMA secure_delete = ON')
  const tables = copy.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  const names = new Set(tables.map(({ name }) => name))
  for (const table of NOT_BACKED_UP) if (names.has(table)) copy.exec(`DELETE FROM ${table}`)
}
