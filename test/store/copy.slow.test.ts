import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { test } from 'node:test'
import { canonicalRow, copyStore } from '../../src/store/copy/copy.ts'
import type { CopyTarget } from '../../src/store/copy/ends.ts'
import { COPIED_TABLES, type ColumnKind, NOT_COPIED } from '../../src/store/copy/tables.ts'
import { isPostgres, openStore } from '../../src/store/open.ts'
import { countConnections } from '../../src/store/postgres/backup.ts'
import { openPostgresTarget } from '../../src/store/postgres/copy.ts'
import { openSqliteTarget } from '../../src/store/sqlite/copy.ts'
import { until } from '../support/app.ts'
import { execute, testDatabase } from '../support/databases/postgres.ts'
import { type Tables, tablesOf } from '../support/databases/stores.ts'
import { type EmptyDatabase, emptyPostgres, emptySqlite } from './databases.ts'

const ROWS = 3

/** Columns whose value a constraint decides, by table; `n` counts the rows from 0. */
const CONSTRAINED: Readonly<Record<string, (n: number) => Record<string, SQLInputValue>>> = {
  events: (n) => ({
    kind: n === 0 ? 'incident.imported' : 'incident.created',
    document: n === 0 ? null : `{"n":${n}}`,
  }),
  accounts: () => ({ email_owned: 1 }),
  // For an account, or for an address.
  sign_in_links: (n) => (n === 0 ? { email: null } : { account_id: null, email: `ada${n}@example.org` }),
  // Pending and leased, delivered at once, failed.
  deliveries: (n) => ({
    status: ['pending', 'delivered', 'failed'][n]!,
    due_at: n === 0 ? 1_900_000_000_000 : null,
    lease_owner: n === 0 ? 'owners.owner.0' : null,
    finished_at: n === 0 ? null : 1_800_000_000_000 + n,
    first_at: n === 1 ? 1_700_000_000_000 : null,
    first_duration: n === 1 ? 12 : null,
    first_status_code: n === 1 ? 204 : null,
    first_answer: n === 1 ? 'accepted' : null,
    first_content_seq: n === 1 ? 7 : null,
    test: n === 2 ? 1 : 0,
  }),
  attempts: (n) => ({ delivery_id: 'deliveries.id.2', number: n + 1, outcome: 'failed' }),
}

/**
 * Puts rows into every table that the schema has, read from the schema itself: a table or column
 * that the copy does not know gets content too. Texts have letters beyond ASCII, quotes and line
 * breaks; numbers are large; what may be null is null in one row.
 */
export function fillEveryTable(path: string): void {
  using database = new DatabaseSync(path)
  // Filled in any order; the end checks the references.
  database.exec('PRAGMA foreign_keys = OFF; BEGIN')
  const tables = database
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('schema_version', 'later_versions') ORDER BY rowid`,
    )
    .all() as { name: string }[]
  for (const { name } of tables) fillTable(database, name)
  database.exec('COMMIT')
  const broken = database.prepare('PRAGMA foreign_key_check').all()
  if (broken.length > 0) throw new Error(`references lead nowhere: ${JSON.stringify(broken)}`)
}

interface Column {
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly pk: number
}

function fillTable(database: DatabaseSync, table: string): void {
  const columns = database.prepare('SELECT * FROM pragma_table_info(?)').all(table) as unknown as Column[]
  const references = new Map(
    database
      .prepare('SELECT "from", "table", "to" FROM pragma_foreign_key_list(?)')
      .all(table)
      .map((row) => [String(row.from), `${row.table}.${row.to}`]),
  )
  const isSingle = columns.some(({ name }) => name === 'single')
  database.exec(`DELETE FROM ${table}`)
  for (let n = 0; n < (isSingle ? 1 : ROWS); n++) {
    const fixed = CONSTRAINED[table]?.(n) ?? {}
    const values = columns.map((column) => {
      if (column.name in fixed) return fixed[column.name]!
      const reference = references.get(column.name)
      if (reference !== undefined) return `${reference}.${n}`
      return isSingle && column.name === 'single' ? 1 : storedValue(table, column, n)
    })
    database.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join(', ')})`).run(...values)
  }
}

function storedValue(table: string, { name, type, notnull, pk }: Column, n: number): SQLInputValue {
  if (n === 1 && notnull === 0 && pk === 0) return null
  const described = COPIED_TABLES.find((each) => each.name === table)?.columns.find((each) => each.name === name)
  if (described?.kind === 'boolean') return n % 2
  switch (type) {
    case 'TEXT':
      // Ids stay plain, so that references can be calculated.
      return pk > 0 || name === 'id' ? `${table}.${name}.${n}` : `${table}.${name}.${n} "Ìbàdàn" \\ 'Ṣàngó'\n😀`
    case 'INTEGER':
      return table === 'source_item_bands' ? Number.MAX_SAFE_INTEGER - n : name.length * 1_000_003 + n
    case 'REAL':
      return [0.1 + 0.2, -9.07645, 7][n]!
    case 'BLOB':
      return Uint8Array.from([0, 1, 127, 128, 255, n])
    default:
      throw new TypeError(`${table}.${name} has the type ${type}`)
  }
}

/** The moments at which a copy ends, one run after the other. */
const INTERRUPTED = [
  ['copied', 'keys'],
  ['copied', 'desk_entries'],
  ['copied', 'attempts'],
  ['verified', 'keys'],
  ['verified', 'deliveries'],
] as const
/** More than two pages. */
const MANY = 2_500

type SqliteDatabase = Awaited<ReturnType<typeof emptySqlite>>

test('every row of every table goes to PostgreSQL and back, the same', async () => {
  await using source = await filledSqlite()
  await using postgres = await testDatabase('empty')
  await using back = await emptySqlite()
  const first = await copyStore(source.url, postgres.url)
  const second = await copyStore(postgres.url, back.url)
  const tables = tablesOf(source.path)
  for (const [name, rows] of Object.entries(tables))
    ok(rows.length > 0 || name === 'later_versions', `${name} has no row to copy`)
  deepEqual(tablesOf(back.path), asCopied(tables))
  deepEqual(second.tables, first.tables)
  equal(first.tables.size, COPIED_TABLES.length)
  deepEqual([first.resumed, second.resumed], [false, false])
})

test('a store can be copied to one of the same kind', async () => {
  await using source = await filledSqlite()
  await using file = await emptySqlite()
  await using postgres = await testDatabase('empty')
  await using other = await testDatabase('empty')
  const { tables } = await copyStore(source.url, file.url)
  deepEqual(tablesOf(file.path), asCopied(tablesOf(source.path)))
  await copyStore(source.url, postgres.url)
  deepEqual((await copyStore(postgres.url, other.url)).tables, tables)
})

test('the numbers that PostgreSQL gives go on after the copied ones', async () => {
  await using source = await filledSqlite()
  await using target = await emptyPostgres()
  await copyStore(source.url, target.url)
  const [audit] = await execute(
    target.url,
    `INSERT INTO audit (at, actor, action, subject, old, new) VALUES (1, 'a', 'b', 'c', '{}', '{}')
     RETURNING id = (SELECT max(id) + 1 FROM audit) AS next`,
  )
  equal(audit!.next, true)
})

test('an empty store can be copied, and is served afterwards', async () => {
  await using source = await emptySqlite()
  await openAndClose(source)
  await using target = await testDatabase('empty')
  await copyStore(source.url, target.url)
  await using store = await openStore(target.url)
  deepEqual(await store.events.head(), { seq: 0, at: 0, link: '' })
  await rejects(copyStore(source.url, target.url), /A service is using the target/)
})

for (const [kind, open] of [
  ['SQLite', emptySqlite],
  ['PostgreSQL', emptyPostgres],
] as const) {
  test(`a copy into ${kind} that was interrupted continues`, async () => {
    await using source = await filledSqlite()
    await using target: EmptyDatabase = await open()
    const whole = await copiedTables(source)
    for (const [step, table] of INTERRUPTED) {
      const stop = new Error('interrupted')
      const onRows = (...at: unknown[]) => {
        if (at[0] === step && at[1] === table) throw stop
      }
      await rejects(copyStore(source.url, target.url, { onRows }), stop)
      await rejects(target.open(), /has not finished: run the same incident-feed copy again/)
    }
    const { resumed, tables } = await copyStore(source.url, target.url)
    equal(resumed, true)
    deepEqual(tables, whole)
    await openAndClose(target)
  })

  test(`a copy into ${kind} that was interrupted within a table continues after its last row`, async () => {
    await using source = await emptySqlite()
    await openAndClose(source)
    await run(
      source.url,
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${MANY})
       INSERT INTO publishers SELECT 'p' || (n * 7919 % ${MANY}), 'Name ' || n, 'newspaper', n FROM numbers`,
    )
    await using target: EmptyDatabase = await open()
    const pages: number[] = []
    const stopAfter = (page: number) => (step: string, table: string, rows: number) => {
      if (step !== 'copied' || table !== 'publishers') return
      pages.push(rows)
      if (pages.length === page) throw new Error('interrupted')
    }
    await rejects(copyStore(source.url, target.url, { onRows: stopAfter(1) }), /interrupted/)
    await rejects(copyStore(source.url, target.url, { onRows: stopAfter(2) }), /interrupted/)
    const { tables } = await copyStore(source.url, target.url, { onRows: stopAfter(0) })
    deepEqual(pages, [1000, 1000, 500])
    deepEqual(tables, await copiedTables(source))
    equal(tables.get('publishers')!.rows, MANY)
  })

  test(`a row that is different in ${kind} is found`, async () => {
    await using source = await filledSqlite()
    await using target: EmptyDatabase = await open()
    const onRows = (step: string) => {
      if (step === 'verified') throw new Error('interrupted')
    }
    await rejects(copyStore(source.url, target.url, { onRows }), /interrupted/)
    await run(target.url, `UPDATE incidents SET document = document || ' ' WHERE id = 'incidents.id.1'`)
    await rejects(
      copyStore(source.url, target.url),
      /incidents: the row incidents\.id\.1 is not the same in the target/,
    )
    await run(target.url, `DELETE FROM incidents WHERE id = 'incidents.id.1'`)
    await rejects(copyStore(source.url, target.url), /incidents: the row incidents\.id\.1 is/)
    await run(target.url, `DELETE FROM incidents WHERE id > 'incidents.id.0'`)
    await rejects(copyStore(source.url, target.url), /incidents: the row incidents\.id\.1 is missing/)
  })

  test(`${kind} with content is no target, and stays as it was`, async () => {
    await using source = await filledSqlite()
    await using target: EmptyDatabase = await open()
    await openAndClose(target)
    await run(target.url, `INSERT INTO publishers (key, name, kind, updated_at) VALUES ('a', 'b', 'c', 1)`)
    await rejects(copyStore(source.url, target.url), /The target is not empty: it has rows in publishers\./)
    await run(target.url, 'DELETE FROM publishers')
    await run(target.url, 'UPDATE log_head SET seq = 5')
    await rejects(copyStore(source.url, target.url), /it has rows in log_head\./)
    await openAndClose(target)
  })

  test(`${kind} is neither source nor target while a store is open`, async () => {
    await using busy: EmptyDatabase = await open()
    await using store = await busy.open()
    await store.events.head()
    await using other = await filledSqlite()
    await using empty = await testDatabase('empty')
    await rejects(copyStore(busy.url, empty.url), /A service is using .*: stop/)
    await rejects(copyStore(other.url, busy.url), /(A service|A process) is using .*: stop/)
  })

  test(`${kind} at another schema version is refused`, async () => {
    await using store: EmptyDatabase = await open()
    await openAndClose(store)
    await using other = await filledSqlite()
    await using empty = await testDatabase('empty')
    await run(store.url, 'INSERT INTO schema_version (version) VALUES (9000)')
    await rejects(copyStore(store.url, empty.url), /source has schema version 9000, .*: use the newer build/)
    await rejects(copyStore(other.url, store.url), /target has schema version 9000, .*: use the newer build/)
    await run(store.url, 'DELETE FROM schema_version WHERE version > 5')
    await run(store.url, 'DELETE FROM later_versions')
    await rejects(copyStore(store.url, empty.url), /source has schema version 5, .*: back it up, start this build/)
    await rejects(copyStore(other.url, store.url), /target has schema version 5, .*: name a new file/)
  })
}

test('a copy is not continued from a source that was used since', async () => {
  await using source = await filledSqlite()
  await using target = await emptyPostgres()
  const onRows = () => {
    throw new Error('interrupted')
  }
  await rejects(copyStore(source.url, target.url, { onRows }), /interrupted/)
  await run(source.url, 'UPDATE owners SET beats = beats + 1')
  await rejects(copyStore(source.url, target.url), /a service has used the source since/)
})

test('a PostgreSQL that a service has used during the copy is noticed', async () => {
  await using filled = await filledSqlite()
  await using source = await emptyPostgres()
  await copyStore(filled.url, source.url)
  await using target = await emptySqlite()
  let touched: Promise<unknown> | null = null
  const onRows = (step: string, table: string) => {
    if (step === 'verified' && table === 'accounts') touched = execute(source.url, 'UPDATE log_head SET seq = seq + 1')
  }
  await rejects(copyStore(source.url, target.url, { onRows }), /A service has used the source during the copy/)
  await touched
})

test('what is no store is refused in a sentence', async () => {
  await using source = await filledSqlite()
  await using target = await emptySqlite()
  await rejects(copyStore(`${source.url}.missing`, target.url), /There is no database at .*missing/)
  await rejects(copyStore('sqlite::memory:', target.url), /in memory/)
  await rejects(copyStore(source.url, 'sqlite::memory:'), /in memory/)
  await rejects(copyStore(source.url, source.url), /are the same store/)
  const other = `${source.path}-other`
  using database = new DatabaseSync(other)
  database.exec('CREATE TABLE notes (text TEXT)')
  database.close()
  await rejects(copyStore(source.url, `sqlite:${other}`), /is a SQLite database of something else/)
  await rejects(copyStore(`sqlite:${other}`, target.url), /The source is not a store of this service/)
})

test('a source stays as it is, byte for byte of its rows', async () => {
  await using source = await filledSqlite()
  const before = tablesOf(source.path)
  await using target = await emptySqlite()
  await copyStore(source.url, target.url)
  deepEqual(tablesOf(source.path), before)
})

/** Waits until the server has noticed: closing a pool does not. */
async function openAndClose({ url, open }: EmptyDatabase): Promise<void> {
  await (await open())[Symbol.asyncDispose]()
  if (isPostgres(url)) await until(async () => (await countConnections(url)) === 0, 'the end of the connections')
}

async function filledSqlite(): Promise<SqliteDatabase> {
  const database = await emptySqlite()
  await openAndClose(database)
  fillEveryTable(database.path)
  return database
}

async function copiedTables(source: SqliteDatabase) {
  await using target = await emptySqlite()
  return (await copyStore(source.url, target.url)).tables
}

/** The tables as a copy has them: it starts a counter again. */
function asCopied(tables: Tables): Tables {
  const fan_out = tables.fan_out!.map((row) => ({ ...row, made_due: 0 }))
  return { ...tables, fan_out }
}

async function run(databaseUrl: string, sql: string): Promise<void> {
  if (databaseUrl.startsWith('postgres')) await execute(databaseUrl, sql)
  else {
    using database = new DatabaseSync(databaseUrl.slice('sqlite:'.length))
    database.exec(sql)
  }
}

test('a copy of SQLite knows every table and column', async () => {
  await using database = await emptySqlite()
  await openAndClose(database)
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
