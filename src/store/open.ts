import type { Migrating } from './migrations.ts'
import type { PostgresOptions } from './postgres/store.ts'
import type { SqliteOptions } from './sqlite/store.ts'
import type { Inspection, StandbyInspection, Store } from './store.ts'

export interface StoreOptions {
  readonly sqlite?: SqliteOptions
  readonly postgres?: PostgresOptions
  /** Told what an operator should know, such as a file that others could read. */
  readonly onWarning?: (message: string) => void
  /** Told before the schema is migrated. */
  readonly onMigrating?: (migrating: Migrating) => void
}

/** Opens `sqlite:path/to.db`, `sqlite::memory:` or `postgres://…` and migrates its schema. */
export async function openStore(databaseUrl: string, options: StoreOptions = {}): Promise<Store> {
  if (isPostgres(databaseUrl))
    return (await import('./postgres/store.ts')).openPostgres(
      databaseUrl,
      options.postgres,
      options.onWarning,
      options.onMigrating,
    )
  const path = sqlitePathOf(databaseUrl)
  return (await import('./sqlite/store.ts')).openSqlite(path, options.sqlite, options.onWarning, options.onMigrating)
}

/**
 * Inspects a database that exists. Rejects with `StoreUnavailable` or `StoreUnusable` if it cannot
 * be read. Unlike `openStore` it migrates nothing and leaves the modes of files.
 */
export async function inspectStore(databaseUrl: string): Promise<Inspection> {
  return isPostgres(databaseUrl)
    ? (await import('./postgres/migrate.ts')).inspectPostgres(databaseUrl)
    : (await import('./sqlite/migrate.ts')).inspectSqlite(sqlitePathOf(databaseUrl))
}

/** Compares each server of `DATABASE_READ_URL` with the primary. Rejects as `inspectStore` does. */
export async function inspectStandbys(databaseUrl: string, readUrl: string): Promise<StandbyInspection[]> {
  return (await import('./postgres/standby.ts')).inspectStandbys(databaseUrl, readUrl)
}

export function isPostgres(databaseUrl: string): boolean {
  return /^postgres(ql)?:\/\//.test(databaseUrl)
}

export function sqlitePathOf(databaseUrl: string): string {
  // Refuses `sqlite://name`, which would silently open the file /name.
  const path = /^sqlite:(?!\/\/[^/])(.+)$/.exec(databaseUrl)?.[1]
  if (path === undefined) {
    // The address may contain a password, so the message does not repeat it.
    throw new Error('The database must be sqlite:path/to.db, sqlite::memory: or postgres://user:password@host/database')
  }
  return path
}
