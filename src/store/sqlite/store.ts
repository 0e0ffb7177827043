import { assembleStore } from '../assemble.ts'
import { PrefetchedChunks } from '../shared/document-chunks.ts'
import { tightenMode } from '../shared/file-modes.ts'
import { type Snapshot, type Store, StoreUnusable } from '../store.ts'
import { SqliteConnection } from './connection/connection.ts'
import { type Database, MEMORY } from './connection/database.ts'
import { Listeners } from './connection/listen.ts'
import type { DatabaseThreads } from './connection/threads.ts'
import { type DatabaseFile, tablesOf } from './tables.ts'

export interface SqliteOptions {
  /** Milliseconds a write waits for another process; then it rejects with `StoreUnavailable`. */
  readonly busyTimeout?: number
  /** Milliseconds between polls for other processes' changes. */
  readonly pollInterval?: number
  /** Leaves files that others can read as they are: for looking only. */
  readonly leaveModes?: true
  /** Tests, which open thousands of databases, use threads again. */
  readonly threads?: DatabaseThreads
}

export async function openSqlite(
  path: string,
  options: SqliteOptions = {},
  onWarning: (message: string) => void = () => {},
): Promise<Store> {
  if (path !== MEMORY && !options.leaveModes)
    for (const suffix of ['', '-wal', '-shm']) tightenMode(path + suffix, onWarning)
  const file = { path, busyTimeout: options.busyTimeout ?? 2_000 }
  const connection = new SqliteConnection(file, options.threads)
  const counters = connection.table('changeCounters')
  const listeners = new Listeners(() => counters.read(), options.pollInterval ?? 250)
  connection.onNotified = () => listeners.poll()
  try {
    await connection.table('events').head()
  } catch (error) {
    await connection[Symbol.asyncDispose]()
    // Names the file, for the operator who has to repair it.
    throw error instanceof StoreUnusable ? new StoreUnusable(`${path}: ${error.message}`, { cause: error }) : error
  }
  const store = assembleStore({
    call: (part, method, values) => connection.call(part, method, values).then(({ value }) => value),
    callAttaching: (attached, part, method, values) => connection.call(part, method, values, attached),
    ownMethods: methodsOf(file),
    snapshot: () => openSnapshot(connection),
    listen: (topic, listener) => listeners.add(topic, listener),
    onAppended: ({ seq }) => listeners.advanceTo('events', seq),
  })
  return {
    ...store,
    quotas: null,
    readTime: null,
    async [Symbol.asyncDispose]() {
      listeners[Symbol.dispose]()
      await connection[Symbol.asyncDispose]()
    },
  }
}

/** While parts are moved to `queries`. */
function methodsOf(file: DatabaseFile): Record<string, string[]> {
  const tables = Object.entries(tablesOf({} as Database, file))
  return Object.fromEntries(tables.map(([name, methods]) => [name, Object.keys(methods)]))
}

async function openSnapshot(connection: SqliteConnection): Promise<Snapshot> {
  const snapshots = connection.table('snapshots')
  const { id, head, retracted, merged } = await snapshots.open()
  const chunks = new PrefetchedChunks(
    () => snapshots.next(id),
    // Fails only if the thread has stopped, and the snapshot with it.
    () => snapshots.close(id).catch(() => {}),
  )
  return { head, retracted, merged, chunks }
}
