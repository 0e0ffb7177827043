import { suggestNames } from '../../../../lib/similar-names.ts'
import { UnreadableFile } from '../format.ts'

/** The names a column has had, in lower case; a file without a `needed` one is refused. */
export interface Column {
  readonly names: readonly string[]
  readonly needed: boolean
}

export type Columns<Field extends string> = Readonly<Record<Field, Column>>

/** Returns the trimmed cell; empty if the file lacks the column. */
export type Cell<Field extends string> = (cells: readonly string[], field: Field) => string

export function columnName(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[\s.-]+/g, '_')
}

/** In any order and case. */
export function findColumns<Field extends string>(
  header: readonly string[],
  columns: Columns<Field>,
  what: string,
): Cell<Field> {
  const names = header.map(columnName)
  const places = new Map<Field, number>()
  const missing: string[] = []
  for (const field of Object.keys(columns) as Field[]) {
    const { names: wanted, needed } = columns[field]
    const found = names.flatMap((name, place) => (wanted.includes(name) ? [place] : []))
    if (found.length > 1) throw new UnreadableFile(`the file has the column "${header[found[0]!]}" twice`)
    if (found.length === 1) places.set(field, found[0]!)
    else if (needed) missing.push(wanted[0]!)
  }
  if (missing.length > 0) throw new UnreadableFile(missingText(missing, names, what))
  return (cells, field) => {
    const place = places.get(field)
    return place === undefined ? '' : cells[place]!.trim()
  }
}

function missingText(missing: readonly string[], names: readonly string[], what: string): string {
  const near = missing.flatMap((name) => suggestNames(name, names.filter(Boolean), 1))
  const hint = near.length === 0 ? '' : ` (near: ${near.join(', ')})`
  const found = names.filter(Boolean).slice(0, 8).join(', ').slice(0, 200)
  return `this is not ${what}: it lacks ${missing.join(', ')}${hint}; its columns begin with ${found || 'nothing'}`
}
