import pg from 'pg'
import { toOpeningError } from '../connection/errors.ts'
import { Servers } from '../connection/servers.ts'

/** Connects once, to the server that accepts writes, for a command that needs no store. */
export function useDatabase<Result>(databaseUrl: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const servers = new Servers(databaseUrl)
  return servers.tryEach(async (url) => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      await servers.checkPrimary(client)
      return await use(client)
    } catch (error) {
      throw toOpeningError(error)
    } finally {
      await client.end().catch(() => {})
    }
  })
}
