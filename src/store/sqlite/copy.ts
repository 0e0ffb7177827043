import { existsSync, realpathSync } from 'node:fs'
import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'
import { type CopySource, type CopyTarget, checkVersion, inPages } from '../copy/ends.ts'
import type { ColumnKind, CopiedRow, CopiedTable, CopiedValue } from '../copy/tables.ts'
import { MEMORY } from '../files.ts'
import { PROGRESS_TABLE } from '../migrations.ts'
import { CopyRefused, StoreUnusable } from '../store.ts'
import { type Database, openExclusively, openExclusivelyForWriting } from './database.ts'
import { damageOf, prepareFile } from './database-file.ts'
import { isBusy, toStoreError } from './errors.ts'
import { hasTable, MIGRATIONS, migrate, refuseUnfinishedCopy, versionOf } from './migrate.ts'

/** Locks the file, so that no service can open it until the copy ends. */
export function openSqliteSource(path: string): CopySource {
  if (path === MEMORY) throw new CopyRefused('A database in memory ends with its process: it cannot be copied')
  if (!existsSync(path)) throw new CopyRefused(`There is no database at ${path}`)
  const damage = damageOf(path)
  if (damage !== null) throw new StoreUnusable(`${path} ${damage}`)
  return openEnd('source', path, openExclusively, (database) => {
    refuseUnfinishedCopy(database)
    return { readAgain: async () => {} }
  })
}

/** Creates the file if there is none, and locks it until the copy ends. */
export function openSqliteTarget(path: string): CopyTarget {
  if (path === MEMORY) throw new CopyRefused('A database in memory ends with its process: name a file as the target')
  const open = () => {
    prepareFile(path)
    return openExclusivelyForWriting(path)
  }
  return openEnd('target', path, open, (database) => {
    if (versionOf(database) === 0) {
      if (database.get('SELECT 1 FROM sqlite_schema') !== undefined)
        throw new CopyRefused(`${realpathSync(path)} is a SQLite database of something else: name a new file`)
      migrate(database)
    }
    return writing(database)
  })
}

function openEnd<Methods extends object>(
  end: 'source' | 'target',
  path: string,
  open: (path: string) => Database,
  prepare: (database: Database) => Methods,
) {
  try {
    const database = open(path)
    try {
      const methods = prepare(database)
      const schemaVersion = versionOf(database)
      checkVersion(end, schemaVersion, MIGRATIONS.at(-1)!.version)
      return {
        ...methods,
        schemaVersion,
        pages: (table: CopiedTable, after: readonly CopiedValue[] | null) => inPages(rowsAfter(database, table, after)),
        [Symbol.asyncDispose]: async () => database[Symbol.dispose](),
      }
    } catch (error) {
      database[Symbol.dispose]()
      throw error
    }
  } catch (error) {
    const user = end === 'source' ? 'service' : 'process'
    if (isBusy(error)) throw new CopyRefused(`A ${user} is using ${path}: stop it first`, { cause: error })
    throw toStoreError(error)
  }
}

/** SQLite keeps its place while the rows are read. */
function* rowsAfter(
  database: Database,
  table: CopiedTable,
  after: readonly CopiedValue[] | null,
): Generator<CopiedRow, void> {
  const names = table.columns.map(({ name }) => name).join(', ')
  const key = table.key.map(({ name }) => name).join(', ')
  const relation = table.name === 'attempts' ? ALL_ATTEMPTS : table.name
  const range = after === null ? '' : `WHERE (${key}) > (${table.key.map(() => '?').join(', ')})`
  const values = (after ?? []).map(toSqlite)
  for (const stored of database.iterate(`SELECT ${names} FROM ${relation} ${range} ORDER BY ${key}`, values))
    yield stored.map((value, index) => fromSqlite(value, table.columns[index]!.kind))
}

function writing(database: Database): Pick<CopyTarget, 'stateOf' | 'begin' | 'write' | 'finish'> {
  const setState = (name: string, state: string) =>
    database.run(
      `INSERT INTO ${PROGRESS_TABLE} (name, state) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET state = excluded.state`,
      [name, state],
    )
  return {
    async stateOf(name) {
      if (!hasTable(database, PROGRESS_TABLE)) return null
      return (
        database.get<{ state: string }>(`SELECT state FROM ${PROGRESS_TABLE} WHERE name = ?`, [name])?.state ?? null
      )
    },
    async begin(name, state) {
      database.transaction(() => {
        database.script(`CREATE TABLE ${PROGRESS_TABLE} (name TEXT PRIMARY KEY NOT NULL, state TEXT NOT NULL) STRICT`)
        setState(name, state)
      })
    },
    async write(table, rows, state, first) {
      database.transaction(() => {
        if (first) database.run(`DELETE FROM ${table.name}`)
        for (const row of rows) writeRow(database, table, row)
        setState(table.name, state)
      })
    },
    async finish() {
      database.transaction(() => database.script(`DROP TABLE ${PROGRESS_TABLE}`))
    },
  }
}

/** Columns that only SQLite has and that have no default, with the value of a new store. */
const OWN_COLUMNS: Readonly<Record<string, Readonly<Record<string, number>>>> = { fan_out: { made_due: 0 } }

function writeRow(database: Database, table: CopiedTable, row: CopiedRow): void {
  if (table.name === 'attempts' && writeFirstSuccess(database, table, row)) return
  const own = OWN_COLUMNS[table.name] ?? {}
  const names = [...table.columns.map(({ name }) => name), ...Object.keys(own)]
  database.run(`INSERT INTO ${table.name} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`, [
    ...row.map(toSqlite),
    ...Object.values(own),
  ])
}

/** A first attempt that succeeds is kept in the row of its delivery (migration 0005). */
const ALL_ATTEMPTS = `(
  SELECT delivery_id, number, at, duration, outcome, status_code, answer, error, content_seq FROM attempts
  UNION ALL
  SELECT id, 1, first_at, first_duration, 'delivered', first_status_code, first_answer, NULL, first_content_seq
  FROM deliveries WHERE first_at IS NOT NULL
)`

/** Puts a first success where `recordAttempts` puts it. Returns false for every other attempt. */
function writeFirstSuccess(database: Database, table: CopiedTable, row: CopiedRow): boolean {
  const named = Object.fromEntries(table.columns.map(({ name }, index) => [name, row[index]!]))
  if (named.number !== 1 || named.outcome !== 'delivered' || named.error !== null) return false
  const { at, duration, status_code, answer, content_seq, delivery_id } = named as Record<
    string,
    string | number | null
  >
  const changed = database.run(
    `UPDATE deliveries
     SET first_at = ?, first_duration = ?, first_status_code = ?, first_answer = ?, first_content_seq = ?
     WHERE id = ?`,
    [at!, duration!, status_code!, answer!, content_seq!, delivery_id!],
  )
  // An attempt whose delivery is gone stays where it was.
  return changed === 1
}

function toSqlite(value: CopiedValue): SQLInputValue {
  return typeof value === 'boolean' ? Number(value) : value
}

function fromSqlite(value: SQLOutputValue, kind: ColumnKind): CopiedValue {
  if (kind === 'boolean' && value !== null) return value !== 0
  // Statements are prepared to read numbers, and refuse one that is not exact.
  return value as Exclude<SQLOutputValue, bigint>
}
