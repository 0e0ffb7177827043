import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { BackupRefused } from '../../backup/contents.ts'
import { MEMORY } from '../connection/database.ts'
import { toStoreError } from '../connection/errors.ts'

const BUSY_TIMEOUT_MS = 10_000

export function recordSqliteBackup(path: string, takenAt: number): boolean {
  if (path === MEMORY || !existsSync(path))
    throw new BackupRefused(`There is no database at ${path}; DATABASE_URL says where it is`)
  try {
    using database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
    if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'last_backup'").get() === undefined) return false
    database
      .prepare(
        `INSERT INTO last_backup (single, taken_at) VALUES (1, ?)
         ON CONFLICT (single) DO UPDATE SET taken_at = max(taken_at, excluded.taken_at)`,
      )
      .run(takenAt)
    return true
  } catch (error) {
    throw toStoreError(error)
  }
}
