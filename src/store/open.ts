import type { PostgresOptions } from './postgres/store.ts'
import type { SqliteOptions } from './sqlite/store.ts'
import type { Store } from './store.ts'

export interface StoreOptions {
  readonly sqlite?: SqliteOptions
  readonly postgres?: PostgresOptions
  /** Told what an operator should know, such as a file that others could read. */
  readonly onWarning?: (message: string) => void
}

/** Opens `sqlite:path/to.db`, `sqlite::memory:` or `postgres://…` and migrates its schema. */
export async function openStore(databaseUrl: string, options: StoreOptions = {}): Promise<Store> {
  if (isPostgres(databaseUrl)) {
    const { openPostgres } = await import('./postgres/store.ts')
    return openPostgres(databaseUrl, options.postgres)
  }
  const path = sqlitePathOf(databaseUrl)
  const { openSqlite } = await import('./sqlite/store.ts')
  return openSqlite(path, options.sqlite, options.onWarning)
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
