import pg from 'pg'
import { PAGE_BYTES, PAGE_ROWS, sizeOfRow } from '../../copy/ends.ts'
import type { ColumnKind, CopiedRow, CopiedTable, CopiedValue } from '../../copy/tables/table.ts'
import type { CopyConnection } from './connect.ts'

/** Few, because a row may have a megabyte and the driver holds all that were fetched. */
const ROWS_PER_FETCH = 100

/** Reads the rows after a key through a cursor, within the transaction of the caller. */
export async function* readPages(
  connection: CopyConnection,
  table: CopiedTable,
  after: readonly CopiedValue[] | null,
): AsyncGenerator<readonly CopiedRow[]> {
  const names = table.columns.map(({ name }) => name).join(', ')
  // SQLite compares texts by their bytes. Not every column of a key has this collation.
  const key = table.key.map(({ name, kind }) => (kind === 'text' ? `${name} COLLATE "C"` : name)).join(', ')
  const range = after === null ? '' : `WHERE (${key}) > (${after.map(literal).join(', ')})`
  const cursor = `copy_${table.name}`
  await connection.query(
    `DECLARE ${cursor} NO SCROLL CURSOR FOR SELECT ${names} FROM ${table.name} ${range} ORDER BY ${key}`,
  )
  try {
    let page: CopiedRow[] = []
    let bytes = 0
    while (true) {
      const fetched = await connection.queryTexts(`FETCH ${ROWS_PER_FETCH} FROM ${cursor}`)
      for (const texts of fetched) {
        const row = texts.map((text, index) => fromPostgres(text, table.columns[index]!.kind))
        page.push(row)
        bytes += sizeOfRow(row)
      }
      const isLast = fetched.length < ROWS_PER_FETCH
      if (page.length > 0 && (isLast || page.length >= PAGE_ROWS || bytes >= PAGE_BYTES)) {
        yield page
        page = []
        bytes = 0
      }
      if (isLast) return
    }
  } finally {
    // After a failed statement the transaction is over, and its cursor with it.
    await connection.query(`CLOSE ${cursor}`).catch(() => {})
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
