import { DatabaseSync } from 'node:sqlite'
import {
  LATER_VERSIONS,
  type Migration,
  migrationError,
  PROGRESS_TABLE,
  pendingMigrations,
  readMigrations,
  recordsOf,
  SELECT_STATE,
  schemaStateOf,
  UNFINISHED_COPY,
} from '../migrations.ts'
import { type Inspection, type SchemaState, StoreUnusable } from '../store.ts'
import { type Database, openForReading } from './database.ts'
import { damageOf } from './database-file.ts'
import { RESTORE_ADVICE, toStoreError } from './errors.ts'

export const MIGRATIONS = readMigrations(new URL('./migrations/', import.meta.url))

/** Migrates the schema. If several processes start at once, the write lock lets one do it. */
export function migrate(database: Database, migrations: readonly Migration[] = MIGRATIONS): void {
  if (pendingMigrations(migrations, schemaOf(database)).length === 0 && hasTable(database, LATER_VERSIONS)) return
  database.transaction(() => {
    const pending = pendingMigrations(migrations, schemaOf(database))
    database.script(`CREATE TABLE IF NOT EXISTS ${LATER_VERSIONS} (version INTEGER PRIMARY KEY) STRICT`)
    for (const migration of pending) apply(database, migration)
  })
}

function apply(database: Database, migration: Migration): void {
  try {
    database.script(migration.sql)
    database.script('CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY) STRICT')
    for (const { table, version } of recordsOf(migration))
      database.run(`INSERT INTO ${table} (version) VALUES (?) ON CONFLICT DO NOTHING`, [version])
  } catch (error) {
    throw migrationError(migration, error, toStoreError(error))
  }
}

/** The version is 0 if the database has no schema of this service. */
export function schemaOf(database: Database): SchemaState {
  if (!hasTable(database, 'schema_version')) return schemaStateOf({ needs: null, later: null })
  const select = hasTable(database, LATER_VERSIONS)
    ? SELECT_STATE
    : 'SELECT max(version) AS needs, NULL AS later FROM schema_version'
  return schemaStateOf(database.get(select)!)
}

export function versionOf(database: Database): number {
  return schemaOf(database).version
}

export function refuseNewer(database: Database): void {
  pendingMigrations(MIGRATIONS, schemaOf(database))
}

export function refuseUnfinishedCopy(database: Database): void {
  if (hasTable(database, PROGRESS_TABLE)) throw new StoreUnusable(UNFINISHED_COPY)
}

export function hasTable(database: Database, name: string): boolean {
  return database.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", [name]) !== undefined
}

/** A running service holds the write lock for milliseconds. */
const BUSY_TIMEOUT_MS = 5_000

export function inspectSqlite(path: string): Inspection {
  try {
    const damage = damageOf(path)
    if (damage !== null) throw new StoreUnusable(`The database file ${damage}; ${RESTORE_ADVICE}`)
    using database = openForReading(path, BUSY_TIMEOUT_MS)
    const version = database.get<{ version: string }>('SELECT sqlite_version() AS version')!.version
    const { version: schemaVersion, needs } = schemaOf(database)
    return {
      software: `SQLite ${version}`,
      tooOld: null,
      schemaVersion,
      neededVersion: needs,
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
