import { CSV_COLUMNS } from '../../../formats/csv-columns.ts'
import { suggestNames } from '../../../lib/similar-names.ts'
import { columnName } from './csv/find-columns.ts'
import { UnreadableFile } from './format.ts'

/** The columns of our own CSV, and the row's id in its source. */
export const FIELDS = [...CSV_COLUMNS, 'source_id'] as const
export type Field = (typeof FIELDS)[number]

/** Returns trimmed text; empty if the row lacks the field. */
export type FieldReader = (field: Field) => string

const IGNORED = '-'
const ANY_COLUMN = '*'

export type ColumnMap = (column: string) => Field | 'ignored' | 'unknown'

export const isField = (name: string): name is Field => (FIELDS as readonly string[]).includes(name)

/** Maps columns by the map, then by name. A column is ignored only if the map says so. */
export function columnMap(map: ReadonlyMap<string, string> = new Map()): ColumnMap {
  const mapped = new Map([...map].map(([column, field]) => [columnName(column), field]))
  for (const [column, field] of map) {
    if (field === IGNORED) continue
    if (isField(field) && column !== ANY_COLUMN) continue
    const near = suggestNames(field, FIELDS)
    const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `the fields are ${FIELDS.join(', ')}`
    throw new UnreadableFile(`--map ${column}=${field}: the field does not exist; ${hint}`)
  }
  return (column) => {
    const name = columnName(column)
    const field = mapped.get(name) ?? (isField(name) ? name : mapped.get(ANY_COLUMN))
    if (field === undefined) return 'unknown'
    return field === IGNORED ? 'ignored' : (field as Field)
  }
}

export function mappingHint(column: string): string {
  const near = suggestNames(columnName(column), FIELDS, 1)[0] ?? 'field'
  return `map it with --map "${column}=${near}", or ignore it with --map "${column}=-"`
}
