import { CSV_COLUMNS } from '../../../formats/csv-columns.ts'
import { suggestNames } from '../../../lib/text/suggest.ts'
import { columnName } from './csv/find-columns.ts'
import { UnreadableFile } from './format.ts'

export const FIELDS = [...CSV_COLUMNS, 'source_id'] as const
export type Field = (typeof FIELDS)[number]

/** A field of a row as text, trimmed; empty where it has none. */
export type Get = (field: Field) => string

const LEFT_OUT = '-'
const ALL_OTHERS = '*'

export type ColumnMap = (column: string) => Field | 'left out' | 'not known'

const isField = (name: string): name is Field => (FIELDS as readonly string[]).includes(name)

/** Which field a column is: by the map first, else by its own name. A column is left out only where the map says so. */
export function columnMap(map: ReadonlyMap<string, string> = new Map()): ColumnMap {
  const mapped = new Map([...map].map(([column, field]) => [columnName(column), field]))
  for (const [column, field] of map) {
    if (field === LEFT_OUT) continue
    if (isField(field) && column !== ALL_OTHERS) continue
    const near = suggestNames(field, FIELDS)
    const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `the fields are ${FIELDS.join(', ')}`
    throw new UnreadableFile(`--map ${column}=${field}: there is no such field; ${hint}`)
  }
  return (column) => {
    const name = columnName(column)
    const field = mapped.get(name) ?? (isField(name) ? name : mapped.get(ALL_OTHERS))
    if (field === undefined) return 'not known'
    return field === LEFT_OUT ? 'left out' : (field as Field)
  }
}

export function howToMap(column: string): string {
  const near = suggestNames(columnName(column), FIELDS, 1)[0] ?? 'field'
  return `name it with --map "${column}=${near}", or leave it out with --map "${column}=-"`
}
