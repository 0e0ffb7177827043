import pg from 'pg'
import { mappedAtOpening } from './errors.ts'
import { Servers } from './servers.ts'

/** How many connections nodes of this service have to the database. */
export function connectionsOf(databaseUrl: string): Promise<number> {
  const servers = new Servers(databaseUrl)
  return servers.reach((url) => connectionsAt(url, servers))
}

async function connectionsAt(url: string, servers: Servers): Promise<number> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await servers.check(client)
    const { rows } = await client.query(
      `SELECT count(*)::integer AS count FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'incident-feed' AND pid <> pg_backend_pid()`,
    )
    return rows[0].count
  } catch (error) {
    throw mappedAtOpening(error)
  } finally {
    await client.end().catch(() => {})
  }
}
