/** The form of a column: `boolean` is 0 or 1 in SQLite, `bytes` a blob or bytea. */
export const COLUMN_KINDS = ['text', 'integer', 'real', 'boolean', 'bytes'] as const
export type ColumnKind = (typeof COLUMN_KINDS)[number]

export interface CopiedColumn {
  readonly name: string
  readonly kind: ColumnKind
}

export type CopiedValue = string | number | boolean | Uint8Array | null
/** The values of one row, in the order of the table's columns. */
export type CopiedRow = readonly CopiedValue[]

export interface CopiedTable {
  readonly name: string
  readonly columns: readonly CopiedColumn[]
  /** The columns of the primary key, in its order. Rows are read and written in this order. */
  readonly key: readonly CopiedColumn[]
  /** The rows of a store that nobody has used: migrations insert them. */
  readonly initial: readonly CopiedRow[]
  /** The column that PostgreSQL numbers by itself. */
  readonly identity: string | null
}

/** Describes one table; `columns` is written as in SQL: "id text, version integer". */
export function table(
  name: string,
  key: string,
  columns: string,
  { initial = [], identity = null }: { initial?: readonly CopiedRow[]; identity?: string | null } = {},
): CopiedTable {
  const parsed = columns.split(',').map((column) => parseColumn(name, column.trim()))
  const keyColumns = key.split(',').map((column) => {
    const found = parsed.find((each) => each.name === column.trim())
    if (found === undefined) throw new TypeError(`${name} has no column ${column.trim()}`)
    return found
  })
  return { name, columns: parsed, key: keyColumns, initial, identity }
}

function parseColumn(tableName: string, text: string): CopiedColumn {
  const [name = '', kind = ''] = text.split(/\s+/)
  const known = COLUMN_KINDS.find((each) => each === kind)
  if (known === undefined) throw new TypeError(`${tableName}.${name} has no kind of column`)
  return { name, kind: known }
}

export function keyOf({ columns, key }: CopiedTable, row: CopiedRow): CopiedValue[] {
  return key.map((column) => row[columns.indexOf(column)]!)
}
