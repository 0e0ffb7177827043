import type pg from 'pg'
import {
  type Migration,
  migrationError,
  PROGRESS_TABLE,
  pendingMigrations,
  readMigrations,
  UNFINISHED_COPY,
} from '../migrations.ts'
import { StoreUnusable } from '../store.ts'
import { toOpeningError } from './errors.ts'
import { LONG_LIMITS, type Servers, transactionLimits, useClient } from './servers.ts'

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
  const options = {
    connectionTimeoutMillis: connectTimeout,
    query_timeout: LONG_LIMITS.statement,
    limits: WAITING_LIMITS,
    keepAlive: true,
    application_name: 'incident-feed',
  }
  return useClient(servers, options, async (client) => {
    await refuseUnfinishedCopy(client)
    if (pendingMigrations(migrations, await versionOf(client)).length === 0) return
    await client.query('BEGIN')
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    // While a migration waits for a table, every later statement on that table waits behind it.
    await client.query(transactionLimits(LONG_LIMITS))
    for (const migration of pendingMigrations(migrations, await versionOf(client))) await apply(client, migration)
    await client.query('COMMIT')
  })
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query(migration.sql)
    await client.query('CREATE TABLE IF NOT EXISTS schema_version (version integer PRIMARY KEY)')
    await client.query('INSERT INTO schema_version (version) VALUES ($1)', [migration.version])
  } catch (error) {
    throw migrationError(migration, error, toOpeningError(error))
  }
}

/** Returns 0 if the database has no schema of this service. */
export async function versionOf(client: pg.ClientBase): Promise<number> {
  if (!(await hasTable(client, 'schema_version'))) return 0
  const { rows } = await client.query('SELECT max(version) AS version FROM schema_version')
  return rows[0].version ?? 0
}

export async function refuseUnfinishedCopy(client: pg.ClientBase): Promise<void> {
  if (await hasTable(client, PROGRESS_TABLE)) throw new StoreUnusable(UNFINISHED_COPY)
}

/** Without to_regclass: its cached result misses a table that another node has just created. */
export async function hasTable(client: pg.ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query(
    'SELECT 1 FROM pg_tables WHERE tablename = $1 AND schemaname = current_schema()',
    [name],
  )
  return rows.length > 0
}
