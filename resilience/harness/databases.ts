import { join } from 'node:path'
import { fillWithHistory } from '../../src/demo/live-feed.ts'
import { places } from '../../src/geo/places.ts'
import { openStore } from '../../src/store/open.ts'
import { startServer } from '../../test/support/databases/postgres-server.ts'
import { temporaryFolder } from '../../test/support/folder.ts'

export type StoreKind = 'sqlite' | 'postgres'

export const STORE_NAMES: Readonly<Record<StoreKind, string>> = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

const TEN_YEARS_MS = 10 * 365 * 86_400_000

/** Calls `work` with the URL of an empty database, and removes the database afterwards. */
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

/** Calls `work` for each kind of store in turn. */
export async function onEachStore<Result>(
  work: (setup: string, databaseUrl: string) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const store of ['sqlite', 'postgres'] as const)
    results.push(await onEmptyDatabase(store, (databaseUrl) => work(STORE_NAMES[store], databaseUrl)))
  return results
}

/** Returns the URL of another database on the same server. */
export function withDatabase(url: string, name: string): string {
  const other = new URL(url)
  other.pathname = `/${name}`
  return other.href
}

/** Writes ten years of synthetic incidents, which the service loads when it starts. */
export async function writeHistory(databaseUrl: string, count: number, seed: number): Promise<void> {
  await using store = await openStore(databaseUrl)
  const until = Date.now()
  await fillWithHistory({ store, now: Date.now, places, seed, count, from: until - TEN_YEARS_MS, until })
}
