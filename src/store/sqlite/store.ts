import { tightenMode } from '../shared/file-modes.ts'
import { type Store, StoreUnusable } from '../store.ts'
import { SqliteConnection } from './connection/connection.ts'
import { MEMORY } from './connection/database.ts'
import { Listeners } from './connection/listen.ts'
import type { DatabaseThreads } from './connection/threads.ts'
import { deskOf, gazetteerOf, incidentsOf, redactionsOf, sourcesOf, tipsOf } from './incident-parts.ts'
import {
  accountsOf,
  alertsOf,
  areasOf,
  deliveriesOf,
  fanOutOf,
  ownersOf,
  siteListsOf,
  watchesOf,
} from './store-parts.ts'
import { receiptStore, writableStore } from './writable-store.ts'

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
  const connection = new SqliteConnection({ path, busyTimeout: options.busyTimeout ?? 2_000 }, options.threads)
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
      versionsBefore: (incidentId, seq, limit) => events.versionsBefore(incidentId, seq, limit),
      ofIncident: (incidentId, limit) => events.ofIncident(incidentId, limit),
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
    areas: areasOf(connection, listeners),
    siteLists: siteListsOf(connection, listeners),
    watches: watchesOf(connection, listeners),
    alerts: alertsOf(connection, listeners),
    fanOut: fanOutOf(connection, listeners),
    deliveries: deliveriesOf(connection, listeners),
    push: connection.table('push'),
    listening: connection.table('listening'),
    owners: ownersOf(connection, listeners),
    sources: sourcesOf(connection, listeners),
    backups: connection.table('backups'),
    quotas: null,
    withReceipt: (receipt) => receiptStore(connection, listeners, receipt),
    withAudit: (auditEntry) => writableStore(connection, listeners, { auditEntry }),
    readTime: null,
    async [Symbol.asyncDispose]() {
      listeners[Symbol.dispose]()
      await connection[Symbol.asyncDispose]()
    },
  }
}
