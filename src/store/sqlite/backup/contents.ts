import { statSync } from 'node:fs'
import { type BackupContents, BackupRefused } from '../../backup/contents.ts'
import { pendingMigrations } from '../../shared/migrations.ts'
import { StoreUnusable } from '../../store.ts'
import { type Database, openImmutable } from '../connection/database.ts'
import { damageOf, sizeOf } from '../connection/database-file.ts'
import { toStoreError } from '../connection/errors.ts'
import { MIGRATIONS, versionOf } from '../migrate.ts'

/** Checks a file that nothing writes to; refuses it as `name` if damaged or unusable. */
export function checkStoreFile(path: string, name = path): BackupContents {
  const refuse = (why: string) => new BackupRefused(`${name} ${why}`)
  const damage = damageOf(path)
  if (damage !== null) throw refuse(damage)
  if (sizeOf(`${path}-wal`) > 0) {
    throw refuse('was in use when it was copied: its last writes are in its -wal file. Copy with: incident-feed backup')
  }
  try {
    using database = openImmutable(path)
    const version = versionOf(database)
    if (version === 0) throw refuse('is a SQLite database, but not one of this service')
    pendingMigrations(MIGRATIONS, version)
    const faults = database.all<{ integrity_check: string }>('PRAGMA integrity_check(1)')
    if (faults[0]?.integrity_check !== 'ok') throw refuse(`is damaged: ${faults[0]?.integrity_check}`)
    return { ...countsOf(database, version), bytes: statSync(path).size }
  } catch (error) {
    if (error instanceof BackupRefused) throw error
    const known = toStoreError(error)
    if (known instanceof StoreUnusable) throw new BackupRefused(`${name}: ${known.message}`, { cause: error })
    throw known
  }
}

export function countsOf(database: Database, version: number): Omit<BackupContents, 'bytes'> {
  const count = (table: string) => database.get<{ count: number }>(`SELECT count(*) AS count FROM ${table}`)!.count
  return {
    incidents: count('incidents'),
    events: count('events'),
    watches: version < WATCHES_SINCE_VERSION ? 0 : count('watches'),
  }
}

/** The first schema version with the table `watches`. */
const WATCHES_SINCE_VERSION = 3
