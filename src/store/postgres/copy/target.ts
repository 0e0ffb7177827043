import { checkVersion } from '../../copy/check-version.ts'
import { type CopyTarget, FINGERPRINT_ROW, PROGRESS_TABLE, type TableProgress } from '../../copy/ends.ts'
import type { ColumnKind, CopiedRow, CopiedTable, CopiedValue } from '../../copy/tables/table.ts'
import { MIGRATIONS, migrate, versionOf } from '../migrate.ts'
import { hasUnfinishedCopy } from '../unfinished-copy.ts'
import { type CopyConnection, checkUnused, connectForCopy } from './connect.ts'
import { readPages } from './read-pages.ts'

const MIGRATION_CONNECT_MS = 10_000

/** The types of the parameters; the server converts them to those of the columns. */
const ARRAY_TYPES: Readonly<Record<ColumnKind, string>> = {
  text: 'text[]',
  integer: 'bigint[]',
  real: 'double precision[]',
  boolean: 'boolean[]',
  bytes: 'bytea[]',
}

/** The database must exist; its tables are created if there are none. */
export async function openPostgresTarget(databaseUrl: string): Promise<CopyTarget> {
  const connection = await connectForCopy(databaseUrl)
  try {
    await checkUnused(connection, 'target')
    if ((await versionOf(connection.client)) === 0) await migrate(connection.servers, MIGRATION_CONNECT_MS)
    const schemaVersion = await versionOf(connection.client)
    checkVersion('target', schemaVersion, MIGRATIONS.at(-1)!.version)
    return targetOf(connection, schemaVersion)
  } catch (error) {
    await connection[Symbol.asyncDispose]()
    throw error
  }
}

function targetOf(connection: CopyConnection, schemaVersion: number): CopyTarget {
  const stateOf = async (name: string) => {
    const rows = await connection.query<{ state: string }>(`SELECT state FROM ${PROGRESS_TABLE} WHERE name = $1`, [
      name,
    ])
    return rows[0]?.state ?? null
  }
  const setState = (name: string, state: string) =>
    connection.query(
      `INSERT INTO ${PROGRESS_TABLE} (name, state) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET state = excluded.state`,
      [name, state],
    )
  return {
    schemaVersion,
    async *pages(table, after) {
      await connection.query('BEGIN READ ONLY')
      try {
        yield* readPages(connection, table, after)
      } finally {
        // Nothing was written, so how it ends makes no difference.
        await connection.query('ROLLBACK').catch(() => {})
      }
    },
    unfinishedCopyOf: async () => ((await hasUnfinishedCopy(connection.client)) ? stateOf(FINGERPRINT_ROW) : null),
    begin: (fingerprint) =>
      connection.transaction('BEGIN', async () => {
        await connection.query(`CREATE TABLE ${PROGRESS_TABLE} (name text PRIMARY KEY, state text NOT NULL)`)
        await setState(FINGERPRINT_ROW, fingerprint)
      }),
    async progressOf(table) {
      const state = await stateOf(table.name)
      return state === null ? null : (JSON.parse(state) as TableProgress)
    },
    write: (table, rows, progress, first) =>
      connection.transaction('BEGIN', async () => {
        if (first) await connection.query(`DELETE FROM ${table.name}`)
        if (rows.length > 0) await insert(connection, table, rows)
        await setState(table.name, JSON.stringify(progress))
      }),
    finish: (tables) =>
      connection.transaction('BEGIN', async () => {
        for (const table of tables) if (table.identity !== null) await setNextNumber(connection, table)
        // Without statistics the first queries of a service could take the wrong index.
        await connection.query(`ANALYZE ${tables.map(({ name }) => name).join(', ')}`)
        await connection.query(`DROP TABLE ${PROGRESS_TABLE}`)
      }),
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  }
}

async function insert(connection: CopyConnection, table: CopiedTable, rows: readonly CopiedRow[]): Promise<void> {
  const names = table.columns.map(({ name }) => name).join(', ')
  const parameters = table.columns.map(({ kind }, index) => `$${index + 1}::${ARRAY_TYPES[kind]}`).join(', ')
  const override = table.identity === null ? '' : 'OVERRIDING SYSTEM VALUE'
  await connection.query(
    `INSERT INTO ${table.name} (${names}) ${override} SELECT * FROM unnest(${parameters})`,
    table.columns.map((_, index) => rows.map((row) => toPostgres(row[index]!))),
  )
}

function toPostgres(value: CopiedValue): CopiedValue {
  return value instanceof Uint8Array && !Buffer.isBuffer(value) ? Buffer.from(value) : value
}

/** The next row gets the number after the last one that was copied. */
async function setNextNumber(connection: CopyConnection, { name, identity }: CopiedTable): Promise<void> {
  await connection.query(
    `SELECT setval(pg_get_serial_sequence('${name}', '${identity}'), coalesce(max(${identity}), 1), max(${identity}) IS NOT NULL)
     FROM ${name}`,
  )
}
