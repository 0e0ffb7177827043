import pg from 'pg'
import { toOpeningError } from '../connection/errors.ts'
import { Servers } from '../connection/servers.ts'

/**
 * Counts connections of this service's nodes to the database, those that listen included: an idle
 * node closes all others.
 */
export function countConnections(databaseUrl: string): Promise<number> {
  const servers = new Servers(databaseUrl)
  return servers.tryEach((url) => countConnectionsAt(url, servers))
}

async function countConnectionsAt(url: string, servers: Servers): Promise<number> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await servers.checkPrimary(client)
    const { rows } = await client.query(
      `SELECT count(*)::integer AS count FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE 'incident-feed%' AND pid <> pg_backend_pid()`,
    )
    return rows[0].count
  } catch (error) {
    throw toOpeningError(error)
  } finally {
    await client.end().catch(() => {})
  }
}
