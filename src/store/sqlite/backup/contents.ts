import { statSync } from 'node:fs'
import { type BackupContents, BackupRefused } from '../../backup-contents.ts'
import { missingFrom } from '../../shared/migrations.ts'
import { StoreUnusable } from '../../store.ts'
import { type Database, openUnchanging } from '../connection/database.ts'
import { mapped } from '../connection/errors.ts'
import { damageOf, sizeOf } from '../connection/file.ts'
import { MIGRATIONS, versionOf } from '../migrate.ts'

/** Reads a file that nobody writes to from end to end, or says in what way what goes by `name` is no store that this build can use. */
export function checkStoreFile(path: string, name = path): BackupContents {
  const refuse = (why: string) => new BackupRefused(`${name} ${why}`)
  const damage = damageOf(path)
  if (damage !== null) throw refuse(damage)
  if (sizeOf(`${path}-wal`) > 0) {
    throw refuse(
      'was in use when it was copied: what was last written is in its -wal file. Copy with: incident-feed backup',
    )
  }
  try {
    using database = openUnchanging(path)
    const version = versionOf(database)
    if (version === 0) throw refuse('is a SQLite database, but not one of this service')
    missingFrom(MIGRATIONS, version)
    const faults = database.all<{ integrity_check: string }>('PRAGMA integrity_check(1)')
    if (faults[0]?.integrity_check !== 'ok') throw refuse(`is damaged: ${faults[0]?.integrity_check}`)
    return { ...countsOf(database, version), bytes: statSync(path).size }
  } catch (error) {
    if (error instanceof BackupRefused) throw error
    const known = mapped(error)
    if (known instanceof StoreUnusable) throw new BackupRefused(`${name}: ${known.message}`, { cause: error })
    throw known
  }
}

export function countsOf(database: Database, version: number): Omit<BackupContents, 'bytes'> {
  const count = (table: string) => database.get<{ count: number }>(`SELECT count(*) AS count FROM ${table}`)!.count
  return {
    incidents: count('incidents'),
    events: count('events'),
    watches: version < WATCHES_SINCE ? 0 : count('watches'),
  }
}

/** The migration that brought them. */
const WATCHES_SINCE = 3
