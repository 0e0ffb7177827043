import { suggestNames } from '../../../lib/similar-names.ts'
import { type CsvRecord, RecordSplitter, type TableLayout } from './csv-records.ts'
import { type Format, type Open, type ParsedRow, type ReadOptions, rejected, UnreadableFile } from './format.ts'
import { readRows } from './rows.ts'

/** Rejects a row that cannot be parsed, with the reason. */
type RowReader = (cells: readonly string[]) => ParsedRow

interface Head {
  readonly layout: TableLayout
  readonly names: readonly string[]
}

const HXL_TAG = /^#[a-z][a-z0-9_]*(\s*\+[a-z][a-z0-9_]*)*$/i
const HXL_ROW = 2
const NUL = '\0'

/** CSV with a header row. Rows are numbered as in a spreadsheet: the header is row 1. */
export function tableFormat(readerFor: (header: readonly string[], options: ReadOptions) => RowReader): Format {
  return {
    async *read(open, options) {
      const { after } = options
      const head = after === undefined ? null : await headOf(open)
      let names = head?.names ?? null
      let reader = head === null ? null : readerFor(head.names, options)
      const parseRow = ({ row, text, cells }: CsvRecord): ParsedRow | null => {
        if (reader === null || names === null) {
          names = headerIn(text, cells)
          reader = readerFor(names, options)
          return null
        }
        if (text.includes(NUL)) return rejected('the row contains NUL bytes')
        if (cells.every((cell) => cell.trim() === '')) return null
        if (row === HXL_ROW && isHxl(cells, names)) return null
        return reader(cells)
      }
      const splitterAt = (offset: number) => new RecordSplitter(offset, after?.row ?? 0, head?.layout ?? null)
      yield* readRows(open, after?.offset ?? 0, splitterAt, parseRow)
      if (reader === null) throw new UnreadableFile('the file is empty')
    },
  }
}

/** Reads the header of a file whose rows are then read from a later offset. */
async function headOf(open: Open): Promise<Head> {
  let head: Head | null = null
  let records = new RecordSplitter(0, 0, null)
  const splitterAt = (offset: number) => {
    records = new RecordSplitter(offset, 0, null)
    return records
  }
  const parseRow = ({ text, cells }: CsvRecord) => {
    head ??= { layout: records.layout!, names: headerIn(text, cells) }
    return rejected('the header')
  }
  for await (const _ of readRows(open, 0, splitterAt, parseRow)) break
  if (head === null) throw new UnreadableFile('the file is empty')
  return head
}

function headerIn(text: string, cells: readonly string[]): readonly string[] {
  if (text.includes(NUL)) throw new UnreadableFile('this is not a text file: its first row contains NUL bytes')
  return cells
}

/**
 * Detects the HXL tags that the Humanitarian Data Exchange puts under the header. The nameless
 * column that numbers the rows may have no tag.
 */
function isHxl(cells: readonly string[], names: readonly string[]): boolean {
  const tags = cells.filter((cell, place) => names[place] !== '' && cell.trim() !== '')
  return tags.length > 0 && tags.every((tag) => HXL_TAG.test(tag.trim()))
}

/** A data set in CSV whose columns are known, and of which the rows about Nigeria are read. */
export function datasetFormat<Field extends string>(
  what: string,
  columns: Columns<Field | 'country'>,
  readRow: (get: (field: Field) => string, now: number) => ParsedRow,
): Format {
  return tableFormat((header, { now }) => {
    const cell = findColumns(header, columns, what)
    return (cells) => {
      const country = cell(cells, 'country')
      if (country.toLowerCase() !== 'nigeria') return rejected(`the country is "${country}", not Nigeria`)
      return readRow((field) => cell(cells, field), now)
    }
  })
}

/** The names a column has had, in lower case; a file without a `needed` one is refused. */
interface Column {
  readonly names: readonly string[]
  readonly needed: boolean
}

export type Columns<Field extends string> = Readonly<Record<Field, Column>>

export const needed = (...names: string[]): Column => ({ names, needed: true })
export const optional = (...names: string[]): Column => ({ names, needed: false })

export function columnName(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[\s.-]+/g, '_')
}

/** In any order and case. Returns a reader of trimmed cells; empty if the file lacks the column. */
function findColumns<Field extends string>(header: readonly string[], columns: Columns<Field>, what: string) {
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
  if (missing.length > 0) {
    const given = names.filter(Boolean)
    const near = missing.flatMap((name) => suggestNames(name, given, 1))
    const hint = near.length === 0 ? '' : ` (near: ${near.join(', ')})`
    const found = given.slice(0, 8).join(', ').slice(0, 200) || 'nothing'
    throw new UnreadableFile(
      `this is not ${what}: it lacks ${missing.join(', ')}${hint}; its columns begin with ${found}`,
    )
  }
  return (cells: readonly string[], field: Field): string => {
    const place = places.get(field)
    return place === undefined ? '' : cells[place]!.trim()
  }
}
