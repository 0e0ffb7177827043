import { DatabaseSync } from 'node:sqlite'
import { type Inspection, StoreUnusable } from '../store.ts'
import { openForReading } from './database.ts'
import { damageOf, RESTORE_ADVICE } from './database-file.ts'
import { toStoreError } from './errors.ts'
import { MIGRATIONS, versionOf } from './migrate.ts'

/** A running service holds the write lock for milliseconds. */
const BUSY_TIMEOUT_MS = 5_000

export function inspectSqlite(path: string): Inspection {
  try {
    const damage = damageOf(path)
    if (damage !== null) throw new StoreUnusable(`The database file ${damage}; ${RESTORE_ADVICE}`)
    using database = openForReading(path, BUSY_TIMEOUT_MS)
    const version = database.get<{ version: string }>('SELECT sqlite_version() AS version')!.version
    return {
      software: `SQLite ${version}`,
      tooOld: null,
      schemaVersion: versionOf(database),
      latestVersion: MIGRATIONS.at(-1)!.version,
      notWritable: whyNotWritable(path),
    }
  } catch (error) {
    throw toStoreError(error)
  }
}

/**
 * Takes the write lock and gives it back. SQLite opens a file that it may not write for reading.
 */
function whyNotWritable(path: string): string | null {
  using database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
  try {
    database.exec('BEGIN IMMEDIATE; ROLLBACK')
    return null
  } catch (error) {
    return (error as Error).message
  }
}
