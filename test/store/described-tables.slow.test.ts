import { deepEqual } from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { canonicalRow } from '../../src/store/copy/copy.ts'
import type { CopyTarget } from '../../src/store/copy/ends.ts'
import { COPIED_TABLES, type ColumnKind, NOT_COPIED } from '../../src/store/copy/tables.ts'
import { openPostgresTarget } from '../../src/store/postgres/copy.ts'
import { openSqliteTarget } from '../../src/store/sqlite/copy.ts'
import { execute } from '../support/databases/postgres.ts'
import { emptyPostgres, emptySqlite } from './empty-database.ts'

test('a copy of SQLite knows every table and column', async () => {
  await using database = await emptySqlite()
  await (await database.open())[Symbol.asyncDispose]()
  deepEqual(findDifferences('sqlite', sqliteColumns(database.path)), [])
})

test('a copy of PostgreSQL knows every table and column', async () => {
  await using database = await emptyPostgres()
  deepEqual(findDifferences('postgres', await postgresColumns(database.url)), [])
})

test('a new store has the rows that a copy expects in an empty target', async () => {
  await using sqlite = await emptySqlite()
  await using postgres = await emptyPostgres()
  for (const open of [() => openSqliteTarget(sqlite.path), () => openPostgresTarget(postgres.url)]) {
    await using target: CopyTarget = await open()
    for (const table of COPIED_TABLES) {
      const rows: string[] = []
      for await (const page of target.pages(table, null)) rows.push(...page.map(canonicalRow))
      deepEqual(rows, table.initial.map(canonicalRow), table.name)
    }
  }
})

/** One sentence for each difference between the description and a real schema. */
function findDifferences(store: 'sqlite' | 'postgres', stored: readonly StoredColumn[]): string[] {
  const leftOut = NOT_COPIED.filter((each) => each.store === store || each.store === 'both').map(({ name }) => name)
  const problems = leftOut
    .filter((name) => !stored.some((column) => [column.table, `${column.table}.${column.name}`].includes(name)))
    .map((name) => `${name} is left out, but does not exist`)
  const described = COPIED_TABLES.flatMap((table) =>
    table.columns.map((column) => ({ table, column, name: `${table.name}.${column.name}` })),
  )
  for (const column of stored) {
    const name = `${column.table}.${column.name}`
    const isLeftOut = leftOut.includes(name) || leftOut.includes(column.table)
    const found = described.find((each) => each.name === name)
    if (found === undefined) {
      if (!isLeftOut) problems.push(`${name} is not copied: describe it in src/store/copy/tables.ts`)
      continue
    }
    if (isLeftOut) problems.push(`${name} is copied and left out`)
    if (!column.kinds.includes(found.column.kind)) problems.push(`${name} is ${column.kinds}, not ${found.column.kind}`)
    const keyPlace = found.table.key.indexOf(found.column) + 1
    if (keyPlace !== column.keyPlace) problems.push(`${name} has place ${column.keyPlace} in the key, not ${keyPlace}`)
    if (store === 'postgres' && column.identity !== (found.table.identity === column.name))
      problems.push(`${name}: PostgreSQL numbers it, or the description says so wrongly`)
  }
  for (const { name } of described)
    if (!stored.some((column) => `${column.table}.${column.name}` === name)) problems.push(`${name} does not exist`)
  return problems
}

export interface StoredColumn {
  readonly table: string
  readonly name: string
  /** The kinds of column that this type can hold. */
  readonly kinds: readonly ColumnKind[]
  /** The place in the primary key, from 1; 0 outside of it. */
  readonly keyPlace: number
  readonly identity: boolean
}

const SQLITE_KINDS: Readonly<Record<string, readonly ColumnKind[]>> = {
  TEXT: ['text'],
  INTEGER: ['integer', 'boolean'],
  REAL: ['real'],
  BLOB: ['bytes'],
}

const POSTGRES_KINDS: Readonly<Record<string, readonly ColumnKind[]>> = {
  text: ['text'],
  integer: ['integer'],
  bigint: ['integer'],
  'double precision': ['real'],
  boolean: ['boolean'],
  bytea: ['bytes'],
}

/** Reads from the database itself what columns it has. */
export function sqliteColumns(path: string): StoredColumn[] {
  using database = new DatabaseSync(path, { readOnly: true })
  const rows = database
    .prepare(
      `SELECT tables.name AS "table", columns.name, columns.type, columns.pk FROM sqlite_schema AS tables
       JOIN pragma_table_xinfo(tables.name) AS columns WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%'`,
    )
    .all() as { table: string; name: string; type: string; pk: number }[]
  return rows.map(({ table, name, type, pk }) => ({
    table,
    name,
    kinds: SQLITE_KINDS[type] ?? [],
    keyPlace: pk,
    identity: false,
  }))
}

export async function postgresColumns(databaseUrl: string): Promise<StoredColumn[]> {
  const rows = (await execute(
    databaseUrl,
    `SELECT columns.table_name AS "table", columns.column_name AS name, columns.data_type AS type,
            columns.is_identity = 'YES' OR columns.column_default LIKE 'nextval%' AS identity,
            coalesce(array_position(keys.indkey::smallint[], attributes.attnum) + 1, 0) AS place
     FROM information_schema.columns
     JOIN pg_attribute AS attributes
       ON attributes.attrelid = columns.table_name::regclass AND attributes.attname = columns.column_name
     LEFT JOIN pg_index AS keys ON keys.indrelid = attributes.attrelid AND keys.indisprimary
     WHERE columns.table_schema = current_schema()`,
  )) as unknown as { table: string; name: string; type: string; identity: boolean | null; place: number }[]
  return rows.map(({ table, name, type, identity, place }) => ({
    table,
    name,
    kinds: POSTGRES_KINDS[type] ?? [],
    keyPlace: place,
    identity: identity ?? false,
  }))
}
