import { isPostgres, sqlitePathOf } from './open.ts'
import type { Inspection } from './shared/inspection.ts'

export type { Inspection } from './shared/inspection.ts'

/**
 * Inspects a database that exists. Rejects with `StoreUnavailable` or `StoreUnusable` if it cannot
 * be read. Unlike `openStore` it migrates nothing and leaves the modes of files.
 */
export async function inspectStore(databaseUrl: string): Promise<Inspection> {
  if (isPostgres(databaseUrl)) {
    const { inspectPostgres } = await import('./postgres/inspect.ts')
    return inspectPostgres(databaseUrl)
  }
  const { inspectSqlite } = await import('./sqlite/inspect.ts')
  return inspectSqlite(sqlitePathOf(databaseUrl))
}
