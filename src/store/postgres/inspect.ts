import type pg from 'pg'
import type { Inspection } from '../store.ts'
import { MIGRATIONS, versionOf } from './migrate.ts'
import { Servers, useClient } from './servers.ts'

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
    const schemaVersion = await versionOf(client)
    return {
      software: `PostgreSQL ${version}`,
      tooOld: number < LEAST_VERSION * 10_000 ? `the service needs PostgreSQL ${LEAST_VERSION} or later` : null,
      schemaVersion,
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
