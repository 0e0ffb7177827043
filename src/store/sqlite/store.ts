import { Chunks } from '../shared/chunks.ts'
import { eventsOf, planOf } from '../shared/write-plan.ts'
import {
  type Deliveries,
  type FanOut,
  type Incidents,
  type Owners,
  type Store,
  StoreUnusable,
  type Watches,
} from '../store.ts'
import { Connection } from './connection/connection.ts'
import { Listeners } from './connection/listen.ts'

export interface SqliteOptions {
  /** How long a write waits for another process's before the store counts as away, in milliseconds. */
  readonly busyTimeout?: number
  /** How often to look for what other processes have appended, in milliseconds. */
  readonly pollInterval?: number
}

export async function openSqlite(path: string, options: SqliteOptions = {}): Promise<Store> {
  const connection = new Connection({ path, busyTimeout: options.busyTimeout ?? 2_000 })
  const events = connection.noun('events')
  const marks = connection.noun('marks')
  const listeners = new Listeners(() => marks.read(), options.pollInterval ?? 250)
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
      documentBefore: (incidentId, seq) => events.documentBefore(incidentId, seq),
      head: () => events.head(),
      skipAhead: (count) => events.skipAhead(count),
      lastBeforeGap: (seq) => events.lastBeforeGap(seq),
      onAppend: (listener) => listeners.add('events', listener),
    },
    publishers: connection.noun('publishers'),
    imports: connection.noun('imports'),
    accounts: connection.noun('accounts'),
    keys: connection.noun('keys'),
    signups: connection.noun('signups'),
    usage: connection.noun('usage'),
    idempotency: connection.noun('idempotency'),
    watches: watchesOf(connection, listeners),
    fanOut: fanOutOf(connection, listeners),
    deliveries: deliveriesOf(connection, listeners),
    owners: ownersOf(connection, listeners),
    quotas: null,
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
    async save(changes, now, mark) {
      if (changes.length === 0 && mark === undefined) return []
      const plan = planOf(changes, now, mark)
      const head = await incidents.save(plan)
      if (plan.events.length > 0) listeners.reached('events', head.seq)
      return eventsOf(plan, head)
    },

    find: (id) => incidents.find(id),
    findRecords: (ids) => incidents.findRecords(ids),
    listByStatus: (status, limit, before) => incidents.listByStatus(status, limit, before),
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

function watchesOf(connection: Connection, listeners: Listeners): Watches {
  const watches = connection.noun('watches')
  return {
    add: waking(listeners, watches.add),
    find: watches.find,
    list: watches.list,
    change: waking(listeners, watches.change),
    remove: waking(listeners, watches.remove),
    changedAfter: watches.changedAfter,
    onChange: (listener) => listeners.add('watches', listener),
  }
}

function fanOutOf(connection: Connection, listeners: Listeners): FanOut {
  const fanOut = connection.noun('fanOut')
  return { lease: fanOut.lease, release: fanOut.release, write: waking(listeners, fanOut.write) }
}

function deliveriesOf(connection: Connection, listeners: Listeners): Deliveries {
  const deliveries = connection.noun('deliveries')
  return {
    lease: deliveries.lease,
    recordAttempts: deliveries.recordAttempts,
    add: waking(listeners, deliveries.add),
    list: deliveries.list,
    find: deliveries.find,
    redeliver: waking(listeners, deliveries.redeliver),
    recover: waking(listeners, deliveries.recover),
    reschedule: waking(listeners, deliveries.reschedule),
    queueDepth: deliveries.queueDepth,
    deleteExpired: deliveries.deleteExpired,
    onDue: (listener) => listeners.add('deliveries', listener),
  }
}

function ownersOf(connection: Connection, listeners: Listeners): Owners {
  const owners = connection.noun('owners')
  return { recordHeartbeat: owners.recordHeartbeat, releaseLeases: waking(listeners, owners.releaseLeases) }
}

/** Looks, once the call is done, whether it has given anybody something to wake up for. */
function waking<Values extends unknown[], Result>(listeners: Listeners, call: (...values: Values) => Promise<Result>) {
  return async (...values: Values): Promise<Result> => {
    const result = await call(...values)
    listeners.look()
    return result
  }
}
