import { UnreadableFile } from '../format.ts'
import { binaryOf, decodeBinary, LONGEST_ROW, sampleOf } from '../splitting/decode.ts'
import { TOO_LONG } from '../splitting/line-splitter.ts'
import type { RawRow, RowSplitter } from '../splitting/read-rows.ts'
import { cellsOf, type Dialect, dialectOf, type Scan, scan } from './csv-scan.ts'

export interface CsvRecord extends RawRow {
  readonly cells: readonly string[]
}

/** What the header says about every row after it. */
export interface Layout {
  readonly dialect: Dialect
  readonly columns: number
}

const BROKEN = 'a quote is broken: text follows the quote that closes a field, or none closes it'

/**
 * The records of a CSV file; the first one is the header. A broken quote would swallow the rows after it. So where a
 * record breaks, or spans several lines and has the wrong number of columns, each of the following lines is tried: the
 * first at which a record begins that has the header's number of columns, and no quote in the middle of a field, is
 * where reading goes on. What stands before it is one rejected row.
 */
export class RecordSplitter implements RowSplitter<CsvRecord> {
  #text = ''
  /** The offset of the text's first character. */
  #offset: number
  #row: number
  #layout: Layout | null
  /** The beginning of a row without end, of which the remainder is being passed over. */
  #passedOver: { readonly text: string; readonly fault: string } | null = null

  constructor(offset: number, row: number, layout: Layout | null) {
    this.#offset = offset
    this.#row = row
    this.#layout = layout
  }

  get layout(): Layout | null {
    return this.#layout
  }

  *push(bytes: Uint8Array): Generator<CsvRecord> {
    this.#text += binaryOf(bytes)
    yield* this.#take(false)
  }

  *end(): Generator<CsvRecord> {
    yield* this.#take(true)
  }

  *#take(final: boolean): Generator<CsvRecord> {
    const text = this.#text
    const dialect = this.#layout?.dialect ?? dialectOf(text, final)
    if (dialect === null) return
    let at = 0
    while (at < text.length) {
      const step = this.#step(text, at, final, dialect)
      if (step === null) break
      if (step.record !== null) yield step.record
      at = step.next
    }
    this.#text = text.slice(at)
    this.#offset += at
    if (final && this.#passedOver !== null) yield this.#reject(this.#offset, this.#passedOver)
  }

  /** One record further; null where more of the file must be seen first. */
  #step(text: string, at: number, final: boolean, dialect: Dialect): { record: CsvRecord | null; next: number } | null {
    if (this.#passedOver !== null) {
      const newline = text.indexOf(dialect.newline, at)
      if (newline === -1) return { record: null, next: text.length }
      return { record: this.#reject(this.#offset + newline + 1, this.#passedOver), next: newline + 1 }
    }
    const limit = Math.min(text.length, at + LONGEST_ROW)
    const ends = final && limit === text.length
    const found = scan(text, at, limit, ends, dialect)
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

  /** Past a record that makes no sense: to the line at which one begins that does. */
  #resume(text: string, at: number, limit: number, ends: boolean, found: Scan, dialect: Dialect) {
    if (this.#layout === null) throw new UnreadableFile(`the header cannot be read: ${faultOf(found, 0)}`)
    const { columns } = this.#layout
    const fault = faultOf(found, columns)
    const bound = found.kind === 'record' ? found.next : limit
    let line = text.indexOf(dialect.newline, at) + 1
    for (; line > 0 && line < bound; line = text.indexOf(dialect.newline, line) + 1) {
      const next = scan(text, line, limit, ends, dialect)
      const undecided = next.kind === 'open'
      if (undecided && limit === text.length && limit < at + LONGEST_ROW) return null
      const fits = next.kind === 'record' && next.columns === columns && next.clean
      if (!undecided && !fits) continue
      return {
        record: this.#reject(this.#offset + line, { text: decodeBinary(text.slice(at, line)), fault }),
        next: line,
      }
    }
    if (found.kind !== 'record' && !ends) {
      // Nothing within reach makes sense. If the reach is the whole megabyte, what follows is passed over to the next line.
      if (limit < at + LONGEST_ROW) return null
      this.#passedOver = { text: sampleOf(Buffer.from(text.slice(at, limit), 'latin1')), fault }
      return { record: null, next: limit }
    }
    const raw = text.slice(at, bound)
    return { record: this.#reject(this.#offset + bound, { text: decodeBinary(raw), fault }), next: bound }
  }

  #record(raw: string, found: Scan & { kind: 'record' }, dialect: Dialect, columns: number): CsvRecord {
    const text = decodeBinary(raw)
    const fault = found.columns === columns ? null : faultOf(found, columns)
    const cells = fault === null ? cellsOf(text, dialect.delimiter) : []
    return { row: ++this.#row, offset: this.#offset + found.next, text, fault, cells }
  }

  #reject(offset: number, { text, fault }: { text: string; fault: string }): CsvRecord {
    this.#passedOver = null
    return { row: ++this.#row, offset, text: text.replace(/[\r\n]+$/, ''), fault, cells: [] }
  }
}

function faultOf(found: Scan, columns: number): string {
  if (found.kind === 'record') return `the row has ${found.columns} columns, the header has ${columns}`
  return found.kind === 'broken' || found.quoted ? BROKEN : TOO_LONG
}
