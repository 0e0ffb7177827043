import pg from 'pg'
import { type Migration, pendingMigrations, readMigrations } from '../shared/migrations.ts'
import { StoreUnavailable, StoreUnusable } from '../store.ts'
import { toOpeningError } from './connection/errors.ts'
import type { Servers } from './connection/servers.ts'
import { LONG_LIMITS, limitSession, startupLimits, transactionLimits } from './connection/session-limits.ts'
import { refuseUnfinishedCopy } from './unfinished-copy.ts'

export const MIGRATIONS = readMigrations(new URL('./migrations/', import.meta.url))

/** An arbitrary number: all nodes must take the same lock. */
const MIGRATION_LOCK = 1_768_843_620

/** Waiting for another node's migration is no failure, as long as that one may take. */
const WAITING_LIMITS = { ...LONG_LIMITS, lock: LONG_LIMITS.statement }

/** Migrates the schema. If several nodes start at once, the lock lets one of them do it. */
export function migrate(
  servers: Servers,
  connectTimeout: number,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  return servers.tryEach((url) => migrateAt(url, servers, connectTimeout, migrations))
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
    query_timeout: LONG_LIMITS.statement,
    ...startupLimits(WAITING_LIMITS),
    keepAlive: true,
    application_name: 'incident-feed',
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await servers.checkPrimary(client)
    await limitSession(client, WAITING_LIMITS)
    await refuseUnfinishedCopy(client)
    if (pendingMigrations(migrations, await versionOf(client)).length === 0) return
    await client.query('BEGIN')
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    // While a migration waits for a table, every later statement on that table waits behind it.
    await client.query(transactionLimits(LONG_LIMITS))
    for (const migration of pendingMigrations(migrations, await versionOf(client))) await apply(client, migration)
    await client.query('COMMIT')
  } catch (error) {
    throw toOpeningError(error)
  } finally {
    // Also ends an unfinished transaction.
    await client.end().catch(() => {})
  }
}

export async function versionOf(client: pg.ClientBase): Promise<number> {
  // Not to_regclass: its cached result misses a table that another node has just created.
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
    const known = toOpeningError(error)
    if (known instanceof StoreUnavailable || known instanceof StoreUnusable) throw known
    throw new StoreUnusable(`Migration ${name} cannot be applied: ${(error as Error).message}`, { cause: error })
  }
}
