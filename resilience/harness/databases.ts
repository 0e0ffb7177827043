import { join } from 'node:path'
import { temporaryFolder } from '../../test/support/folder.ts'
import { startServer } from '../../test/support/postgres-server.ts'

export type StoreKind = 'sqlite' | 'postgres'

export const STORE_NAMES: Readonly<Record<StoreKind, string>> = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

/** Gives an empty database of that kind to something, and clears it away. */
export async function onEmptyDatabase<Result>(
  store: StoreKind,
  work: (databaseUrl: string) => Promise<Result>,
): Promise<Result> {
  if (store === 'postgres') {
    await using server = await startServer()
    return await work(server.url)
  }
  await using folder = await temporaryFolder()
  return await work(`sqlite:${join(folder.path, 'feed.db')}`)
}

/** The same on each kind, one after the other. */
export async function onEachStore<Result>(
  work: (setup: string, databaseUrl: string) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const store of ['sqlite', 'postgres'] as const)
    results.push(await onEmptyDatabase(store, (databaseUrl) => work(STORE_NAMES[store], databaseUrl)))
  return results
}
