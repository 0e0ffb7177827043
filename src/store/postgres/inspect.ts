import pg from 'pg'
import type { Inspection } from '../shared/inspection.ts'
import { toOpeningError } from './connection/errors.ts'
import { Servers } from './connection/servers.ts'
import { MIGRATIONS, versionOf } from './migrate.ts'

const CONNECT_TIMEOUT_MS = 5_000
const LEAST_VERSION = 15

export function inspectPostgres(databaseUrl: string): Promise<Inspection> {
  const servers = new Servers(databaseUrl)
  return servers.tryEach((url) => inspectAt(url, servers))
}

async function inspectAt(url: string, servers: Servers): Promise<Inspection> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
    application_name: 'incident-feed-doctor',
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await servers.checkPrimary(client)
    const { rows } = await client.query<{ version: string; number: number }>(
      `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::integer AS number`,
    )
    const { version, number } = rows[0]!
    const schemaVersion = await versionOf(client)
    return {
      software: `PostgreSQL ${version}`,
      tooOld: number < LEAST_VERSION * 10_000 ? `the service needs PostgreSQL ${LEAST_VERSION} or later` : null,
      schemaVersion,
      latestVersion: MIGRATIONS.at(-1)!.version,
      notWritable: await whyNotWritable(client, schemaVersion),
    }
  } catch (error) {
    throw toOpeningError(error)
  } finally {
    await client.end().catch(() => {})
  }
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
