import { existsSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'
import { type BackupContents, BackupRefused } from '../../backup-contents.ts'
import { writeAtomically } from '../../shared/atomic-write.ts'
import { MEMORY } from '../connection/database.ts'
import { isNoRoom, mapped } from '../connection/errors.ts'
import { checkStoreFile } from './contents.ts'

/** 8 MB at a time: between two steps there is time to be interrupted. */
const PAGES_AT_ONCE = 2048
const BUSY_TIMEOUT = 10_000

/**
 * Copies the store as it is at one moment, page by page, while a service goes on writing to it. Unlike `VACUUM INTO` it does not
 * build the database anew, keeps no thread waiting for all of it, and can be interrupted.
 */
export async function backUpSqlite(path: string, to: string): Promise<BackupContents> {
  if (path === MEMORY)
    throw new BackupRefused('A database in memory is gone with its process: there is nothing to back up')
  if (!existsSync(path)) throw new BackupRefused(`There is no database at ${path}; DATABASE_URL says where it is`)
  try {
    return await writeAtomically(to, async (part) => {
      await copyPages(path, part)
      standAlone(part)
      return checkStoreFile(part, path)
    })
  } catch (error) {
    if (isNoRoom(error)) throw new BackupRefused(`There is no room for the copy at ${to}`, { cause: error })
    throw mapped(error)
  }
}

async function copyPages(path: string, part: string): Promise<void> {
  using source = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT })
  // The first read fixes the moment. Without a transaction of its own, the copy would begin anew with every write.
  source.exec('BEGIN')
  source.prepare('SELECT count(*) FROM sqlite_schema').get()
  await backup(source, part, { rate: PAGES_AT_ONCE })
}

/** A copy has no log beside it, so that it can be moved about as one file, and read where nothing may be written. */
function standAlone(part: string): void {
  using copy = new DatabaseSync(part)
  copy.exec('PRAGMA journal_mode = DELETE')
}
