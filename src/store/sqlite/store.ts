import { Chunks } from '../chunks.ts'
import { eventsOf, planOf } from '../plan.ts'
import { type Incidents, type Store, StoreUnusable } from '../store.ts'
import { Connection } from './connection.ts'
import { Listeners } from './listen.ts'

export interface SqliteOptions {
  /** How long a write waits for another process's before the store counts as away, in milliseconds. */
  readonly busyTimeout?: number
  /** How often to look for what other processes have appended, in milliseconds. */
  readonly pollInterval?: number
}

export async function openSqlite(path: string, options: SqliteOptions = {}): Promise<Store> {
  const connection = new Connection({ path, busyTimeout: options.busyTimeout ?? 2_000 })
  const events = connection.noun('events')
  const listeners = new Listeners(() => events.head(), options.pollInterval ?? 250)
  try {
    await events.head()
  } catch (error) {
    await connection[Symbol.asyncDispose]()
    // Whoever has to mend it should know which file.
    throw error instanceof StoreUnusable ? new StoreUnusable(`${path}: ${error.message}`, { cause: error }) : error
  }
  return {
    incidents: incidentsOf(connection, listeners),
    events: {
      after: (seq, limit) => events.after(seq, limit),
      head: () => events.head(),
      onAppend: (listener) => listeners.add(listener),
    },
    publishers: connection.noun('publishers'),
    imports: connection.noun('imports'),
    accounts: connection.noun('accounts'),
    keys: connection.noun('keys'),
    signups: connection.noun('signups'),
    usage: connection.noun('usage'),
    idempotency: connection.noun('idempotency'),
    async [Symbol.asyncDispose]() {
      listeners[Symbol.dispose]()
      await connection[Symbol.asyncDispose]()
    },
  }
}

function incidentsOf(connection: Connection, listeners: Listeners): Incidents {
  const incidents = connection.noun('incidents')
  const snapshots = connection.noun('snapshots')
  return {
    async save(changes, now) {
      const plan = planOf(changes, now)
      if (plan.rows.length === 0) return []
      const head = await incidents.save(plan)
      if (plan.events.length > 0) listeners.appended(head.seq)
      return eventsOf(plan, head)
    },

    find: (id) => incidents.find(id),
    files: (ids) => incidents.files(ids),
    queue: (status, limit, before) => incidents.queue(status, limit, before),
    openReports: (from, to, limit) => incidents.openReports(from, to, limit),
    history: (id) => incidents.history(id),

    async snapshot() {
      const { id, head, retracted } = await snapshots.open()
      const chunks = new Chunks(
        () => snapshots.next(id),
        // Where it cannot be closed, its thread is gone, and the snapshot with it.
        () => snapshots.close(id).catch(() => {}),
      )
      return { head, retracted, chunks }
    },
  }
}
