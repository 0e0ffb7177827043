import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import pg from 'pg'
import { openStore } from '../../../src/store/open.ts'
import { requireSlowTier } from '../tier.ts'
import { startServer } from './postgres-server.ts'

/**
 * The server of the test run, and the migrated database from which each test's database is copied.
 */
export interface Cluster extends AsyncDisposable {
  readonly url: string
  readonly template: string
}

/** Uses the server given in TEST_DATABASE_URL, or starts one. */
export async function startCluster(): Promise<Cluster> {
  requireSlowTier('PostgreSQL')
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
      await administration(url).end()
      administrations.delete(url)
      await server?.[Symbol.asyncDispose]()
    },
  }
}

let own: Promise<Cluster> | null = null

/** Returns the cluster of `global-setup.ts`, or starts one if a file runs without it. */
function cluster(): Promise<Pick<Cluster, 'url' | 'template'>> {
  const { TEST_CLUSTER_URL: url, TEST_CLUSTER_TEMPLATE: template } = process.env
  if (url && template) return Promise.resolve({ url, template })
  own ??= startCluster()
  return own
}

// Registered at the top level: inside a test it would be a hook of that test only.
after(async () => (await own)?.[Symbol.asyncDispose]())

export interface TestDatabase extends AsyncDisposable {
  readonly url: string
}

/** Creates a database for one test: migrated or empty. */
export async function testDatabase(kind: 'migrated' | 'empty' = 'migrated'): Promise<TestDatabase> {
  const { url, template } = await cluster()
  const name = await createDatabase(url, kind === 'empty' ? 'template0' : template)
  return { url: withDatabase(url, name), [Symbol.asyncDispose]: () => dropDatabase(url, name) }
}

/** Runs one statement without the store. */
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
  await administration(url).query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
  return name
}

async function dropDatabase(url: string, name: string): Promise<void> {
  await administration(url).query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
}

const administrations = new Map<string, pg.Pool>()

/** Connections that are used again: a new one would take a third as long as making a database. */
function administration(url: string): pg.Pool {
  const known = administrations.get(url)
  if (known) return known
  // Idle ones neither keep the process from ending nor mind a server that stops.
  const pool = new pg.Pool({ connectionString: url, max: 4, allowExitOnIdle: true }).on('error', () => {})
  administrations.set(url, pool)
  return pool
}

function withDatabase(url: string, name: string): string {
  const result = new URL(url)
  result.pathname = `/${name}`
  return result.href
}
