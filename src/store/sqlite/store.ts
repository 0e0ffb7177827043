import { existsSync } from 'node:fs'
import { machine, type Runtime, type Timer } from '../../lib/runtime.ts'
import { assembleStore, type Call } from '../assemble.ts'
import { MEMORY, tightenMode } from '../files.ts'
import { type Migrating, migratingFrom, pendingMigrations } from '../migrations.ts'
import { PrefetchedChunks } from '../queries/snapshot.ts'
import { type DocumentChunk, type NotificationTopic, type Snapshot, type Store, StoreUnusable } from '../store.ts'
import { type DatabaseThreads, SqliteConnection } from './connection.ts'
import { openForReading } from './database.ts'
import { requireUsablePlace } from './database-file.ts'
import { MIGRATIONS, schemaOf } from './migrate.ts'
import type { ChangeCounters, Tables } from './served-database.ts'

const READING_TIMEOUT_MS = 100

export interface SqliteOptions {
  /** Milliseconds a write waits for another process; then it rejects with `StoreUnavailable`. */
  readonly busyTimeout?: number
  /** Milliseconds between polls for other processes' changes. */
  readonly pollInterval?: number
  readonly runtime?: Runtime
  /** Leaves files that others can read as they are: for looking only. */
  readonly leaveModes?: true
  /** Tests, which open thousands of databases, use threads again. */
  readonly threads?: DatabaseThreads
  /** The clock of a database that several machines share, as a simulation has it. */
  readonly readTime?: () => Promise<number>
}

export async function openSqlite(
  path: string,
  options: SqliteOptions = {},
  onWarning: (message: string) => void = () => {},
  onMigrating: (migrating: Migrating) => void = () => {},
): Promise<Store> {
  if (path !== MEMORY) requireUsablePlace(path)
  if (path !== MEMORY && !options.leaveModes)
    for (const suffix of ['', '-wal', '-shm']) tightenMode(path + suffix, onWarning)
  // Later: SQLite gives the files that it makes for reading the mode of the database.
  const migrating = migratingAt(path)
  if (migrating !== null) onMigrating(migrating)
  const file = { path, busyTimeout: options.busyTimeout ?? 2_000 }
  const connection = new SqliteConnection(file, options.threads)
  const call: Call = (part, method, values) => connection.call(part, method, values).then(({ value }) => value)
  const readCounters = () => call('changeCounters', 'read', []) as Promise<ChangeCounters>
  const runtime = options.runtime ?? machine
  const listeners = new Listeners(readCounters, options.pollInterval ?? 250, runtime)
  connection.onNotified = () => listeners.poll()
  try {
    await call('events', 'head', [])
  } catch (error) {
    await connection[Symbol.asyncDispose]()
    // Names the file, for the operator who has to repair it.
    throw error instanceof StoreUnusable ? new StoreUnusable(`${path}: ${error.message}`, { cause: error }) : error
  }
  const store = assembleStore({
    call,
    callAttaching: (attached, part, method, values) => connection.call(part, method, values, attached),
    snapshot: () => openSnapshot(call),
    listen: (topic, listener) => listeners.add(topic, listener),
    onAppended: ({ seq }) => listeners.advanceTo('events', seq),
    quotas: null,
    elapsed: runtime.elapsed,
  })
  return {
    ...store,
    readTime: options.readTime ?? null,
    async [Symbol.asyncDispose]() {
      listeners[Symbol.dispose]()
      await connection[Symbol.asyncDispose]()
    },
  }
}

/** Null if nothing is to be done, and for a file that the thread, which opens it, will refuse. */
function migratingAt(path: string): Migrating | null {
  try {
    const isNew = path === MEMORY || !existsSync(path)
    using database = isNew ? null : openForReading(path, READING_TIMEOUT_MS)
    const state = database === null ? { version: 0, needs: 0 } : schemaOf(database)
    const pending = pendingMigrations(MIGRATIONS, state)
    return pending.length === 0 ? null : migratingFrom(state.version, pending)
  } catch {
    return null
  }
}

async function openSnapshot(call: Call): Promise<Snapshot> {
  const { id, ...head } = (await call('snapshots', 'open', [])) as ReturnType<Tables['snapshots']['open']>
  const chunks = new PrefetchedChunks(
    () => call('snapshots', 'next', [id]) as Promise<DocumentChunk | null>,
    // Fails only if the thread has stopped, and the snapshot with it.
    () => call('snapshots', 'close', [id]).then(undefined, () => {}) as Promise<void>,
  )
  return { ...head, chunks }
}

/** Notifies listeners: of this store's changes at once, of other processes' by polling. */
class Listeners implements Disposable {
  readonly #readCounters: () => Promise<ChangeCounters>
  readonly #interval: number
  readonly #runtime: Runtime
  readonly #listeners = new Set<{ topic: NotificationTopic; call: () => void }>()
  readonly #seen: ChangeCounters = { events: 0, watches: 0, deliveries: 0, desk: 0, gazetteer: 0 }
  #timer: Timer | null = null

  constructor(readCounters: () => Promise<ChangeCounters>, interval: number, runtime: Runtime) {
    this.#runtime = runtime
    this.#readCounters = readCounters
    this.#interval = interval
  }

  add(topic: NotificationTopic, call: () => void): () => void {
    // Allows adding a function twice.
    const entry = { topic, call }
    this.#listeners.add(entry)
    this.#timer ??= this.#runtime.setInterval(() => this.poll(), this.#interval)
    return () => {
      this.#listeners.delete(entry)
      if (this.#listeners.size === 0) this[Symbol.dispose]()
    }
  }

  advanceTo(topic: NotificationTopic, counter: number): void {
    if (counter <= this.#seen[topic]) return
    this.#seen[topic] = counter
    for (const listener of this.#listeners) {
      // Outside the call that made the change, so that a listener's error does not reject it.
      if (listener.topic === topic) queueMicrotask(listener.call)
    }
  }

  poll(): void {
    if (this.#listeners.size === 0) return
    // While the database is unavailable nothing is written; the next poll finds what was missed.
    this.#readCounters().then(
      (counters) => {
        for (const topic of Object.keys(counters) as NotificationTopic[]) this.advanceTo(topic, counters[topic])
      },
      () => {},
    )
  }

  [Symbol.dispose](): void {
    this.#runtime.clear(this.#timer)
    this.#timer = null
  }
}
