import type pg from 'pg'
import {
  LATER_VERSIONS,
  type Migrating,
  type Migration,
  migratingFrom,
  migrationError,
  PROGRESS_TABLE,
  pendingMigrations,
  readMigrations,
  recordsOf,
  SELECT_STATE,
  schemaStateOf,
  UNFINISHED_COPY,
} from '../migrations.ts'
import { type Inspection, type SchemaState, StoreUnusable } from '../store.ts'
import { toOpeningError } from './errors.ts'
import { beginWith, LONG_LIMITS, Servers, useClient } from './servers.ts'

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
  onMigrating: (migrating: Migrating) => void = () => {},
): Promise<void> {
  const options = {
    connectionTimeoutMillis: connectTimeout,
    query_timeout: LONG_LIMITS.statement,
    keepAlive: true,
    application_name: 'incident-feed',
  }
  return useClient(servers, options, async (client) => {
    await refuseUnfinishedCopy(client)
    const isReady = await hasTable(client, LATER_VERSIONS)
    if (pendingMigrations(migrations, await schemaOf(client)).length === 0 && isReady) return
    await client.query(beginWith(WAITING_LIMITS, servers))
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    // While a migration waits for a table, every later statement on that table waits behind it.
    await client.query(`SET LOCAL lock_timeout = ${LONG_LIMITS.lock}`)
    const state = await schemaOf(client)
    const pending = pendingMigrations(migrations, state)
    if (pending.length > 0) onMigrating(migratingFrom(state.version, pending))
    await client.query(`CREATE TABLE IF NOT EXISTS ${LATER_VERSIONS} (version integer PRIMARY KEY)`)
    for (const migration of pending) await apply(client, migration)
    await client.query('COMMIT')
  })
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query(migration.sql)
    await client.query('CREATE TABLE IF NOT EXISTS schema_version (version integer PRIMARY KEY)')
    for (const { table, version } of recordsOf(migration))
      await client.query(`INSERT INTO ${table} (version) VALUES ($1) ON CONFLICT DO NOTHING`, [version])
  } catch (error) {
    throw migrationError(migration, error, toOpeningError(error))
  }
}

/** The version is 0 if the database has no schema of this service. */
export async function schemaOf(client: pg.ClientBase): Promise<SchemaState> {
  if (!(await hasTable(client, 'schema_version'))) return schemaStateOf({ needs: null, later: null })
  const select = (await hasTable(client, LATER_VERSIONS))
    ? SELECT_STATE
    : 'SELECT max(version) AS needs, NULL AS later FROM schema_version'
  return schemaStateOf((await client.query(select)).rows[0])
}

export async function versionOf(client: pg.ClientBase): Promise<number> {
  return (await schemaOf(client)).version
}

export async function refuseUnfinishedCopy(client: pg.ClientBase): Promise<void> {
  if (await hasTable(client, PROGRESS_TABLE)) throw new StoreUnusable(UNFINISHED_COPY)
}

/** Without to_regclass: its cached result misses a table that another node has just created. */
export async function hasTable(client: pg.ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT 1 FROM pg_class
     WHERE relname = $1 AND relkind = 'r'
       AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())`,
    [name],
  )
  return rows.length > 0
}

const TIMEOUT_MS = 5_000
const LEAST_VERSION = 15

export function inspectPostgres(databaseUrl: string): Promise<Inspection> {
  const options = {
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    application_name: 'incident-feed-doctor',
  }
  return useClient(new Servers(databaseUrl), options, async (client) => {
    const { rows } = await client.query<{ version: string; number: number }>(
      `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::integer AS number`,
    )
    const { version, number } = rows[0]!
    const { version: schemaVersion, needs } = await schemaOf(client)
    return {
      software: `PostgreSQL ${version}`,
      tooOld: number < LEAST_VERSION * 10_000 ? `the service needs PostgreSQL ${LEAST_VERSION} or later` : null,
      schemaVersion,
      neededVersion: needs,
      latestVersion: MIGRATIONS.at(-1)!.version,
      notWritable: await whyNotWritable(client, schemaVersion),
    }
  })
}

/** Permissions and read-only modes are checked even for a statement that changes no row. */
async function whyNotWritable(client: pg.Client, schemaVersion: number): Promise<string | null> {
  try {
    if (schemaVersion > 0) await client.query('UPDATE log_head SET seq = seq WHERE false')
    const { rows } = await client.query<{ may: boolean; schema: string; readonly: string }>(
      `SELECT has_schema_privilege(current_schema(), 'CREATE') AS may, current_schema() AS schema,
              current_setting('default_transaction_read_only') AS readonly`,
    )
    const { may, schema, readonly } = rows[0]!
    if (readonly === 'on') return 'default_transaction_read_only is on'
    return may ? null : `the user may not create tables in the schema ${schema}, as migrations do`
  } catch (error) {
    return (error as Error).message
  }
}
