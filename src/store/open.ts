import type { PostgresOptions } from './postgres/store.ts'
import type { SqliteOptions } from './sqlite/store.ts'
import type { Store } from './store.ts'

export interface StoreOptions {
  readonly sqlite?: SqliteOptions
  readonly postgres?: PostgresOptions
}

/**
 * Opens `sqlite:path/to.db`, `sqlite::memory:` or `postgres://…`, bringing its schema up to this build's. Each is loaded
 * only where it is used.
 */
export async function openStore(databaseUrl: string, options: StoreOptions = {}): Promise<Store> {
  if (isPostgres(databaseUrl)) {
    const { openPostgres } = await import('./postgres/store.ts')
    return openPostgres(databaseUrl, options.postgres)
  }
  const path = sqlitePathOf(databaseUrl)
  const { openSqlite } = await import('./sqlite/store.ts')
  return openSqlite(path, options.sqlite)
}

export function isPostgres(databaseUrl: string): boolean {
  return /^postgres(ql)?:\/\//.test(databaseUrl)
}

export function sqlitePathOf(databaseUrl: string): string {
  // `sqlite://name` would silently be the file /name.
  const path = /^sqlite:(?!\/\/[^/])(.+)$/.exec(databaseUrl)?.[1]
  if (path === undefined) {
    // The address may hold a password: it is not repeated.
    throw new Error('The database must be sqlite:path/to.db, sqlite::memory: or postgres://user:password@host/database')
  }
  return path
}
