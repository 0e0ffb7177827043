import pg from 'pg'
import { machine, type Runtime } from '../../lib/runtime.ts'
import { checkText, type Statement, type Query as StoreQuery } from '../queries/query.ts'
import { StoreUnavailable } from '../store.ts'
import { ConnectionQueue } from './connection-queue.ts'
import { withStoreErrors } from './errors.ts'
import { beginWith, LONG_LIMITS, limitSession, type Servers, type SessionLimits } from './servers.ts'
import { copyOut, textArray } from './wire-formats.ts'

type Value = string | number | boolean | null | Uint8Array | readonly (string | number | boolean | null)[]

export interface Query {
  <Row extends object>(sql: string, values?: readonly Value[]): Promise<Row[]>
  /** Returns the number of rows that the statement changed. */
  count(sql: string, values?: readonly Value[]): Promise<number>
}

/** Reads a SELECT's rows as bytes; passes each row's fields to `onRow`. */
export type Copy = (select: string, onRow: (fields: Buffer[]) => void) => Promise<void>

interface BorrowedConnection {
  readonly query: Query
  readonly copy: Copy
  release(): void
}

interface Timeouts extends SessionLimits {
  /** Time to open a connection, in milliseconds. */
  readonly connect: number
  /** Time to wait until one is free. */
  readonly wait: number
}

/** A hanging server cannot cancel its statement: this side gives up so much later. */
const GIVE_UP_AFTER_MS = 1_000

/** Parses bigint as a number: times and counts stay far below 2^53. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
}

export interface PostgresConnection {
  /** Awaits each statement of a query, in one transaction if it begins one. */
  perform<Result>(query: StoreQuery<Result>): Promise<Result>
  /** Runs one statement, as a transaction. */
  readonly query: Query
  /** Runs statements on one connection, each in a separate transaction. */
  withConnection<Result>(work: (query: Query) => Promise<Result>): Promise<Result>
  /**
   * Runs a transaction. A connection lost during COMMIT leaves the outcome unknown; that rejects
   * with `StoreUnavailable` too. `limits` replaces the limits of the session for this transaction.
   */
  transaction<Result>(work: (query: Query) => Promise<Result>, limits?: SessionLimits): Promise<Result>
  /**
   * Lends a connection beyond this call, until `release` is called or the store closes. This side
   * gives up on a statement as late as `limits` says; the caller sets the server's limits.
   */
  borrow<Result>(
    begin: (borrowed: BorrowedConnection) => Promise<Result>,
    limits: Pick<SessionLimits, 'statement'>,
  ): Promise<Result>
}

export class PostgresPool implements PostgresConnection, AsyncDisposable {
  readonly #servers: Servers
  /** One pool per server; only that of the primary has connections. */
  readonly #pools: ReadonlyMap<string, pg.Pool>
  readonly #queue: ConnectionQueue
  readonly #running = new Set<Promise<unknown>>()
  readonly #borrowed = new Set<pg.PoolClient>()
  readonly #limits: SessionLimits
  #closed: Promise<void> | null = null

  constructor(servers: Servers, connections: number, timeouts: Timeouts, runtime: Runtime = machine) {
    this.#servers = servers
    this.#queue = new ConnectionQueue({ connections, waitMs: timeouts.wait, runtime })
    this.#limits = timeouts
    this.#pools = new Map(servers.urls.map((url) => [url, poolOf(url, connections, timeouts, servers)]))
  }

  readonly query: Query = Object.assign(
    <Row extends object>(sql: string, values?: readonly Value[]) =>
      this.withConnection((query) => query<Row>(sql, values)),
    { count: (sql: string, values?: readonly Value[]) => this.withConnection((query) => query.count(sql, values)) },
  )

  perform<Result>(query: StoreQuery<Result>): Promise<Result> {
    return performOn(this, query)
  }

  withConnection<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
    return this.#track(this.#withConnection(work, this.#limits.statement))
  }

  transaction<Result>(work: (query: Query) => Promise<Result>, limits = this.#limits): Promise<Result> {
    const run = async (query: Query) => {
      await query(beginWith(limits, this.#servers))
      try {
        const result = await work(query)
        await query('COMMIT')
        return result
      } catch (error) {
        // The server rolls back a lost connection by itself; on a hanging one, ROLLBACK would hang.
        if (!(error instanceof StoreUnavailable)) await query('ROLLBACK').catch(() => {})
        throw error
      }
    }
    return this.#track(this.#withConnection(run, limits.statement))
  }

  borrow<Result>(
    begin: (borrowed: BorrowedConnection) => Promise<Result>,
    limits: Pick<SessionLimits, 'statement'>,
  ): Promise<Result> {
    return this.#track(this.#borrow(begin, limits.statement))
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#running)
    for (const client of this.#borrowed) client.release(true)
    this.#borrowed.clear()
    this.#queue[Symbol.dispose]()
    await Promise.all(Array.from(this.#pools.values(), (pool) => pool.end()))
  }

  #track<Result>(call: Promise<Result>): Promise<Result> {
    this.#running.add(call)
    const done = () => this.#running.delete(call)
    call.then(done, done)
    return call
  }

  async #borrow<Result>(
    begin: (borrowed: BorrowedConnection) => Promise<Result>,
    statementTimeout: number,
  ): Promise<Result> {
    const client = await this.#connect()
    this.#borrowed.add(client)
    const ifBorrowed = async <Value>(run: () => Promise<Value>): Promise<Value> => {
      if (!this.#borrowed.has(client)) throw new Error('The store is closed')
      return run()
    }
    // Closes the connection instead of reusing it, which also ends its transaction.
    const release = () => {
      if (this.#borrowed.delete(client)) this.#release(client, true)
    }
    try {
      return await begin({
        query: queryOf((sql, values) => ifBorrowed(() => runQuery(client, sql, values, statementTimeout))),
        copy: (select, onRow) =>
          ifBorrowed(() => withStoreErrors(copyOut(client, select, statementTimeout + GIVE_UP_AFTER_MS, onRow))),
        release,
      })
    } catch (error) {
      release()
      throw error
    }
  }

  async #withConnection<Result>(work: (query: Query) => Promise<Result>, statementTimeout: number): Promise<Result> {
    const client = await this.#connect()
    let broken = false
    const query = queryOf(async (sql, values) => {
      try {
        return await runQuery(client, sql, values, statementTimeout)
      } catch (error) {
        broken ||= error instanceof StoreUnavailable
        throw error
      }
    })
    try {
      return await work(query)
    } finally {
      this.#release(client, broken)
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    if (this.#closed) throw new Error('The store is closed')
    return this.#queue.take(() => this.#servers.tryEach((url) => this.#pools.get(url)!.connect()))
  }

  #release(client: pg.PoolClient, broken: boolean): void {
    client.release(broken || this.#queue.isOverfull)
    this.#queue.giveBack()
  }
}

function poolOf(url: string, connections: number, timeouts: Timeouts, servers: Servers): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    // Others may take all that are left while this node is idle.
    min: 1,
    types,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'incident-feed',
    connectionTimeoutMillis: timeouts.connect,
    ...servers.streams,
    onConnect: async (client) => {
      await servers.check(client)
      await limitSession(client, timeouts, servers)
    },
  })
  // Broken idle connections are replaced. Without a listener the event would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

type RunQuery = (sql: string, values?: readonly Value[]) => Promise<pg.QueryResult>

function queryOf(run: RunQuery): Query {
  const query = async (sql: string, values?: readonly Value[]) => (await run(sql, values)).rows
  const count = async (sql: string, values?: readonly Value[]) => (await run(sql, values)).rowCount ?? 0
  return Object.assign(query, { count })
}

function runQuery(
  client: pg.PoolClient,
  sql: string,
  values: readonly Value[] = [],
  statementTimeout: number,
): Promise<pg.QueryResult> {
  for (const value of values.flat()) if (typeof value === 'string') checkText(value)
  const query = { text: sql, values: values as Value[], query_timeout: statementTimeout + GIVE_UP_AFTER_MS }
  return withStoreErrors(client.query(query))
}

async function performOn<Result>(connection: PostgresConnection, query: StoreQuery<Result>): Promise<Result> {
  const first = query.next()
  if (first.done) return first.value
  const { kind } = first.value
  if (kind !== 'begin' && kind !== 'begin long') return connection.withConnection((run) => finish(run, query, first))
  const limits = kind === 'begin long' ? LONG_LIMITS : undefined
  return connection.transaction((run) => finish(run, query, query.next()), limits)
}

/** Awaits the statements of a query within the caller's transaction, if it has begun one. */
export function performWithin<Result>(run: Query, query: StoreQuery<Result>): Promise<Result> {
  return performOn(withinTransaction(run), query)
}

async function finish<Result>(
  run: Query,
  query: StoreQuery<Result>,
  first: IteratorResult<Statement, Result>,
): Promise<Result> {
  let step = first
  while (!step.done) step = query.next(await execute(run, step.value))
  return step.value
}

async function execute(run: Query, statement: Statement): Promise<unknown> {
  const { template, kind, many } = statement
  // Within the transaction that the query has begun, or that of a caller.
  if (kind === 'begin' || kind === 'begin long' || kind === 'begin sqlite') return undefined
  if (kind === 'dialect') return 'postgres'
  if (kind === 'sqlite') return 0
  if (many?.rows.length === 0) return kind === 'run' ? 0 : []
  const values = many === null ? statement.values : valuesWithColumns(statement)
  if (kind === 'run') return run.count(template.postgres, values)
  const rows = await run<{ id?: string }>(template.postgres, values)
  if (kind === 'first') return rows[0]
  if (kind !== 'unchanged') return rows
  const written = new Set(rows.map(({ id }) => id))
  return many!.rows.map(([id]) => id as string).filter((id) => !written.has(id))
}

function valuesWithColumns({ values, many, manyAt }: Statement): Value[] {
  const columns = many!.types.map((type, index) => {
    const column = many!.rows.map((row) => row[index]!)
    return type === 'text' ? textArray(column as (string | null)[]) : (column as (number | null)[])
  })
  return [...values.slice(0, manyAt), ...columns, ...values.slice(manyAt)]
}

/** A connection for calls that become part of one transaction. */
export function withinTransaction(query: Query): PostgresConnection {
  return {
    query,
    perform: (steps) => performOn(withinTransaction(query), steps),
    withConnection: (work) => work(query),
    transaction: (work) => work(query),
    borrow: () => Promise.reject(new TypeError('a transaction lends no connection')),
  }
}
