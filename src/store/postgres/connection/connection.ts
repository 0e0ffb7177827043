import pg from 'pg'
import { checkText } from '../../shared/check-text.ts'
import { StoreUnavailable } from '../../store.ts'
import { copyOut } from '../backup/copy.ts'
import { mapped } from './errors.ts'
import type { Servers } from './servers.ts'

type Value = string | number | null | Uint8Array | readonly (string | number | null)[]

/** One whole statement; resolves with its rows. */
export type Query = <Row extends object>(sql: string, values?: readonly Value[]) => Promise<Row[]>

/** Reads a SELECT's rows as bytes, and gives each one's fields to `take`. */
export type Copy = (select: string, take: (fields: Buffer[]) => void) => Promise<void>

export interface Lent {
  readonly query: Query
  readonly copy: Copy
  giveBack(): void
}

export interface Timeouts {
  /** For a connection, one that is free included, in milliseconds. */
  readonly connect: number
  /** For one statement, in milliseconds. */
  readonly statement: number
}

/** bigint as a number: times and counts stay far below 2^53. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
}

export class Connection implements AsyncDisposable {
  readonly #servers: Servers
  /** One for each server; only that of the primary has connections. */
  readonly #pools: ReadonlyMap<string, pg.Pool>
  readonly #running = new Set<Promise<unknown>>()
  readonly #lent = new Set<pg.PoolClient>()
  #closed: Promise<void> | null = null

  constructor(servers: Servers, connections: number, timeouts: Timeouts) {
    this.#servers = servers
    this.#pools = new Map(servers.urls.map((url) => [url, poolOf(url, connections, timeouts, servers)]))
  }

  /** One statement is a transaction of its own. */
  query: Query = (sql, values) => this.use((query) => query(sql, values))

  /** Several statements on one connection, each a transaction of its own. */
  use<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
    return this.#track(this.#use(work))
  }

  /**
   * Several statements, all or none. Where the connection is lost during COMMIT nobody on this side can know whether it
   * went through: that too is `StoreUnavailable`.
   */
  transaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
    return this.use(async (query) => {
      await query('BEGIN')
      try {
        const result = await work(query)
        await query('COMMIT')
        return result
      } catch (error) {
        // A connection that is gone is thrown away, and the server rolls back by itself; asking a hanging one would hang again.
        if (!(error instanceof StoreUnavailable)) await query('ROLLBACK').catch(() => {})
        throw error
      }
    })
  }

  /**
   * A connection for longer than one call: what `begin` makes of it may go on asking, until it gives it back or the store
   * closes.
   */
  lend<Result>(begin: (lent: Lent) => Promise<Result>): Promise<Result> {
    return this.#track(this.#lend(begin))
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#running)
    for (const client of this.#lent) client.release(true)
    this.#lent.clear()
    await Promise.all(Array.from(this.#pools.values(), (pool) => pool.end()))
  }

  #track<Result>(call: Promise<Result>): Promise<Result> {
    this.#running.add(call)
    const done = () => this.#running.delete(call)
    call.then(done, done)
    return call
  }

  async #lend<Result>(begin: (lent: Lent) => Promise<Result>): Promise<Result> {
    const client = await this.#connect()
    this.#lent.add(client)
    const ifLent = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
      if (!this.#lent.has(client)) throw new Error('The store is closed')
      return ask()
    }
    // Not reused: whatever its transaction was at ends with it.
    const giveBack = () => {
      if (this.#lent.delete(client)) client.release(true)
    }
    try {
      return await begin({
        query: (sql, values) => ifLent(() => ask(client, sql, values)),
        copy: (select, take) => ifLent(() => orMapped(copyOut(client, select, take))),
        giveBack,
      })
    } catch (error) {
      giveBack()
      throw error
    }
  }

  async #use<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
    const client = await this.#connect()
    let broken = false
    const query: Query = async (sql, values) => {
      try {
        return await ask(client, sql, values)
      } catch (error) {
        broken ||= error instanceof StoreUnavailable
        throw error
      }
    }
    try {
      return await work(query)
    } finally {
      client.release(broken)
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    if (this.#closed) throw new Error('The store is closed')
    return this.#servers.reach((url) => this.#pools.get(url)!.connect())
  }
}

function poolOf(url: string, connections: number, timeouts: Timeouts, servers: Servers): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    types,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'incident-feed',
    connectionTimeoutMillis: timeouts.connect,
    statement_timeout: timeouts.statement,
    // A server that hangs cannot end its own statement: after a second more this side gives up.
    query_timeout: timeouts.statement + 1_000,
    onConnect: servers.check,
  })
  // A connection that breaks while nobody uses it is replaced when next needed; unheard, the event would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

async function ask<Row extends object>(
  client: pg.PoolClient,
  sql: string,
  values: readonly Value[] = [],
): Promise<Row[]> {
  for (const value of values.flat()) if (typeof value === 'string') checkText(value)
  return (await orMapped(client.query<Row>(sql, values as Value[]))).rows
}

async function orMapped<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw mapped(error)
  }
}
