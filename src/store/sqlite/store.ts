import { PrefetchedChunks } from '../shared/document-chunks.ts'
import { tightenMode } from '../shared/file-modes.ts'
import { eventsWritten, planWrite } from '../shared/write-plan.ts'
import {
  type Accounts,
  type Deliveries,
  type Desk,
  type FanOut,
  type Incidents,
  type Owners,
  type Redactions,
  type Store,
  type StoredGazetteer,
  StoreUnusable,
  type Tips,
  type Watches,
} from '../store.ts'
import { SqliteConnection, type TableSource } from './connection/connection.ts'
import { MEMORY } from './connection/database.ts'
import { Listeners } from './connection/listen.ts'

export interface SqliteOptions {
  /** Milliseconds a write waits for another process; then it rejects with `StoreUnavailable`. */
  readonly busyTimeout?: number
  /** Milliseconds between polls for other processes' changes. */
  readonly pollInterval?: number
}

export async function openSqlite(
  path: string,
  options: SqliteOptions = {},
  onWarning: (message: string) => void = () => {},
): Promise<Store> {
  if (path !== MEMORY) for (const suffix of ['', '-wal', '-shm']) tightenMode(path + suffix, onWarning)
  const connection = new SqliteConnection({ path, busyTimeout: options.busyTimeout ?? 2_000 })
  const events = connection.table('events')
  const counters = connection.table('changeCounters')
  const listeners = new Listeners(() => counters.read(), options.pollInterval ?? 250)
  try {
    await events.head()
  } catch (error) {
    await connection[Symbol.asyncDispose]()
    // Names the file, for the operator who has to repair it.
    throw error instanceof StoreUnusable ? new StoreUnusable(`${path}: ${error.message}`, { cause: error }) : error
  }
  return {
    incidents: incidentsOf(connection, listeners),
    desk: deskOf(connection, listeners),
    audit: connection.table('audit'),
    events: {
      after: (seq, limit) => events.after(seq, limit),
      documentBefore: (incidentId, seq) => events.documentBefore(incidentId, seq),
      head: () => events.head(),
      skipAhead: (count) => events.skipAhead(count),
      lastBeforeGap: (seq) => events.lastBeforeGap(seq),
      onAppend: (listener) => listeners.add('events', listener),
    },
    redactions: redactionsOf(connection, listeners),
    publishers: connection.table('publishers'),
    gazetteer: gazetteerOf(connection, listeners),
    imports: connection.table('imports'),
    accounts: accountsOf(connection, listeners),
    keys: connection.table('keys'),
    signups: connection.table('signups'),
    mails: connection.table('mails'),
    sessions: connection.table('sessions'),
    signInLinks: connection.table('signInLinks'),
    passkeys: connection.table('passkeys'),
    challenges: connection.table('challenges'),
    tips: tipsOf(connection, listeners),
    usage: connection.table('usage'),
    idempotency: connection.table('idempotency'),
    watches: watchesOf(connection, listeners),
    fanOut: fanOutOf(connection, listeners),
    deliveries: deliveriesOf(connection, listeners),
    owners: ownersOf(connection, listeners),
    quotas: null,
    withReceipt(receipt) {
      const tables = connection.withReceipt(receipt)
      return {
        incidents: incidentsOf(tables, listeners),
        desk: deskOf(tables, listeners),
        redactions: redactionsOf(tables, listeners),
        publishers: tables.table('publishers'),
        gazetteer: gazetteerOf(tables, listeners),
        accounts: accountsOf(tables, listeners),
        keys: tables.table('keys'),
        watches: watchesOf(tables, listeners),
        deliveries: deliveriesOf(tables, listeners),
        get receiptStored() {
          return tables.receiptStored
        },
      }
    },
    readTime: null,
    async [Symbol.asyncDispose]() {
      listeners[Symbol.dispose]()
      await connection[Symbol.asyncDispose]()
    },
  }
}

function incidentsOf(source: TableSource, listeners: Listeners): Incidents {
  const incidents = source.table('incidents')
  const snapshots = source.table('snapshots')
  return {
    async save(changes, now, checkpoint) {
      if (changes.length === 0 && checkpoint === undefined) return []
      const plan = planWrite(changes, now, checkpoint)
      const head = await incidents.save(plan)
      if (plan.events.length > 0) listeners.advanceTo('events', head.seq)
      // Tells those who follow the desk, or wait for a message that is due again.
      if (plan.incidents.some(({ deskEntry }) => deskEntry !== null)) listeners.poll()
      return eventsWritten(plan, head)
    },

    current: (ids) => incidents.current(ids),
    find: (id) => incidents.find(id),
    findRecords: (ids) => incidents.findRecords(ids),
    openReports: (from, to, limit) => incidents.openReports(from, to, limit),
    history: (id) => incidents.history(id),

    async snapshot() {
      const { id, head, retracted, merged } = await snapshots.open()
      const chunks = new PrefetchedChunks(
        () => snapshots.next(id),
        // Fails only if the thread has stopped, and the snapshot with it.
        () => snapshots.close(id).catch(() => {}),
      )
      return { head, retracted, merged, chunks }
    },
  }
}

function deskOf(source: TableSource, listeners: Listeners): Desk {
  const desk = source.table('desk')
  return {
    find: desk.find,
    counts: desk.counts,
    claimCounts: desk.claimCounts,
    claim: notifying(listeners, desk.claim),
    release: notifying(listeners, desk.release),
    changedAfter: desk.changedAfter,
    head: desk.head,
    addMissing: notifying(listeners, desk.addMissing),
    onChange: (listener) => listeners.add('desk', listener),
  }
}

function redactionsOf(source: TableSource, listeners: Listeners): Redactions {
  const { mergedInto, read, apply, list, unsettled, clearAnswers, erase, recordErased } = source.table('redactions')
  return {
    mergedInto,
    read,
    async apply({ changes, ...write }, now) {
      const plan = planWrite(changes, now)
      const head = await apply(write, plan)
      if (plan.events.length > 0) listeners.advanceTo('events', head.seq)
      listeners.poll()
      return eventsWritten(plan, head).map((event) => ({ ...event, redacted: true }))
    },
    list,
    unsettled,
    clearAnswers,
    erase,
    recordErased,
  }
}

function tipsOf(source: TableSource, listeners: Listeners): Tips {
  const { secret, findSubmission, add, findByReference, addTo, ofIncidents, deleteExpired } = source.table('tips')
  return {
    secret,
    findSubmission,
    add: notifying(listeners, (tip, report, submission) => add(tip, planWrite([report], tip.receivedAt), submission)),
    findByReference,
    addTo: notifying(listeners, ({ change, ...addition }, now) => addTo(addition, planWrite([change], now))),
    ofIncidents,
    deleteExpired,
  }
}

function accountsOf(source: TableSource, listeners: Listeners): Accounts {
  const { open, ensure, find, list, change, countWatches, listReports, hasReported, verifyEmail } =
    source.table('accounts')
  // Blocking an account changes its watches.
  const changeAccount = notifying(listeners, change)
  return { open, ensure, find, list, change: changeAccount, countWatches, listReports, hasReported, verifyEmail }
}

function gazetteerOf(source: TableSource, listeners: Listeners): StoredGazetteer {
  const gazetteer = source.table('gazetteer')
  return {
    changedAfter: gazetteer.changedAfter,
    list: gazetteer.list,
    find: gazetteer.find,
    count: gazetteer.count,
    add: notifying(listeners, gazetteer.add),
    remove: notifying(listeners, gazetteer.remove),
    stage: gazetteer.stage,
    applyStaged: notifying(listeners, gazetteer.applyStaged),
    discardStaged: gazetteer.discardStaged,
    onChange: (listener) => listeners.add('gazetteer', listener),
  }
}

function watchesOf(source: TableSource, listeners: Listeners): Watches {
  const watches = source.table('watches')
  return {
    add: notifying(listeners, watches.add),
    find: watches.find,
    list: watches.list,
    change: notifying(listeners, watches.change),
    disable: notifying(listeners, watches.disable),
    countWarning: watches.countWarning,
    resuming: watches.resuming,
    finishResuming: watches.finishResuming,
    remove: notifying(listeners, watches.remove),
    changedAfter: watches.changedAfter,
    storedSecrets: watches.storedSecrets,
    replaceSecrets: watches.replaceSecrets,
    pruneRemoved: watches.pruneRemoved,
    onChange: (listener) => listeners.add('watches', listener),
  }
}

function fanOutOf(source: TableSource, listeners: Listeners): FanOut {
  const fanOut = source.table('fanOut')
  return { lease: fanOut.lease, release: fanOut.release, write: notifying(listeners, fanOut.write) }
}

function deliveriesOf(source: TableSource, listeners: Listeners): Deliveries {
  const deliveries = source.table('deliveries')
  return {
    lease: deliveries.lease,
    postpone: deliveries.postpone,
    hasten: notifying(listeners, deliveries.hasten),
    recordAttempts: deliveries.recordAttempts,
    add: notifying(listeners, deliveries.add),
    list: deliveries.list,
    find: deliveries.find,
    redeliver: notifying(listeners, deliveries.redeliver),
    makeDue: notifying(listeners, deliveries.makeDue),
    countPending: deliveries.countPending,
    addTest: deliveries.addTest,
    recover: notifying(listeners, deliveries.recover),
    reschedule: notifying(listeners, deliveries.reschedule),
    queueDepth: deliveries.queueDepth,
    deleteExpired: deliveries.deleteExpired,
    onDue: (listener) => listeners.add('deliveries', listener),
  }
}

function ownersOf(source: TableSource, listeners: Listeners): Owners {
  const owners = source.table('owners')
  return { recordHeartbeat: owners.recordHeartbeat, releaseLeases: notifying(listeners, owners.releaseLeases) }
}

/** Polls the change counters after a write, which notifies the listeners. */
function notifying<Values extends unknown[], Result>(
  listeners: Listeners,
  call: (...values: Values) => Promise<Result>,
) {
  return async (...values: Values): Promise<Result> => {
    const result = await call(...values)
    listeners.poll()
    return result
  }
}
