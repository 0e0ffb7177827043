import { assembleStore, type OwnParts } from '../assemble.ts'
import { storeAuditEntry } from '../queries/audit.ts'
import { storeReceipt } from '../queries/idempotency.ts'
import { queries } from '../queries/queries.ts'
import type { Query as StoreQuery } from '../queries/query.ts'
import { type AttachedRecords, isRefusal } from '../shared/attached-records.ts'
import type { Store } from '../store.ts'
import { type PostgresConnection, PostgresPool, performWithin, type Query, withinTransaction } from './connection.ts'
import { eraseOverwritten } from './erase.ts'
import { addDeliveries, writeChunk } from './fan-out.ts'
import { leasing } from './lease.ts'
import { Listeners } from './listen.ts'
import { migrate } from './migrate.ts'
import { quotas } from './quotas.ts'
import { recordAttempts } from './record-attempts.ts'
import { Servers, sessionLimits } from './servers.ts'
import { snapshot } from './snapshot.ts'

export interface PostgresOptions {
  /** Most connections at a time, excluding the one that listens for notifications. */
  readonly connections?: number
  /** Milliseconds to connect; then calls reject with `StoreUnavailable`. */
  readonly connectTimeout?: number
  /** Milliseconds per statement; the other limits of a session follow from it. */
  readonly statementTimeout?: number
}

export async function openPostgres(databaseUrl: string, options: PostgresOptions = {}): Promise<Store> {
  const connect = options.connectTimeout ?? 3_000
  const servers = new Servers(databaseUrl)
  await migrate(servers, connect)
  const timeouts = { ...sessionLimits(options.statementTimeout), connect }
  const connection = new PostgresPool(servers, options.connections ?? 10, timeouts)
  const listeners = new Listeners(servers, connect)
  const own = ownParts(connection)
  const store = assembleStore({
    call: (part, method, values) => callOn(connection, own, part, method, values),
    callAttaching: (attached, part, method, values) =>
      connection.transaction(async (query) => {
        const within = withinTransaction(query)
        const value = await callOn(within, ownParts(within), part, method, values)
        return { value, receiptStored: !isRefusal(value) && (await storeRecords(query, attached, value)) }
      }),
    snapshot: () => snapshot(connection),
    listen: (topic, listener) => listeners.add(topic, listener),
    onAppended() {},
  })
  return {
    ...store,
    quotas: quotas(connection),
    async readTime() {
      const [row] = await connection.query<{ now: number }>(
        'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
      )
      return row!.now
    },
    async [Symbol.asyncDispose]() {
      await listeners[Symbol.asyncDispose]()
      await connection[Symbol.asyncDispose]()
    },
  }
}

type Methods = Readonly<Record<string, (...values: readonly unknown[]) => unknown>>

async function callOn(
  connection: PostgresConnection,
  own: OwnParts,
  part: string,
  method: string,
  values: readonly unknown[],
): Promise<unknown> {
  const query = (queries as unknown as Record<string, Methods | undefined>)[part]?.[method]
  if (query !== undefined) return connection.perform(query(...values) as StoreQuery<unknown>)
  return (own as unknown as Record<string, Methods>)[part]![method]!(...values)
}

/** True if a receipt was among them. */
async function storeRecords(query: Query, { receipt, auditEntry }: AttachedRecords, result: unknown): Promise<boolean> {
  if (auditEntry !== undefined) await performWithin(query, storeAuditEntry(auditEntry))
  if (receipt !== undefined) await performWithin(query, storeReceipt(receipt, result))
  return receipt !== undefined
}

function ownParts(connection: PostgresConnection): OwnParts {
  return {
    deliveries: {
      ...leasing(connection),
      recordAttempts: (owner, results, now) =>
        connection.transaction((query) => recordAttempts(query, owner, results, now)),
      add: (deliveries, now) => addDeliveries(connection, deliveries, now),
    },
    fanOut: { write: (...values) => writeChunk(connection, ...values) },
    redactions: { erase: () => eraseOverwritten(connection) },
  }
}
