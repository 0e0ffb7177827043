import { UnreadableFile } from '../format.ts'
import { binaryOf, decodeBinary, MAX_ROW_BYTES, sampleOf } from '../splitting/decode.ts'
import { TOO_LONG } from '../splitting/line-splitter.ts'
import type { RawRow, RowSplitter } from '../splitting/read-rows.ts'
import { type Dialect, detectDialect, type ScanResult, scanRecord, splitCells } from './csv-scan.ts'

export interface CsvRecord extends RawRow {
  readonly cells: readonly string[]
}

/** Properties of the header that every row must share. */
export interface TableLayout {
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
export class RecordSplitter implements RowSplitter<CsvRecord> {
  #text = ''
  /** File offset of the first character of `#text`. */
  #offset: number
  #row: number
  #layout: TableLayout | null
  /** The beginning of an endless row whose remainder is skipped. */
  #skipped: { readonly text: string; readonly fault: string } | null = null

  constructor(offset: number, row: number, layout: TableLayout | null) {
    this.#offset = offset
    this.#row = row
    this.#layout = layout
  }

  get layout(): TableLayout | null {
    return this.#layout
  }

  *push(bytes: Uint8Array): Generator<CsvRecord> {
    this.#text += binaryOf(bytes)
    yield* this.#readRecords(false)
  }

  *end(): Generator<CsvRecord> {
    yield* this.#readRecords(true)
  }

  *#readRecords(final: boolean): Generator<CsvRecord> {
    const text = this.#text
    const dialect = this.#layout?.dialect ?? detectDialect(text, final)
    if (dialect === null) return
    let at = 0
    while (at < text.length) {
      const read = this.#readRecord(text, at, final, dialect)
      if (read === null) break
      if (read.record !== null) yield read.record
      at = read.next
    }
    this.#text = text.slice(at)
    this.#offset += at
    if (final && this.#skipped !== null) yield this.#reject(this.#offset, this.#skipped)
  }

  /** Null if more of the file is needed. */
  #readRecord(
    text: string,
    at: number,
    final: boolean,
    dialect: Dialect,
  ): { record: CsvRecord | null; next: number } | null {
    if (this.#skipped !== null) {
      const newline = text.indexOf(dialect.newline, at)
      if (newline === -1) return { record: null, next: text.length }
      return { record: this.#reject(this.#offset + newline + 1, this.#skipped), next: newline + 1 }
    }
    const limit = Math.min(text.length, at + MAX_ROW_BYTES)
    const ends = final && limit === text.length
    const found = scanRecord(text, at, limit, ends, dialect)
    if (found.kind === 'open' && limit === text.length) return null
    if (found.kind === 'record') {
      const columns = this.#layout?.columns ?? found.columns
      const raw = text.slice(at, found.end)
      if (raw === '') {
        this.#row++
        return { record: null, next: found.next }
      }
      const fits = found.columns === columns
      if (fits || !raw.includes(dialect.newline)) {
        this.#layout ??= { dialect, columns }
        return { record: this.#record(raw, found, dialect, columns), next: found.next }
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
        record: this.#reject(this.#offset + line, { text: decodeBinary(text.slice(at, line)), fault }),
        next: line,
      }
    }
    if (found.kind !== 'record' && !ends) {
      // After a megabyte without a valid record, the text up to the next line is skipped.
      if (limit < at + MAX_ROW_BYTES) return null
      this.#skipped = { text: sampleOf(Buffer.from(text.slice(at, limit), 'latin1')), fault }
      return { record: null, next: limit }
    }
    const raw = text.slice(at, bound)
    return { record: this.#reject(this.#offset + bound, { text: decodeBinary(raw), fault }), next: bound }
  }

  #record(raw: string, found: ScanResult & { kind: 'record' }, dialect: Dialect, columns: number): CsvRecord {
    const text = decodeBinary(raw)
    const fault = found.columns === columns ? null : faultOf(found, columns)
    const cells = fault === null ? splitCells(text, dialect.delimiter) : []
    return { row: ++this.#row, offset: this.#offset + found.next, text, fault, cells }
  }

  #reject(offset: number, { text, fault }: { text: string; fault: string }): CsvRecord {
    this.#skipped = null
    return { row: ++this.#row, offset, text: text.replace(/[\r\n]+$/, ''), fault, cells: [] }
  }
}

function faultOf(found: ScanResult, columns: number): string {
  if (found.kind === 'record') return `the row has ${found.columns} columns, the header has ${columns}`
  return found.kind === 'broken' || found.quoted ? BROKEN : TOO_LONG
}
