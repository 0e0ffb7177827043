import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { COPIED_TABLES } from '../../../src/store/copy/tables/tables.ts'

const ROWS = 3

/** Columns whose value a constraint decides, by table; `n` counts the rows from 0. */
const CONSTRAINED: Readonly<Record<string, (n: number) => Record<string, SQLInputValue>>> = {
  events: (n) => ({
    kind: n === 0 ? 'incident.imported' : 'incident.created',
    document: n === 0 ? null : `{"n":${n}}`,
  }),
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
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'schema_version' ORDER BY rowid`)
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
