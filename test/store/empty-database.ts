import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after } from 'node:test'
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

export interface SqliteFile extends EmptyDatabase {
  readonly directory: string
  readonly path: string
}

export async function emptySqlite(): Promise<SqliteFile> {
  const directory = await mkdtemp(join(tmpdir(), 'incident-feed-sqlite-'))
  const path = join(directory, 'made', 'on', 'demand', 'feed.db')
  const remove = () => rm(directory, { recursive: true, force: true })
  return { ...databaseAt(`sqlite:${path}`, true, remove), directory, path }
}

let template: Promise<SqliteFile> | null = null

// Registered at the top level: inside a test it would be a hook of that test only.
after(async () => (await template)?.[Symbol.asyncDispose]())

/** Copies a migrated file: the migrations take longer than most tests. */
export async function migratedSqlite(): Promise<SqliteFile> {
  template ??= createMigrated()
  const [{ path: migrated }, database] = await Promise.all([template, emptySqlite()])
  await mkdir(dirname(database.path), { recursive: true })
  await copyFile(migrated, database.path)
  return database
}

/** Closing the only connection leaves no write-ahead log: the file is the whole database. */
async function createMigrated(): Promise<SqliteFile> {
  const database = await emptySqlite()
  const store = await database.open()
  await store[Symbol.asyncDispose]()
  return database
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

const STORES = 3

/** Opens several stores on one database, or uses one store several times if it cannot be shared. */
export async function openSeveral(database: EmptyDatabase): Promise<AsyncDisposable & { at(index: number): Store }> {
  const stores = await Promise.all(Array.from({ length: database.shared ? STORES : 1 }, () => database.open()))
  return {
    at: (index) => stores[index % stores.length]!,
    async [Symbol.asyncDispose]() {
      await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()))
    },
  }
}
