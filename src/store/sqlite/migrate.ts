import { type Migration, pendingMigrations, readMigrations } from '../shared/migrations.ts'
import { StoreUnavailable, StoreUnusable } from '../store.ts'
import type { Database } from './connection/database.ts'
import { toStoreError } from './connection/errors.ts'

export const MIGRATIONS = readMigrations(new URL('./migrations/', import.meta.url))

/** Migrates the schema. If several processes start at once, the write lock lets one do it. */
export function migrate(database: Database, migrations: readonly Migration[] = MIGRATIONS): void {
  if (pendingMigrations(migrations, versionOf(database)).length === 0) return
  database.transaction(() => {
    for (const migration of pendingMigrations(migrations, versionOf(database))) apply(database, migration)
  })
}

export function refuseNewer(database: Database): void {
  pendingMigrations(MIGRATIONS, versionOf(database))
}

/** Returns 0 if the database has no schema of this service. */
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
    const known = toStoreError(error)
    if (known instanceof StoreUnavailable || known instanceof StoreUnusable) throw known
    throw new StoreUnusable(`Migration ${name} cannot be applied: ${(error as Error).message}`, { cause: error })
  }
}
