import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'
import { PAGE_BYTES, PAGE_ROWS, sizeOfRow } from '../../copy/ends.ts'
import type { ColumnKind, CopiedRow, CopiedTable, CopiedValue } from '../../copy/tables/table.ts'
import type { Database } from '../connection/database.ts'
import { ALL_ATTEMPTS } from './attempts.ts'

/** Reads the rows after a key, in pages; SQLite keeps its place between them. */
export async function* readPages(
  database: Database,
  table: CopiedTable,
  after: readonly CopiedValue[] | null,
): AsyncGenerator<readonly CopiedRow[]> {
  const names = table.columns.map(({ name }) => name).join(', ')
  const key = table.key.map(({ name }) => name).join(', ')
  const relation = table.name === 'attempts' ? ALL_ATTEMPTS : table.name
  const range = after === null ? '' : `WHERE (${key}) > (${table.key.map(() => '?').join(', ')})`
  let page: CopiedRow[] = []
  let bytes = 0
  const values = (after ?? []).map(toSqlite)
  for (const stored of database.iterate(`SELECT ${names} FROM ${relation} ${range} ORDER BY ${key}`, values)) {
    const row = stored.map((value, index) => fromSqlite(value, table.columns[index]!.kind))
    page.push(row)
    bytes += sizeOfRow(row)
    if (page.length === PAGE_ROWS || bytes >= PAGE_BYTES) {
      yield page
      page = []
      bytes = 0
    }
  }
  if (page.length > 0) yield page
}

export function toSqlite(value: CopiedValue): SQLInputValue {
  return typeof value === 'boolean' ? Number(value) : value
}

function fromSqlite(value: SQLOutputValue, kind: ColumnKind): CopiedValue {
  if (kind === 'boolean' && value !== null) return value !== 0
  // Statements are prepared to read numbers, and refuse one that is not exact.
  return value as Exclude<SQLOutputValue, bigint>
}
