import pg from 'pg'
import { type Migration, missingFrom, readMigrations } from '../shared/migrations.ts'
import { StoreUnavailable, StoreUnusable } from '../store.ts'
import { mappedAtOpening } from './connection/errors.ts'
import type { Servers } from './connection/servers.ts'

export const MIGRATIONS = readMigrations(new URL('./migrations/', import.meta.url))

/** Any number all the same: what matters is that every node takes the same lock. */
const LOCK = 1_768_843_620

/** Longer than a call may take: a migration may rewrite a table, and other nodes wait for it. */
const LONGEST = 600_000

/** Brings the schema up to this build's version. Several nodes may start at once: the lock lets one go first. */
export function migrate(
  servers: Servers,
  connectTimeout: number,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  return servers.reach((url) => migrateAt(url, servers, connectTimeout, migrations))
}

async function migrateAt(
  url: string,
  servers: Servers,
  connectTimeout: number,
  migrations: readonly Migration[],
): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeout,
    query_timeout: LONGEST,
    keepAlive: true,
    application_name: 'incident-feed',
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await servers.check(client)
    if (missingFrom(migrations, await versionOf(client)).length === 0) return
    await client.query('BEGIN')
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK])
    for (const migration of missingFrom(migrations, await versionOf(client))) await apply(client, migration)
    await client.query('COMMIT')
  } catch (error) {
    throw mappedAtOpening(error)
  } finally {
    // Ends an unfinished transaction with it.
    await client.end().catch(() => {})
  }
}

async function versionOf(client: pg.Client): Promise<number> {
  // Not to_regclass: asked a second time in one transaction, it answers from memory, and misses what another node has made.
  const table = await client.query(
    `SELECT 1 FROM pg_tables WHERE tablename = 'schema_version' AND schemaname = current_schema()`,
  )
  if (table.rows.length === 0) return 0
  const { rows } = await client.query('SELECT max(version) AS version FROM schema_version')
  return rows[0].version ?? 0
}

async function apply(client: pg.Client, { version, name, sql }: Migration): Promise<void> {
  try {
    await client.query(sql)
    await client.query('CREATE TABLE IF NOT EXISTS schema_version (version integer PRIMARY KEY)')
    await client.query('INSERT INTO schema_version (version) VALUES ($1)', [version])
  } catch (error) {
    const known = mappedAtOpening(error)
    if (known instanceof StoreUnavailable || known instanceof StoreUnusable) throw known
    throw new StoreUnusable(`Migration ${name} cannot be applied: ${(error as Error).message}`, { cause: error })
  }
}
