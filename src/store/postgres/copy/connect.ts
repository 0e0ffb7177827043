import pg from 'pg'
import { CopyRefused } from '../../copy/copy-refused.ts'
import { toOpeningError, toStoreError } from '../connection/errors.ts'
import { Servers } from '../connection/servers.ts'
import { LONG_LIMITS, limitSession, startupLimits } from '../connection/session-limits.ts'

const CONNECT_TIMEOUT_MS = 10_000

export interface CopyConnection extends AsyncDisposable {
  readonly client: pg.Client
  readonly servers: Servers
  query<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>
  /** Lists of texts instead of objects: the kind of each column is known. */
  queryTexts(sql: string): Promise<(string | null)[][]>
  transaction<Result>(begin: string, work: () => Promise<Result>): Promise<Result>
}

const AS_TEXT = { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig

/** Opens the one connection of an end of the copy. */
export async function connectForCopy(databaseUrl: string): Promise<CopyConnection> {
  const servers = new Servers(databaseUrl)
  const client = await servers.tryEach((url) => connectAt(url, servers))
  const run = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work
    } catch (error) {
      throw toStoreError(error)
    }
  }
  return {
    client,
    servers,
    query: async (sql, values = []) => (await run(client.query(sql, values))).rows,
    queryTexts: async (sql) =>
      (await run(client.query({ text: sql, rowMode: 'array', types: AS_TEXT }))).rows as (string | null)[][],
    async transaction(begin, work) {
      await run(client.query(begin))
      try {
        const result = await work()
        await run(client.query('COMMIT'))
        return result
      } catch (error) {
        // A lost connection has ended its transaction; the first error says more.
        await client.query('ROLLBACK').catch(() => {})
        throw error
      }
    },
    [Symbol.asyncDispose]: () => client.end().catch(() => {}),
  }
}

async function connectAt(url: string, servers: Servers): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...startupLimits(LONG_LIMITS),
    keepAlive: true,
    application_name: 'incident-feed copy',
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await servers.checkPrimary(client)
    await limitSession(client, LONG_LIMITS)
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw toOpeningError(error)
  }
}

/**
 * Refuses a database that a node, a command or another copy is using: each has a connection open,
 * which says so, as long as it runs.
 */
export async function checkUnused(connection: CopyConnection, end: 'source' | 'target'): Promise<void> {
  const [row] = await connection.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE 'incident-feed%' AND pid <> pg_backend_pid()`,
  )
  if (row!.count > 0)
    throw new CopyRefused(`A service is using the ${end}, with ${row!.count} connections: stop every node first`)
}
