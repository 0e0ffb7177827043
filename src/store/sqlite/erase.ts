import { statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { MEMORY } from '../files.ts'
import { StoreFull, StoreUnavailable } from '../store.ts'
import type { Database } from './database.ts'

/**
 * An overwritten row stays in unused parts of pages, in free pages and in the write-ahead log.
 * `secure_delete` reaches only what is deleted while it is on, and no copies that the balancing of
 * a tree leaves behind: rebuilding the file reaches all of it.
 */
export function eraseOverwritten(database: Database, path: string): void {
  if (path !== MEMORY) requireRoom(path)
  database.script('VACUUM')
  const result = database.get<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)')
  // A snapshot or a backup reads the old log; it ends, and the caller tries again.
  if (result?.busy === 1) throw new StoreUnavailable('The write-ahead log is being read and cannot be emptied yet')
}

/** The log takes the whole rebuilt file: without room for it, each try would fill the disk. */
function requireRoom(path: string): void {
  const { size } = statSync(path)
  const { bavail, bsize } = statfsSync(dirname(path))
  if (bavail * bsize < size)
    throw new StoreFull(
      `Erasing redacted content needs ${size} free bytes beside ${path}, and there are ${bavail * bsize}`,
    )
}
