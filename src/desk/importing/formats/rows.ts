import { isUtf8 } from 'node:buffer'
import { type Open, type ParsedRow, type Position, type RejectedRow, UnreadableFile } from './format.ts'

/** As it is in the file; with a fault if its boundaries could not be determined. */
export interface RawRow extends Position {
  readonly text: string
  readonly fault: string | null
}

/** The rows do not depend on the chunk boundaries. */
interface RowSplitter<P extends RawRow> {
  push(bytes: Uint8Array): Iterable<P>
  end(): Iterable<P>
}

/** A longer row is rejected: a stray quote or a binary file must not exhaust the memory. */
export const MAX_ROW_BYTES = 1_000_000
export const TOO_LONG = `the row is longer than ${MAX_ROW_BYTES / 1_000_000} MB`

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
const UNSUPPORTED_FILES = [
  [[0x1f, 0x8b], 'the file is compressed with gzip: unpack it first'],
  [[0x50, 0x4b, 0x03, 0x04], 'the file is a ZIP archive or a spreadsheet: unpack it, or save it as CSV'],
  [[0xff, 0xfe], 'the file is in UTF-16: save it as UTF-8'],
  [[0xfe, 0xff], 'the file is in UTF-16: save it as UTF-8'],
] as const
const SIGNATURE_BYTES = 4

type ReadRow<Parsed> = Position & { readonly text: string } & (Parsed | RejectedRow)

/** Reads rows from an offset on. `parseRow` returns null to skip a row, such as a header. */
export async function* readRows<P extends RawRow, Parsed extends object = ParsedRow>(
  open: Open,
  offset: number,
  splitterAt: (offset: number) => RowSplitter<P>,
  parseRow: (rawRow: P) => Parsed | null,
): AsyncGenerator<ReadRow<Parsed>> {
  let splitter: RowSplitter<P> | null = offset === 0 ? null : splitterAt(offset)
  let head: Buffer = Buffer.alloc(0)
  for await (const chunk of open(offset)) {
    if (splitter === null) head = Buffer.concat([head, chunk])
    if (splitter === null && head.length < SIGNATURE_BYTES) continue
    for (const row of parsed(splitter?.push(chunk) ?? begin())) yield row
  }
  if (splitter === null) {
    if (head.length === 0) throw new UnreadableFile('the file is empty')
    for (const row of parsed(begin())) yield row
  }
  for (const row of parsed(splitter!.end())) yield row

  function begin(): Iterable<P> {
    const begins = (bytes: readonly number[]) => bytes.every((byte, index) => head[index] === byte)
    for (const [bytes, message] of UNSUPPORTED_FILES) if (begins(bytes)) throw new UnreadableFile(message)
    const start = begins(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0
    splitter = splitterAt(start)
    return splitter.push(head.subarray(start))
  }

  function* parsed(rawRows: Iterable<P>): Generator<ReadRow<Parsed>> {
    for (const rawRow of rawRows) {
      const { row, offset, within, text, fault } = rawRow
      const position = within === undefined ? { row, offset } : { row, offset, within }
      const read = fault === null ? parseRow(rawRow) : ({ kind: 'rejected', reason: fault } as const)
      if (read !== null) yield { ...position, ...read, text }
    }
  }
}

const LF = 10
const CR = 13

/** Lines end with LF, CRLF or CR. Empty lines are skipped, but counted as in an editor. */
export class LineSplitter implements RowSplitter<RawRow> {
  #rest: Buffer = Buffer.alloc(0)
  /** File offset of the first byte of `#rest`. */
  #offset: number
  #row: number
  /** The beginning of a line that is too long, whose remainder is skipped. */
  #skipped: string | null = null

  constructor(offset: number, row: number) {
    this.#offset = offset
    this.#row = row
  }

  *push(bytes: Uint8Array): Generator<RawRow> {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const buffer = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    let at = 0
    let lf = buffer.indexOf(LF)
    let cr = buffer.indexOf(CR)
    while (lf !== -1 || cr !== -1) {
      const end = cr === -1 || (lf !== -1 && lf < cr) ? lf : cr
      // A CR at the end of the chunk may be the first half of a CRLF.
      if (end === cr && end === buffer.length - 1) break
      const next = end === cr && lf === end + 1 ? end + 2 : end + 1
      const row = this.#line(buffer.subarray(at, end), this.#offset + next)
      if (row !== null) yield row
      at = next
      if (lf !== -1 && lf < at) lf = buffer.indexOf(LF, at)
      if (cr !== -1 && cr < at) cr = buffer.indexOf(CR, at)
    }
    this.#keep(buffer.subarray(at), this.#offset + at)
  }

  *end(): Generator<RawRow> {
    const ended = this.#rest.at(-1) === CR
    if (this.#rest.length === 0 && this.#skipped === null) return
    const line = this.#rest.subarray(0, this.#rest.length - (ended ? 1 : 0))
    const row = this.#line(line, this.#offset + this.#rest.length)
    if (row !== null) yield row
  }

  #keep(rest: Buffer, offset: number): void {
    const ended = rest.at(-1) === CR ? 1 : 0
    if (this.#skipped === null && rest.length - ended > MAX_ROW_BYTES) this.#skipped = sampleOf(rest)
    const dropped = this.#skipped === null ? 0 : rest.length - ended
    // Copied, because a view would keep the whole chunk in memory.
    this.#rest = Buffer.from(rest.subarray(dropped))
    this.#offset = offset + dropped
  }

  #line(bytes: Buffer, offset: number): RawRow | null {
    const row = ++this.#row
    if (this.#skipped !== null || bytes.length > MAX_ROW_BYTES) {
      const text = this.#skipped ?? sampleOf(bytes)
      this.#skipped = null
      return { row, offset, text, fault: TOO_LONG }
    }
    const text = decode(bytes)
    return text.trim() === '' ? null : { row, offset, text, fault: null }
  }
}

/** A row, or null for text that is none, and the index after it. */
export interface SplitRow<P> {
  readonly row: P | null
  readonly next: number
}

/** Splits text whose characters are bytes, so that index equals byte offset. */
export abstract class TextSplitter<P extends RawRow> implements RowSplitter<P> {
  #text = ''
  /** File offset of the first character of the text. */
  protected offset: number
  protected rows: number

  constructor(offset: number, rows: number) {
    this.offset = offset
    this.rows = rows
  }

  /** Null if more of the file is needed; `final`: the file ends with the text. */
  protected abstract splitRow(text: string, at: number, final: boolean): SplitRow<P> | null

  /** Yields rows about the end of the file; `rest`: the length of what no row took. */
  protected abstract finish(rest: number): Iterable<P>

  *push(bytes: Uint8Array): Generator<P> {
    this.#text += Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
    yield* this.#split(false)
  }

  *end(): Generator<P> {
    yield* this.#split(true)
    yield* this.finish(this.#text.length)
  }

  *#split(final: boolean): Generator<P> {
    const text = this.#text
    let at = 0
    while (at < text.length) {
      const read = this.splitRow(text, at, final)
      if (read === null) break
      if (read.row !== null) yield read.row
      at = read.next
    }
    this.#text = text.slice(at)
    this.offset += at
  }
}

const SAMPLE_BYTES = 1_000
const windows1252 = new TextDecoder('windows-1252')
const ASCII = /^[\0-\x7f]*$/

/**
 * Decodes UTF-8, or else Windows-1252, in which every byte is valid. Decided per row, because some
 * files are concatenated from different encodings.
 */
function decode(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString() : windows1252.decode(bytes)
}

/** Decodes text whose characters U+0000 to U+00FF are bytes. */
export function decodeBinary(text: string): string {
  return ASCII.test(text) ? text : decode(Buffer.from(text, 'latin1'))
}

/** Returns the beginning of a row, not cut inside a character. */
export function sampleOf(row: Buffer | string): string {
  const bytes = typeof row === 'string' ? Buffer.from(row, 'latin1') : row
  let end = Math.min(SAMPLE_BYTES, bytes.length)
  while (end > SAMPLE_BYTES - 4 && end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end--
  return `${decode(bytes.subarray(0, end))}…`
}
