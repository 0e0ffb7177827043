import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore, type StoreOptions } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { keptThreads } from '../support/databases/kept-threads.ts'
import { testDatabase } from '../support/databases/postgres.ts'

/** Long timeouts, so that a busy machine does not look like an outage. */
const LONG_TIMEOUTS = {
  sqlite: { busyTimeout: 60_000 },
  postgres: { connectTimeout: 60_000, statementTimeout: 60_000 },
}

/** A new database without content, and a function that opens it. */
export interface EmptyDatabase extends AsyncDisposable {
  readonly url: string
  /** True if several stores can be opened on the same database. */
  readonly shared: boolean
  open(options?: StoreOptions): Promise<Store>
}

export async function emptySqlite(): Promise<EmptyDatabase & { readonly directory: string; readonly path: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'incident-feed-sqlite-'))
  const path = join(directory, 'made', 'on', 'demand', 'feed.db')
  const remove = () => rm(directory, { recursive: true, force: true })
  return { ...databaseAt(`sqlite:${path}`, true, remove), directory, path }
}

export async function emptyMemory(): Promise<EmptyDatabase> {
  return databaseAt('sqlite::memory:', false, async () => {})
}

export async function emptyPostgres(): Promise<EmptyDatabase> {
  const database = await testDatabase()
  return databaseAt(database.url, true, async () => database[Symbol.asyncDispose]())
}

function databaseAt(url: string, shared: boolean, remove: () => Promise<void>): EmptyDatabase {
  const open = ({ sqlite, postgres }: StoreOptions = {}) =>
    openStore(url, {
      sqlite: { ...LONG_TIMEOUTS.sqlite, threads: keptThreads, ...sqlite },
      postgres: { ...LONG_TIMEOUTS.postgres, ...postgres },
    })
  return { url, shared, open, [Symbol.asyncDispose]: remove }
}
