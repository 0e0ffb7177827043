import pg from 'pg'
import { type CopySource, type CopyTarget, checkVersion, inPages } from '../copy/ends.ts'
import type { ColumnKind, CopiedRow, CopiedTable, CopiedValue } from '../copy/tables.ts'
import { PROGRESS_TABLE } from '../migrations.ts'
import { CopyRefused } from '../store.ts'
import { countOtherConnections } from './backup.ts'
import { withStoreErrors } from './errors.ts'
import { hasTable, MIGRATIONS, migrate, refuseUnfinishedCopy, versionOf } from './migrate.ts'
import { connectOnce, LONG_LIMITS, Servers } from './servers.ts'

const CONNECT_TIMEOUT_MS = 10_000
const ONE_MOMENT = 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY'

/**
 * Reads the database as of one moment. No lock keeps nodes out: the copy reads again at its end.
 */
export function openPostgresSource(databaseUrl: string): Promise<CopySource> {
  return openEnd('source', databaseUrl, async (client) => {
    await refuseUnfinishedCopy(client)
    const schemaVersion = await checkedVersion(client, 'source')
    await query(client, ONE_MOMENT)
    return {
      schemaVersion,
      pages: (table, after) => inPages(rowsAfter(client, table, after)),
      async readAgain() {
        await query(client, 'COMMIT')
        await checkUnused(client, 'source')
        await query(client, ONE_MOMENT)
      },
    }
  })
}

/** The database must exist; its tables are created if there are none. */
export function openPostgresTarget(databaseUrl: string): Promise<CopyTarget> {
  return openEnd('target', databaseUrl, async (client, servers) => {
    if ((await versionOf(client)) === 0) await migrate(servers, CONNECT_TIMEOUT_MS)
    const setState = (name: string, state: string) =>
      query(
        client,
        `INSERT INTO ${PROGRESS_TABLE} (name, state) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET state = excluded.state`,
        [name, state],
      )
    return {
      schemaVersion: await checkedVersion(client, 'target'),
      async *pages(table, after) {
        await query(client, 'BEGIN READ ONLY')
        try {
          yield* inPages(rowsAfter(client, table, after))
        } finally {
          // Nothing was written, so how it ends makes no difference.
          await query(client, 'ROLLBACK').catch(() => {})
        }
      },
      async stateOf(name) {
        if (!(await hasTable(client, PROGRESS_TABLE))) return null
        const sql = `SELECT state FROM ${PROGRESS_TABLE} WHERE name = $1`
        return (await query<{ state: string }>(client, sql, [name]))[0]?.state ?? null
      },
      begin: (name, state) =>
        transaction(client, async () => {
          await query(client, `CREATE TABLE ${PROGRESS_TABLE} (name text PRIMARY KEY, state text NOT NULL)`)
          await setState(name, state)
        }),
      write: (table, rows, state, first) =>
        transaction(client, async () => {
          if (first) await query(client, `DELETE FROM ${table.name}`)
          if (rows.length > 0) await insert(client, table, rows)
          await setState(table.name, state)
        }),
      finish: (tables) =>
        transaction(client, async () => {
          for (const table of tables) if (table.identity !== null) await setNextNumber(client, table)
          // Without statistics the first queries of a service could take the wrong index.
          await query(client, `ANALYZE ${tables.map(({ name }) => name).join(', ')}`)
          await query(client, `DROP TABLE ${PROGRESS_TABLE}`)
        }),
    }
  })
}

/** Each end has one connection. */
async function openEnd<End extends object>(
  end: 'source' | 'target',
  databaseUrl: string,
  open: (client: pg.Client, servers: Servers) => Promise<Omit<End, typeof Symbol.asyncDispose>>,
): Promise<End> {
  const servers = new Servers(databaseUrl)
  const client = await connectOnce(servers, {
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    limits: LONG_LIMITS,
    keepAlive: true,
    application_name: 'incident-feed copy',
  })
  const close = () => client.end().catch(() => {})
  try {
    await checkUnused(client, end)
    return { ...(await open(client, servers)), [Symbol.asyncDispose]: close } as unknown as End
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Refuses a database that a node, a command or another copy is using: each has a connection open,
 * which says so, as long as it runs.
 */
async function checkUnused(client: pg.Client, end: 'source' | 'target'): Promise<void> {
  const count = await withStoreErrors(countOtherConnections(client))
  if (count > 0)
    throw new CopyRefused(`A service is using the ${end}, with ${count} connections: stop every node first`)
}

async function checkedVersion(client: pg.Client, end: 'source' | 'target'): Promise<number> {
  const version = await versionOf(client)
  checkVersion(end, version, MIGRATIONS.at(-1)!.version)
  return version
}

/** Few, because a row may have a megabyte and the driver holds all that were fetched. */
const ROWS_PER_FETCH = 100

const AS_TEXT = { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig

/** Reads the rows after a key through a cursor, within the transaction of the caller. */
async function* rowsAfter(
  client: pg.Client,
  table: CopiedTable,
  after: readonly CopiedValue[] | null,
): AsyncGenerator<CopiedRow, void> {
  const names = table.columns.map(({ name }) => name).join(', ')
  // SQLite compares texts by their bytes. Not every column of a key has this collation.
  const key = table.key.map(({ name, kind }) => (kind === 'text' ? `${name} COLLATE "C"` : name)).join(', ')
  const range = after === null ? '' : `WHERE (${key}) > (${after.map(literal).join(', ')})`
  const cursor = `copy_${table.name}`
  await query(
    client,
    `DECLARE ${cursor} NO SCROLL CURSOR FOR SELECT ${names} FROM ${table.name} ${range} ORDER BY ${key}`,
  )
  // Lists of texts instead of objects: the kind of each column is known.
  const fetch = { text: `FETCH ${ROWS_PER_FETCH} FROM ${cursor}`, rowMode: 'array' as const, types: AS_TEXT }
  try {
    while (true) {
      const { rows } = await withStoreErrors(client.query<(string | null)[]>(fetch))
      for (const texts of rows) yield texts.map((text, index) => fromPostgres(text, table.columns[index]!.kind))
      if (rows.length < ROWS_PER_FETCH) return
    }
  } finally {
    // After a failed statement the transaction is over, and its cursor with it.
    await query(client, `CLOSE ${cursor}`).catch(() => {})
  }
}

/** A cursor takes no parameters. Keys are texts, numbers and booleans. */
function literal(value: CopiedValue): string {
  if (typeof value === 'string') return pg.escapeLiteral(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new TypeError('a key has no null and no bytes')
}

function fromPostgres(text: string | null, kind: ColumnKind): CopiedValue {
  if (text === null) return null
  switch (kind) {
    case 'text':
      return text
    case 'boolean':
      return text === 't'
    case 'bytes':
      return Buffer.from(text.slice('\\x'.length), 'hex')
    case 'integer':
      return exactInteger(text)
    case 'real':
      return Number(text)
  }
}

function exactInteger(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new RangeError(`the number ${text} is too large to be copied exactly`)
  return number
}

/** The types of the parameters; the server converts them to those of the columns. */
const ARRAY_TYPES: Readonly<Record<ColumnKind, string>> = {
  text: 'text[]',
  integer: 'bigint[]',
  real: 'double precision[]',
  boolean: 'boolean[]',
  bytes: 'bytea[]',
}

async function insert(client: pg.Client, table: CopiedTable, rows: readonly CopiedRow[]): Promise<void> {
  const names = table.columns.map(({ name }) => name).join(', ')
  const parameters = table.columns.map(({ kind }, index) => `$${index + 1}::${ARRAY_TYPES[kind]}`).join(', ')
  const override = table.identity === null ? '' : 'OVERRIDING SYSTEM VALUE'
  await query(
    client,
    `INSERT INTO ${table.name} (${names}) ${override} SELECT * FROM unnest(${parameters})`,
    table.columns.map((_, index) => rows.map((row) => toPostgres(row[index]!))),
  )
}

function toPostgres(value: CopiedValue): CopiedValue {
  return value instanceof Uint8Array && !Buffer.isBuffer(value) ? Buffer.from(value) : value
}

/** The next row gets the number after the last one that was copied. */
async function setNextNumber(client: pg.Client, { name, identity }: CopiedTable): Promise<void> {
  await query(
    client,
    `SELECT setval(pg_get_serial_sequence('${name}', '${identity}'), coalesce(max(${identity}), 1), max(${identity}) IS NOT NULL)
     FROM ${name}`,
  )
}

async function query<Row extends object>(client: pg.Client, sql: string, values: unknown[] = []): Promise<Row[]> {
  return (await withStoreErrors(client.query(sql, values))).rows
}

async function transaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await query(client, 'BEGIN')
  try {
    await work()
    await query(client, 'COMMIT')
  } catch (error) {
    // A lost connection has ended its transaction; the first error says more.
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}
