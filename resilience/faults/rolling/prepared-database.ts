import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { startServer } from '../../../test/support/databases/postgres-server.ts'
import { withDatabase, writeHistory } from '../../harness/databases.ts'
import { addManyWatches } from './many-watches.ts'

const FOLDER = fileURLToPath(new URL('../../../bench/data/', import.meta.url))
const SEED = 51
const COPY = 'rolling_run'

export interface PreparedDatabase extends AsyncDisposable {
  readonly url: string
}

/** A new server with that much in it. */
export async function newDatabase(incidents: number, watches: number): Promise<PreparedDatabase> {
  const server = await startServer()
  await fill(server.url, incidents, watches)
  return server
}

/**
 * A copy of a database that is written once and kept in bench/data/: a million incidents take
 * minutes.
 */
export async function keptDatabase(incidents: number, watches: number): Promise<PreparedDatabase> {
  await using scope = new AsyncDisposableStack()
  const server = scope.use(await startServer({ directory: `${FOLDER}rolling-${incidents}-${watches}` }))
  const original = `prepared_${incidents}_${watches}`
  // The name says that it is complete: it is given at the end.
  const [found] = await query(server.url, `SELECT 1 FROM pg_database WHERE datname = '${original}'`)
  if (found === undefined) {
    await query(server.url, 'DROP DATABASE IF EXISTS being_filled')
    await query(server.url, 'CREATE DATABASE being_filled TEMPLATE template0')
    await fill(withDatabase(server.url, 'being_filled'), incidents, watches)
    await query(server.url, `ALTER DATABASE being_filled RENAME TO ${original}`)
  }
  await query(server.url, `DROP DATABASE IF EXISTS ${COPY}`)
  await query(server.url, `CREATE DATABASE ${COPY} TEMPLATE ${original} STRATEGY FILE_COPY`)
  const moved = scope.move()
  return { url: withDatabase(server.url, COPY), [Symbol.asyncDispose]: () => moved.disposeAsync() }
}

async function fill(databaseUrl: string, incidents: number, watches: number): Promise<void> {
  await writeHistory(databaseUrl, incidents, SEED)
  if (watches > 0) await addManyWatches(databaseUrl, watches)
}

async function query(databaseUrl: string, sql: string): Promise<object[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
