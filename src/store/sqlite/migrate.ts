import { type Migration, missingFrom, readMigrations } from '../shared/migrations.ts'
import { StoreUnavailable, StoreUnusable } from '../store.ts'
import type { Database } from './connection/database.ts'
import { mapped } from './connection/errors.ts'

export const MIGRATIONS = readMigrations(new URL('./migrations/', import.meta.url))

/** Brings the schema up to this build's version. Several processes may do so at once: the write lock lets one go first. */
export function migrate(database: Database, migrations: readonly Migration[] = MIGRATIONS): void {
  if (missingFrom(migrations, versionOf(database)).length === 0) return
  database.transaction(() => {
    for (const migration of missingFrom(migrations, versionOf(database))) apply(database, migration)
  })
}

export function refuseNewer(database: Database): void {
  missingFrom(MIGRATIONS, versionOf(database))
}

/** 0 where there is nothing of ours. */
export function versionOf(database: Database): number {
  const table = database.get(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_version'`)
  if (table === undefined) return 0
  return database.get<{ version: number }>('SELECT max(version) AS version FROM schema_version')?.version ?? 0
}

function apply(database: Database, { version, name, sql }: Migration): void {
  try {
    database.script(sql)
    database.script('CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY) STRICT')
    database.run('INSERT INTO schema_version (version) VALUES (?)', [version])
  } catch (error) {
    const known = mapped(error)
    if (known instanceof StoreUnavailable || known instanceof StoreUnusable) throw known
    throw new StoreUnusable(`Migration ${name} cannot be applied: ${(error as Error).message}`, { cause: error })
  }
}
