import { suggestNames } from '../../../lib/similar-names.ts'
import { type Format, type Open, type ParsedRow, type ReadOptions, rejected, UnreadableFile } from './format.ts'
import {
  decodeBinary,
  MAX_ROW_BYTES,
  type RawRow,
  readRows,
  type SplitRow,
  sampleOf,
  TextSplitter,
  TOO_LONG,
} from './rows.ts'

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

export interface CsvRecord extends RawRow {
  readonly cells: readonly string[]
}

/** Properties of the header that every row must share. */
interface TableLayout {
  readonly dialect: Dialect
  readonly columns: number
}

const BROKEN = 'a quote is wrong: text follows the closing quote of a field, or the closing quote is missing'

/**
 * Splits a CSV file into records; the first is the header. A wrong quote would swallow the rows
 * after it: if a record is broken, or spans lines and has the wrong number of columns, reading
 * continues at the next line that begins a record with the header's number of columns and no quote
 * inside a field. The text before that line is one rejected row.
 */
export class RecordSplitter extends TextSplitter<CsvRecord> {
  #layout: TableLayout | null
  /** The beginning of an endless row whose remainder is skipped. */
  #skipped: { readonly text: string; readonly fault: string } | null = null

  constructor(offset: number, row: number, layout: TableLayout | null) {
    super(offset, row)
    this.#layout = layout
  }

  get layout(): TableLayout | null {
    return this.#layout
  }

  protected override *finish(): Generator<CsvRecord> {
    if (this.#skipped !== null) yield this.#reject(this.offset, this.#skipped)
  }

  protected override splitRow(text: string, at: number, final: boolean): SplitRow<CsvRecord> | null {
    const dialect = this.#layout?.dialect ?? detectDialect(text, final)
    if (dialect === null) return null
    if (this.#skipped !== null) {
      const newline = text.indexOf(dialect.newline, at)
      if (newline === -1) return { row: null, next: text.length }
      return { row: this.#reject(this.offset + newline + 1, this.#skipped), next: newline + 1 }
    }
    const limit = Math.min(text.length, at + MAX_ROW_BYTES)
    const ends = final && limit === text.length
    const found = scanRecord(text, at, limit, ends, dialect)
    if (found.kind === 'open' && limit === text.length) return null
    if (found.kind === 'record') {
      const columns = this.#layout?.columns ?? found.columns
      const raw = text.slice(at, found.end)
      if (raw === '') {
        this.rows++
        return { row: null, next: found.next }
      }
      const fits = found.columns === columns
      if (fits || !raw.includes(dialect.newline)) {
        this.#layout ??= { dialect, columns }
        return { row: this.#record(raw, found, dialect, columns), next: found.next }
      }
    }
    return this.#resume(text, at, limit, ends, found, dialect)
  }

  /** Skips a broken record up to the next valid one. */
  #resume(text: string, at: number, limit: number, ends: boolean, found: ScanResult, dialect: Dialect) {
    if (this.#layout === null) throw new UnreadableFile(`the header cannot be read: ${faultOf(found, 0)}`)
    const { columns } = this.#layout
    const fault = faultOf(found, columns)
    const bound = found.kind === 'record' ? found.next : limit
    let line = text.indexOf(dialect.newline, at) + 1
    for (; line > 0 && line < bound; line = text.indexOf(dialect.newline, line) + 1) {
      const next = scanRecord(text, line, limit, ends, dialect)
      const undecided = next.kind === 'open'
      if (undecided && limit === text.length && limit < at + MAX_ROW_BYTES) return null
      const fits = next.kind === 'record' && next.columns === columns && next.clean
      if (!undecided && !fits) continue
      return {
        row: this.#reject(this.offset + line, { text: decodeBinary(text.slice(at, line)), fault }),
        next: line,
      }
    }
    if (found.kind !== 'record' && !ends) {
      // After a megabyte without a valid record, the text up to the next line is skipped.
      if (limit < at + MAX_ROW_BYTES) return null
      this.#skipped = { text: sampleOf(text.slice(at, limit)), fault }
      return { row: null, next: limit }
    }
    const raw = text.slice(at, bound)
    return { row: this.#reject(this.offset + bound, { text: decodeBinary(raw), fault }), next: bound }
  }

  #record(raw: string, found: ScanResult & { kind: 'record' }, dialect: Dialect, columns: number): CsvRecord {
    const text = decodeBinary(raw)
    const fault = found.columns === columns ? null : faultOf(found, columns)
    const cells = fault === null ? splitCells(text, dialect.delimiter) : []
    return { row: ++this.rows, offset: this.offset + found.next, text, fault, cells }
  }

  #reject(offset: number, { text, fault }: { text: string; fault: string }): CsvRecord {
    this.#skipped = null
    return { row: ++this.rows, offset, text: text.replace(/[\r\n]+$/, ''), fault, cells: [] }
  }
}

function faultOf(found: ScanResult, columns: number): string {
  if (found.kind === 'record') return `the row has ${found.columns} columns, the header has ${columns}`
  return found.kind === 'broken' || found.quoted ? BROKEN : TOO_LONG
}

const QUOTE = 34
const LF = 10
const CR = 13

/** Detected in the first row of a file. */
interface Dialect {
  readonly delimiter: string
  /** `\r` only if the file has no `\n`; elsewhere a lone CR is an ordinary character. */
  readonly newline: '\n' | '\r'
}

const DELIMITERS = [',', ';', '\t'] as const

type ScanResult =
  /** `clean`: there is no quote in the middle of a field. */
  | {
      readonly kind: 'record'
      readonly end: number
      readonly next: number
      readonly columns: number
      readonly clean: boolean
    }
  /** A closing quote is followed by text. */
  | { readonly kind: 'broken' }
  /** The record does not end before `limit`. */
  | { readonly kind: 'open'; readonly quoted: boolean }

/** Finds the end of the record at `at` (RFC 4180), up to `limit`; `final`: the file ends there. */
function scanRecord(text: string, at: number, limit: number, final: boolean, dialect: Dialect): ScanResult {
  const delimiter = dialect.delimiter.charCodeAt(0)
  const newline = dialect.newline.charCodeAt(0)
  let columns = 1
  let clean = true
  let fieldBegins = true
  for (let index = at; index < limit; index++) {
    let code = text.charCodeAt(index)
    if (fieldBegins && code === QUOTE) {
      index = closingQuote(text, index + 1, limit, final)
      if (index === -1) return final ? { kind: 'broken' } : { kind: 'open', quoted: true }
      if (++index === limit) break
      code = text.charCodeAt(index)
      const ends = code === delimiter || code === newline || code === CR
      if (!ends) return { kind: 'broken' }
      if (code === CR && newline === LF) {
        if (index + 1 === limit && !final) break
        if (index + 1 < limit && text.charCodeAt(index + 1) !== LF) return { kind: 'broken' }
      }
    } else if (code === QUOTE) clean = false
    fieldBegins = code === delimiter
    if (fieldBegins) columns++
    else if (code === newline) {
      const end = newline === LF && index > at && text.charCodeAt(index - 1) === CR ? index - 1 : index
      return { kind: 'record', end, next: index + 1, columns, clean }
    }
  }
  if (!final) return { kind: 'open', quoted: false }
  const end = limit > at && text.charCodeAt(limit - 1) === CR ? limit - 1 : limit
  return { kind: 'record', end, next: limit, columns, clean }
}

/** Returns the index of the closing quote, or -1; a doubled quote belongs to the field. */
function closingQuote(text: string, from: number, limit: number, final: boolean): number {
  for (let index = from; index < limit; index++) {
    if (text.charCodeAt(index) !== QUOTE) continue
    if (index + 1 === limit) return final ? index : -1
    if (text.charCodeAt(index + 1) !== QUOTE) return index
    index++
  }
  return -1
}

/** The record must be one that `scanRecord` found complete. */
function splitCells(record: string, delimiter: string): string[] {
  if (!record.includes('"')) return record.split(delimiter)
  const cells: string[] = []
  for (let at = 0; ; ) {
    let end: number
    if (record.charCodeAt(at) === QUOTE) {
      end = closingQuote(record, at + 1, record.length, true) + 1
      cells.push(record.slice(at + 1, end - 1).replaceAll('""', '"'))
    } else {
      end = record.indexOf(delimiter, at)
      if (end === -1) end = record.length
      cells.push(record.slice(at, end))
    }
    if (end >= record.length) return cells
    at = end + 1
  }
}

/** Null if more of the file is needed. */
function detectDialect(text: string, final: boolean): Dialect | null {
  const limit = Math.min(text.length, MAX_ROW_BYTES)
  let quoted = false
  const counts = new Map<string, number>(DELIMITERS.map((delimiter) => [delimiter, 0]))
  let newline: '\n' | '\r' | null = null
  for (let index = 0; index < limit && newline === null; index++) {
    const character = text[index]!
    if (character === '"') quoted = !quoted
    else if (quoted) continue
    else if (character === '\n') newline = '\n'
    else if (character === '\r') {
      if (index + 1 === text.length && !final) return null
      newline = index + 1 === text.length || text[index + 1] === '\n' ? '\n' : '\r'
    } else if (counts.has(character)) counts.set(character, counts.get(character)! + 1)
  }
  if (newline === null && !final && limit < MAX_ROW_BYTES) return null
  const delimiter = DELIMITERS.reduce((best, other) => (counts.get(other)! > counts.get(best)! ? other : best))
  return { delimiter, newline: newline ?? '\n' }
}
