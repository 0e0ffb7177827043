import { availableParallelism } from 'node:os'
import type { Duplex } from 'node:stream'
import { machine, type Runtime } from '../../lib/runtime.ts'
import { assembleStore, type OwnParts } from '../assemble.ts'
import { explainedBySchema, type Migrating, SELECT_STATE, schemaStateOf } from '../migrations.ts'
import { storeAttached } from '../queries/idempotency.ts'
import { queries } from '../queries/queries.ts'
import type { Query as StoreQuery } from '../queries/query.ts'
import { REDACTED_TABLES } from '../queries/redactions.ts'
import type { QuotaReservation, Quotas, Store } from '../store.ts'
import { type PostgresConnection, PostgresPool, performWithin, withinTransaction } from './connection.ts'
import { mayComeOfSchema } from './errors.ts'
import { addDeliveries, writeChunk } from './fan-out.ts'
import { leasing } from './lease.ts'
import { Listeners } from './listen.ts'
import { MIGRATIONS, migrate } from './migrate.ts'
import { recordAttempts } from './record-attempts.ts'
import { findPooling, LONG_LIMITS, Servers, sessionLimits } from './servers.ts'
import { snapshot } from './snapshot.ts'
import { type StandbyOptions, StandbyReader } from './standby.ts'

export interface PostgresOptions {
  /** Most connections for requests at a time; a node has others for itself and for `LISTEN`. */
  readonly connections?: number
  /** Milliseconds to connect; then calls reject with `StoreUnavailable`. */
  readonly connectTimeout?: number
  /** Milliseconds to wait for a free connection; then calls reject with `StoreBusy`. */
  readonly waitTimeout?: number
  /** Milliseconds per statement; the other limits of a session follow from it. */
  readonly statementTimeout?: number
  readonly runtime?: Runtime
  /** The way to the server, as a simulation has it; by default a socket. */
  readonly stream?: () => Duplex
  /** Standbys from which the node loads and follows the log; by default it reads the primary. */
  readonly standby?: StandbyOptions
  /** Replaces the server's clock. */
  readonly readTime?: () => Promise<number>
}

const WAIT_MS = 5_000
/** Not for each core of the server, which this machine does not know: the other nodes share it. */
const CONNECTIONS_PER_CORE = 4
const DEFAULT_CONNECTIONS = Math.min(32, Math.max(4, CONNECTIONS_PER_CORE * availableParallelism()))

/** Connections of calls that requests must not keep waiting. */
const OWN_CONNECTIONS = 3
/**
 * A node makes these calls by itself: it follows what others write, says that it is alive, and
 * leases. Late, it would be taken for dead.
 */
const CALLS_OF_NODE: Readonly<Record<string, readonly string[] | 'all'>> = {
  clock: 'all',
  deliveries: ['lease', 'leaseOfWatch', 'leaseForSameRecipient', 'postpone', 'recordAttempts'],
  events: ['follow', 'head'],
  fanOut: 'all',
  keys: ['revokedSince'],
  owners: 'all',
  watches: ['changedAfter'],
}

/** To a standby: for the follower and a snapshot, and as many for requests. */
const STANDBY_CONNECTIONS = 2

const SHARED_SESSIONS =
  'DATABASE_URL leads to a pooler that lends a connection for one transaction (PgBouncer: pool_mode = transaction): everything works, but notifications do not arrive, so that what another node writes is seen up to a second later; pool_mode = session delivers them'

function isOfNode(part: string, method: string): boolean {
  const methods = CALLS_OF_NODE[part]
  return methods === 'all' || (methods !== undefined && methods.includes(method))
}

export async function openPostgres(
  databaseUrl: string,
  options: PostgresOptions = {},
  onWarning: (message: string) => void = () => {},
  onMigrating: (migrating: Migrating) => void = () => {},
): Promise<Store> {
  const connect = options.connectTimeout ?? 3_000
  const servers = new Servers(databaseUrl, options.stream)
  await migrate(servers, connect, MIGRATIONS, onMigrating)
  const pooling = servers.isPooled ? await findPooling(servers, { connectionTimeoutMillis: connect }) : 'none'
  if (pooling === 'transaction') onWarning(SHARED_SESSIONS)
  const runtime = options.runtime ?? machine
  const timeouts = { ...sessionLimits(options.statementTimeout), connect, wait: options.waitTimeout ?? WAIT_MS }
  const connection = new PostgresPool(servers, options.connections ?? DEFAULT_CONNECTIONS, timeouts, runtime)
  const nodes = new PostgresPool(servers, OWN_CONNECTIONS, timeouts, runtime)
  const canListen = pooling !== 'transaction'
  const listeners = new Listeners(servers, connect, runtime, canListen)
  const [parts, nodesParts] = [ownParts(connection), ownParts(nodes)]
  const store = assembleStore({
    call: (part, method, values) =>
      explained(
        connection,
        isOfNode(part, method)
          ? callOn(nodes, nodesParts, part, method, values)
          : callOn(connection, parts, part, method, values),
      ),
    callAttaching: (attached, part, method, values) =>
      explained(
        connection,
        connection.transaction(async (query) => {
          const within = withinTransaction(query)
          const value = await callOn(within, ownParts(within), part, method, values)
          return { value, receiptStored: await performWithin(query, storeAttached(attached, value)) }
        }),
      ),
    snapshot: () => snapshot(connection, servers),
    listen: (topic, listener) => listeners.add(topic, listener),
    onAppended() {
      if (!canListen) listeners.notify('events')
    },
    quotas: quotas(connection),
    elapsed: runtime.elapsed,
  })
  const standby = options.standby === undefined ? null : openStandby(options.standby)
  return {
    ...store,
    ...(standby && { reader: standby }),
    readTime: options.readTime ?? (() => readTime(nodes)),
    async [Symbol.asyncDispose]() {
      await standby?.[Symbol.asyncDispose]()
      await listeners[Symbol.asyncDispose]()
      await Promise.all([connection[Symbol.asyncDispose](), nodes[Symbol.asyncDispose]()])
    },
  }

  function openStandby({ url, ...standbyOptions }: StandbyOptions): StandbyReader {
    const standbys = new Servers(url, options.stream, 'standby')
    const primary = { ...store.reader, head: store.events.head }
    const own = new PostgresPool(standbys, STANDBY_CONNECTIONS, timeouts, runtime)
    const ofRequests = new PostgresPool(standbys, STANDBY_CONNECTIONS, timeouts, runtime)
    return new StandbyReader({ primary, servers: standbys, own, ofRequests, runtime }, standbyOptions)
  }
}

/** A statement that fails may do so because a newer build has migrated the database. */
async function explained<Result>({ query }: PostgresConnection, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (!mayComeOfSchema(error)) throw error
    const [row] = await query<Parameters<typeof schemaStateOf>[0]>(SELECT_STATE)
    throw explainedBySchema(error, MIGRATIONS, schemaStateOf(row!))
  }
}

async function readTime({ query }: PostgresConnection): Promise<number> {
  const [row] = await query<{ now: number }>('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now')
  return row!.now
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

/**
 * Makes the room of overwritten rows free for others. Their bytes stay in the files until new rows
 * take that room; the server's log, replicas and backups keep them longer (docs/redaction.md).
 */
function eraseOverwritten(connection: PostgresConnection): Promise<void> {
  return connection.borrow(async ({ query, release }) => {
    // VACUUM runs outside of a transaction: the limits are those of the session, which ends here.
    await query(`SELECT set_config('statement_timeout', '${LONG_LIMITS.statement}', false),
                        set_config('lock_timeout', '${LONG_LIMITS.lock}', false)`)
    await query(
      `SELECT set_config('transaction_timeout', '0', false) WHERE current_setting('transaction_timeout', true) IS NOT NULL`,
    )
    for (const table of REDACTED_TABLES) await query(`VACUUM ${table}`)
    release()
  }, LONG_LIMITS)
}

/** The table is named `budgets`. It is unlogged: a reservation does not wait for the disk. */
function quotas(connection: PostgresConnection): Quotas {
  return {
    async reserve(requests, now) {
      // Ordered, to prevent deadlocks. A window that ends more than twice its length from now
      // predates a clock rollback and is replaced; one ending a little late is from a node whose
      // clock is ahead.
      const rows = await connection.query<QuotaReservation & { caller: string }>(
        `INSERT INTO budgets AS budget (caller, ends_at, most, drawn, drawn_before)
         SELECT caller, $5 + length, most, least(amount, most), 0
         FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[]) AS asked (caller, amount, most, length)
         ORDER BY caller COLLATE "C"
         ON CONFLICT (caller) DO UPDATE SET
           most = excluded.most,
           ends_at = CASE
             WHEN budget.ends_at BETWEEN $5 + 1 AND $5 + 2 * (excluded.ends_at - $5) THEN budget.ends_at
             ELSE excluded.ends_at
           END,
           drawn = CASE
             WHEN budget.ends_at BETWEEN $5 + 1 AND $5 + 2 * (excluded.ends_at - $5)
             THEN greatest(budget.drawn, least(budget.drawn + excluded.drawn, excluded.most))
             ELSE excluded.drawn
           END,
           drawn_before = CASE
             WHEN budget.ends_at BETWEEN $5 + 1 AND $5 + 2 * (excluded.ends_at - $5) THEN budget.drawn
             ELSE 0
           END
         RETURNING caller, drawn - drawn_before AS amount, greatest(0, most - drawn) AS left, ends_at AS "endsAt"`,
        [
          requests.map(({ caller }) => caller),
          requests.map(({ amount }) => amount),
          requests.map(({ limit }) => limit),
          requests.map(({ window }) => window),
          now,
        ],
      )
      const reserved = new Map(rows.map(({ caller, ...row }) => [caller, row]))
      return requests.map(({ caller }) => reserved.get(caller)!)
    },

    async deleteExpired(now) {
      // Skips locked rows: waiting for one while holding another could deadlock.
      await connection.query(
        `DELETE FROM budgets WHERE caller = ANY (ARRAY(
           SELECT caller FROM budgets WHERE ends_at <= $1 FOR UPDATE SKIP LOCKED
         ))`,
        [now],
      )
    },
  }
}
