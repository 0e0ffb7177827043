import type { Duplex } from 'node:stream'
import pg from 'pg'
import { StoreUnavailable, StoreUnusable } from '../store.ts'
import { TooManyConnections, toOpeningError, toStoreError } from './errors.ts'

const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/
/** The values of `target_session_attrs` that say the same as the setting. */
const TARGETS = {
  primary: ['read-write', 'primary'],
  standby: ['any', 'read-only', 'standby', 'prefer-standby'],
} as const
const STATE = `
  SELECT pg_is_in_recovery() AS standby, pg_backend_pid() AS pid,
         current_setting('transaction_timeout', true) IS NOT NULL AS "limitsTransactions"`
/** Each promotion starts a timeline; the name of the current log file begins with its number. */
const STATE_AND_TIMELINE = `
  ${STATE},
  CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline`

interface ServerState {
  readonly standby: boolean
  readonly pid: number
  readonly limitsTransactions: boolean
  readonly timeline?: string | null
}

/**
 * The servers of `postgres://user:password@one:5432,two:5432/feed`: one primary, and standbys that
 * may be promoted. The last one that worked is tried first; unreachable ones and standbys are
 * skipped. Of `DATABASE_READ_URL`, those that are no standbys are.
 */
export class Servers {
  readonly urls: readonly string[]
  /** Options of each client: a simulation has its own streams. */
  readonly streams: Pick<pg.ClientConfig, 'stream'>
  /** True if a pooler answers instead of the server: the process it named is not the server's. */
  isPooled = false
  /** PostgreSQL 17 and later can limit a transaction. */
  limitsTransactions = false
  readonly #wanted: 'primary' | 'standby'
  #index = 0
  #timeline = 0

  constructor(databaseUrl: string, stream?: () => Duplex, wanted: 'primary' | 'standby' = 'primary') {
    this.urls = urlsOf(databaseUrl, wanted)
    this.#wanted = wanted
    this.streams = stream === undefined ? {} : { stream }
  }

  get preferred(): string {
    return this.urls[this.#index]!
  }

  /** Moves to the next server, once, even if many callers report the same one. */
  skip(url: string): void {
    if (url === this.preferred) this.#index = (this.#index + 1) % this.urls.length
  }

  /**
   * Checks every new connection. A standby may lag and takes no writes; a former primary that comes
   * back after a promotion takes writes that would be lost. The timeline is read only with several
   * servers, because not every hosted server permits it.
   */
  readonly check = async (client: pg.ClientBase): Promise<void> => {
    const isTimelineRead = this.#wanted === 'primary' && this.urls.length > 1
    const { rows } = await client.query<ServerState>(isTimelineRead ? STATE_AND_TIMELINE : STATE)
    const { standby, pid, limitsTransactions, timeline = null } = rows[0]!
    this.isPooled = pid !== processOf(client)
    this.limitsTransactions = limitsTransactions
    if (standby && this.#wanted === 'primary') throw new StoreUnavailable('PostgreSQL: the server is a standby')
    if (!standby && this.#wanted === 'standby') throw new StoreUnavailable('PostgreSQL: the server is no standby')
    const number = timeline === null ? 0 : Number.parseInt(timeline, 16)
    if (number < this.#timeline)
      throw new StoreUnavailable('PostgreSQL: the server is a former primary; another one was promoted')
    this.#timeline = number
  }

  /** Runs `attempt` with each server once, until one is available. */
  async tryEach<Result>(attempt: (url: string) => Promise<Result>): Promise<Result> {
    const failures: StoreUnavailable[] = []
    while (failures.length < this.urls.length) {
      const url = this.preferred
      try {
        return await attempt(url)
      } catch (error) {
        const known = toStoreError(error)
        if (!(known instanceof StoreUnavailable)) throw known
        failures.push(known)
        this.skip(url)
      }
    }
    if (failures.length === 1) throw failures[0]
    const full = failures.find((failure) => failure instanceof TooManyConnections)
    if (full !== undefined) throw full
    const messages = new Set(failures.map(({ message }) => message))
    throw new StoreUnavailable([...messages].join('; '), { cause: new AggregateError(failures) })
  }
}

/** The process that was named when the connection was opened, to cancel statements. */
function processOf(client: pg.ClientBase): number {
  return (client as unknown as { readonly processID: number }).processID
}

/** Splits the address into one per server. */
function urlsOf(databaseUrl: string, wanted: 'primary' | 'standby'): string[] {
  const [, before = '', hosts = '', after = ''] = ADDRESS.exec(databaseUrl) ?? []
  const urls = hosts.split(',').map((host) => `${before}${host}${after}`)
  // The address may contain a password, so the message does not repeat it.
  if (!urls.every((url) => URL.canParse(url)))
    throw new StoreUnusable(
      'The address must be postgres://user:password@host:port/database, or …@host:port,host:port/…',
    )
  const target = new URLSearchParams(/\?(.*)$/.exec(after)?.[1]).get('target_session_attrs')
  const allowed: readonly string[] = TARGETS[wanted]
  if (target !== null && !allowed.includes(target))
    throw new StoreUnusable(
      `target_session_attrs takes ${allowed.join(' or ')}, not ${target}: ${wanted === 'primary' ? 'the service needs to write' : 'DATABASE_READ_URL names standbys'}`,
    )
  return urls
}

/** Limits that the server enforces on one session, in milliseconds; 0 is no limit. */
export interface SessionLimits {
  /** Longest statement, waiting for locks included. */
  readonly statement: number
  /** Longest wait for one lock. */
  readonly lock: number
  /** A session that stays silent for longer inside a transaction is ended and rolled back. */
  readonly idleInTransaction: number
  /** Longest transaction. PostgreSQL 17 and later; earlier servers have no such limit. */
  readonly transaction: number
}

const STATEMENT_MS = 5_000
const IDLE_IN_TRANSACTION_MS = 5_000

/**
 * A frozen or partitioned node holds its locks until the server ends its session. Every write locks
 * the head of the log, so these limits decide how long such a node stops the others.
 */
export function sessionLimits(statement = STATEMENT_MS): SessionLimits {
  const idleInTransaction = Math.max(IDLE_IN_TRANSACTION_MS, statement)
  return { statement, lock: Math.round(0.8 * statement), idleInTransaction, transaction: 3 * idleInTransaction }
}

/** For migrations, snapshots and single commands, which may touch every row. */
export const LONG_LIMITS: SessionLimits = {
  statement: 600_000,
  lock: 15_000,
  idleInTransaction: 60_000,
  transaction: 0,
}

/** After this long without an answer of the client's machine, the server drops the connection. */
const TCP_SETTINGS: Readonly<Record<string, string>> = {
  tcp_user_timeout: '15000',
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '3',
  tcp_keepalives_count: '3',
}

function limitSettings(limits: SessionLimits, limitsTransactions: boolean): [name: string, value: string | number][] {
  return Object.entries({
    statement_timeout: limits.statement,
    lock_timeout: limits.lock,
    idle_in_transaction_session_timeout: limits.idleInTransaction,
    ...(limitsTransactions ? { transaction_timeout: limits.transaction } : {}),
  })
}

/**
 * Sets the limits once the session is open: PgBouncer refuses a connection that is opened with
 * settings that it does not know. To be called after the server was checked.
 */
export async function limitSession(
  client: pg.ClientBase,
  limits: SessionLimits,
  { limitsTransactions }: Pick<Servers, 'limitsTransactions'>,
): Promise<void> {
  const settings = [...limitSettings(limits, limitsTransactions), ...Object.entries(TCP_SETTINGS)]
  await client.query(settings.map(([name, value]) => `SET ${name} = ${value}`).join('; '))
}

/**
 * The statement that begins a transaction, with limits of its own: behind a pooler that lends
 * connections for one transaction each, those of the session may be anybody's.
 */
export function beginWith(
  limits: SessionLimits,
  { limitsTransactions }: Pick<Servers, 'limitsTransactions'>,
  begin = 'BEGIN',
): string {
  const settings = limitSettings(limits, limitsTransactions).map(([name, value]) => `SET LOCAL ${name} = ${value}`)
  return [begin, ...settings].join('; ')
}

/** `limits`: of the session; the server's defaults if omitted. */
interface ClientOptions extends pg.ClientConfig {
  readonly limits?: SessionLimits
}

/** Connects to the server that accepts writes, without a pool. The caller ends the connection. */
export function connectOnce(servers: Servers, options: ClientOptions): Promise<pg.Client> {
  return servers.tryEach((url) => connectAt(url, servers, options))
}

/** As `connectOnce`, for the time of one call; what fails is tried with the next server. */
export function useClient<Result>(
  servers: Servers,
  options: ClientOptions,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  return servers.tryEach(async (url) => {
    const client = await connectAt(url, servers, options)
    try {
      return await use(client)
    } catch (error) {
      throw toOpeningError(error)
    } finally {
      // Also ends an unfinished transaction.
      await client.end().catch(() => {})
    }
  })
}

async function connectAt(url: string, servers: Servers, { limits, ...config }: ClientOptions): Promise<pg.Client> {
  const client = new pg.Client({ ...config, ...servers.streams, connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    await servers.check(client)
    if (limits !== undefined) await limitSession(client, limits, servers)
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw toOpeningError(error)
  }
}

/** The lender of sessions: the server, or a pooler, for a connection or for one transaction. */
export type Pooling = 'none' | 'session' | 'transaction'

const POOLING_PROBES = 3

/**
 * Finds out whether sessions are shared: two connections that are open at the same time then have
 * the same process, or one has another process than a moment ago.
 */
export async function findPooling(servers: Servers, options: ClientOptions): Promise<Pooling> {
  return useClient(servers, options, async (one) => {
    if (!servers.isPooled) return 'none'
    await one.query('BEGIN')
    const { process } = await sessionOf(one)
    await one.query('COMMIT')
    for (let probe = 0; probe < POOLING_PROBES; probe++) {
      const other = await useClient(servers, options, sessionOf)
      if (other.process === process || (await sessionOf(one)).process !== process) return 'transaction'
    }
    return 'session'
  })
}

async function sessionOf(client: pg.Client): Promise<{ readonly process: number }> {
  const { rows } = await client.query<{ process: number }>('SELECT pg_backend_pid() AS process')
  return rows[0]!
}
