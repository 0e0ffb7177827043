import { useDatabase } from './use-database.ts'

/**
 * Counts connections of this service's nodes to the database, those that listen included: an idle
 * node closes all others.
 */
export function countConnections(databaseUrl: string): Promise<number> {
  return useDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query(
      `SELECT count(*)::integer AS count FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE 'incident-feed%' AND pid <> pg_backend_pid()`,
    )
    return rows[0].count
  })
}
